"""Hoofy's MCP tools as a family: the rows, the instructions, and the words for remedies."""

from modicum.compat.hoofy import memory_tools, spec_tools
from modicum.compat.hoofy.instructions import hoofy_instructions
from modicum.mcp.family import ToolFamily

CALLS_BY_ACTION = {
    "adr.parts": "call again with each of them, a text",
    "change.list": "sdd_change_status shows the active one",
    "change.new": "begin one with sdd_change",
    "change.status": "look at sdd_change_status change_id={id} first",
    "check": 'sdd_context_check change_description="{text}"',
    "spec.bootstrap": "sdd_reverse_engineer and sdd_bootstrap write first specs",
    "spec.init": "run sdd_init_project first",
    "spec.show": "sdd_get_context shows it",
    "stage.replace": "read the file, and call again with its words and yours in one text",
}

TOOLS = (*memory_tools.TOOLS, *spec_tools.TOOLS)
FAMILY = ToolFamily(TOOLS, {"all": tuple(tool.name for tool in TOOLS)}, hoofy_instructions, CALLS_BY_ACTION)
