"""modicum gives every AI tool the right amount of context."""

__version__ = "0.1.0"
