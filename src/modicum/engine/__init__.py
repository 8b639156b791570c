"""How much of what is shown: fit(sections, view) makes a page that is never over its budget."""
