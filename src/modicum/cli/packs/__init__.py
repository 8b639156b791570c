"""modicum pack, profile, tool, notice, source and show."""
