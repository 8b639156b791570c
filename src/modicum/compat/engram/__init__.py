"""engram's HTTP routes, MCP tools, JSON and texts, byte for byte."""
