"""The reply of an MCP tool: text, and the same as JSON."""

from typing import NamedTuple

Data = dict[str, object]


class ToolReply(NamedTuple):
    """The reply of an MCP tool: its text, and the same as JSON for clients that show JSON to a model."""

    text: str
    data: Data | None = None
