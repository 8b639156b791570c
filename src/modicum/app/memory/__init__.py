"""Memory for the doors: opening it, saving and showing notes, recall and search as pages, import and export."""
