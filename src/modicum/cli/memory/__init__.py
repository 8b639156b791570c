"""The commands modicum save, search, recall, show, update, delete, import, export, sync and memory."""
