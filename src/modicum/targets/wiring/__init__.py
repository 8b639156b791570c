"""Wires servers, hooks and skills into each tool's settings, in the tool's own words. Pure."""
