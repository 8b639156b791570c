"""The tables of memory, with SQL for both engines: notes, sessions, relations, projects, progress, audit."""
