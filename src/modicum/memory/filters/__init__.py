"""The filters by which notes, sessions and prompts are chosen: one table for all doors and for SQL."""
