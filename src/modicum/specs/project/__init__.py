"""Scans a project that has no specs yet, and drafts first ones from what is found."""
