"""Memory: the notes, sessions and prompts that agents and people want to find again."""
