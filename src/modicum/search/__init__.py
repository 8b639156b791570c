"""Ranks search results: words of a question, features of candidates, rank. Pure."""
