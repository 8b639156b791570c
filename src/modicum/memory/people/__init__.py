"""People: who may see and change what in memory, and their tokens."""
