"""The tables of memory and the SQL that both engines run: notes, sessions, relations, projects, progress, audit."""
