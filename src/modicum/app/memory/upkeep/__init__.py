"""Use cases that keep memory in order: audit, backup, the index by meaning."""
