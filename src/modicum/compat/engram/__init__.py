"""engram's HTTP routes, MCP tools, JSON and texts, byte for byte."""

WIRE_VERSION = "0.1.0"  # of engram's wire format
