"""What agents and people want to find again: sessions, prompts and notes."""
