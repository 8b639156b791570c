"""The tools of spec-driven work: each is a row here. `sets.py` names the two of them that every agent is offered."""

from modicum.mcp.tools import Tool

TOOLS: tuple[Tool, ...] = ()

# Hoofy's names for them, which answer as it does.
HOOFY: tuple[Tool, ...] = ()
