"""Export and import: archives as JSON, notes as Markdown, imports from other systems."""
