"""Use cases for the doors: the only package that sees two domains; doors call nothing below it."""
