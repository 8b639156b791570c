"""The kinds of secrets: those of known services by their shape, and those that a word before them announces."""
