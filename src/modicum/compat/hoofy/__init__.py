"""Hoofy's MCP tools for memory and specs, in its words."""
