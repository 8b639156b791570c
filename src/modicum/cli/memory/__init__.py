"""The commands that save, find, move and share notes, sessions and projects."""
