"""Changes, decisions and the documents of a project: the use cases, and the context check."""
