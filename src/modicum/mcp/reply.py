"""The reply of an MCP tool: text, and the same as JSON for clients that hand only one of the two to a model."""

from typing import NamedTuple

Data = dict[str, object]

# The names by which clients introduce themselves that were seen to hand over one form and nothing else. Others may hand over both,
# which is twice what was asked for; Codex writes words of its own above the JSON. Every client can read the text.
ONE_FORM = frozenset({"claude-code", "factory-cli", "gemini-cli-mcp-client", "opencode"})


class ToolReply(NamedTuple):
    """The reply of an MCP tool: its text, and the same as JSON for clients that show JSON to a model."""

    text: str
    data: Data | None = None
