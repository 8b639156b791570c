"""Reads and cuts text: Markdown tiers and headings, our regions, plain prose, pieces, secrets. Pure."""
