"""The context check: finds what was written about a change, and what speaks against it."""
