"""The MCP door for agents: the tools, resources and prompts of the MCP server."""
