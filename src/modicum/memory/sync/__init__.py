"""Sync: shares notes between machines through files in a git repository."""
