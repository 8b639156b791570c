"""Search: candidates from the index, the order of hits, spelling."""
