"""The use cases. The only package that sees two domains; doors call nothing below it."""
