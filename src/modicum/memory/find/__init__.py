"""Finds notes: candidates from the full-text index, the order of hits, spelling."""
