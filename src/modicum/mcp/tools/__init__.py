"""Our MCP tools for memory, packs and specs."""
