"""What the screens of the workbench show and do: one tool's reading, notes and what changes them, sessions, pairs to settle."""
