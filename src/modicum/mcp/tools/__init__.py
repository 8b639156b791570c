"""Our MCP tools: memory, packs and specs."""
