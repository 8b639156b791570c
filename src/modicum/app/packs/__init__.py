"""Packs use cases for the doors: list and search their parts, start and check packs, sources, notices."""
