"""Memory out and in again: archives in JSON, notes as Markdown, imports from other systems."""
