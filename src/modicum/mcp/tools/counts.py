"""The MCP tools that count what is in memory: statistics, and the list of projects."""

from modicum.app.counted import counted
from modicum.app.memory.whole_texts import list_projects
from modicum.mcp import schema
from modicum.mcp.args import Arguments
from modicum.mcp.pages import whole_reply
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import READS, Tool, ToolContext
from modicum.mcp.tools.memory import done


def stats(context: ToolContext, arguments: Arguments) -> ToolReply:
    found = context.store.stats()
    sentence = f"{counted(found.notes, 'note')}, {counted(found.sessions, 'session')}, {counted(found.prompts, 'prompt')}."
    counts = {"notes": found.notes, "sessions": found.sessions, "prompts": found.prompts}
    return done(arguments, sentence, **counts)


def projects(context: ToolContext, arguments: Arguments) -> ToolReply:
    return whole_reply(list_projects(context.store), arguments)


_CURSOR = {"cursor": schema.text()}

TOOLS = (
    Tool("mem_stats", "Memory stats", "How much there is in memory.", {}, READS, stats),
    Tool("mem_projects", "Projects", "Every project in memory.", _CURSOR, READS, projects),
)
