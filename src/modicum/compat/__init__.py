"""Compatibility with other systems; only the doors that register this package import it."""
