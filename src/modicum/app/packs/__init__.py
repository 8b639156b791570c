"""Packs for the doors: their parts, starting and checking them, and notices of the project."""
