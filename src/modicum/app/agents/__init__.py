"""Sets up agents (MCP server, hooks, permissions), wires what packs bring, and checks with the doctor."""
