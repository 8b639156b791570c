"""What an agent was seen to do with our MCP tools, and what it does not allow: data of its adapter, with sources. Pure."""

import json
from collections.abc import Callable, Mapping, Sequence

from modicum.base.typing_names import Any
from modicum.base.value import Value

SENT = ("whole", "lines", "names", "nothing")


class ToolList(Value):
    """A fact about an agent: what its first request holds of our MCP tools.

    `sent`: each tool whole, as a line with its description, by name only (deferred), or nothing. `each` and `extra` are
    tokens that the agent adds of its own: to each tool, and once a server is there.
    """

    sent: str
    prefix: str = ""
    instructions: bool = False
    each: int = 0
    extra: int = 0
    note: str = ""
    source: str = ""
    checked: str = ""


class ProgramCost(Value):
    """A fact about an agent: the tokens of its own system prompt, messages and tools in the first request of a session."""

    tokens: int
    source: str


class Limitation(Value):
    """A fact about an agent: what it does not allow modicum to do, and where that is known from."""

    what: str
    source: str


def tool_list_from(row: Mapping[str, Any]) -> ToolList:
    """Returns the facts about an agent's tool list from the checked key of its adapter."""
    return ToolList(**row)


def limitations_from(rows: Sequence[Mapping[str, Any]]) -> tuple[Limitation, ...]:
    """Returns the facts about what an agent does not allow from the checked key of its adapter."""
    return tuple(Limitation(**row) for row in rows)


def tokens_of(
    listed: ToolList | None,
    tools: Sequence[Mapping[str, Any]],
    instructions: str,
    count: Callable[[str], int],
) -> int:
    """Returns, from the facts of an agent's adapter, what our MCP tools cost in its first request; without facts, every tool counts whole."""
    listed = listed or ToolList("whole")
    text = "\n".join(_worded(listed, tool) for tool in tools)
    told = count(instructions) if listed.instructions else 0
    return count(text) + told + listed.each * len(tools) + listed.extra


def _worded(listed: ToolList, tool: Mapping[str, Any]) -> str:
    name, description = listed.prefix + str(tool.get("name", "")), str(tool.get("description", ""))
    if listed.sent == "whole":
        fields = {"name": name, "description": description, "parameters": tool.get("inputSchema", {})}
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return {"lines": f"{name}: {description}", "names": name, "nothing": ""}[listed.sent]
