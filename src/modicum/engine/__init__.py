"""The engine: fit(sections, view) makes a page that is never over its budget."""
