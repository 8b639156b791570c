"""Where files of AI tools may be: what an adapter that somebody else wrote may name, and what a path means on the disk."""
