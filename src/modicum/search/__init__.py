"""The order of what was found: words of a question, features of candidates, rank. Pure."""
