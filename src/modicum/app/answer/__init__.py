"""Answers for every door: the amount asked for, the cursor, the page, and whole texts in pieces."""
