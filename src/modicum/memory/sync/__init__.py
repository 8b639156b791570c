"""Sync: notes shared between machines through files in a git repository."""
