"""Where pages and settings go: the files of AI tools, planned as text before anything is written."""
