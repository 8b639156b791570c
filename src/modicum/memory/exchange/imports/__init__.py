"""Imports: files, folders and databases of other systems, recognised by their content and only read."""
