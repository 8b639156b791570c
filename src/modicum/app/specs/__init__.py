"""Specs use cases for the doors: changes, decisions, project documents, the context check, the audit."""
