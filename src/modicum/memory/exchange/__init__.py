"""Export and import of memory: archives as JSON, notes as Markdown, imports from other systems."""
