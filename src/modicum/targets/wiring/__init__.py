"""Servers, hooks and skills in the words of each tool's settings. Pure."""
