"""Looks for rules that contradict or repeat each other, or that nobody can follow, in all that AI tools read here."""
