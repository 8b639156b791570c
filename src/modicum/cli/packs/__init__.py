"""The commands modicum pack, source, profile, notice and tool."""
