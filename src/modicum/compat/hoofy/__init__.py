"""Hoofy's MCP tools for memory and specs, with Hoofy's texts."""
