"""Taking a change of memory back: which of its rows may go back, and how they do."""
