"""Who may see and change what, and the tokens of people."""
