"""The screens of memory in the workbench: notes, sessions, what a new session is told, the log, and what waits for review."""
