"""Specs: the documents of a project, its changes and its decisions, as values and as files."""
