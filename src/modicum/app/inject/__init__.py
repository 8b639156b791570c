"""Injects packs into the instruction files of AI tools: load, place, make pages, plan, write."""
