"""What a scan finds in a project that nobody has described, and first drafts from it."""
