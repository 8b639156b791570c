"""Hoofy's MCP tools for memory and specs, and their texts."""
