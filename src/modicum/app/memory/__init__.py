"""Memory use cases for the doors: open the store, save and show notes, recall, search, import, export."""
