"""Commands about modicum itself: the settings, the completion for shells, and the help."""
