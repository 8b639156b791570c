"""The screens of memory in the workbench: notes, sessions, what a new session is told, and pairs to review."""
