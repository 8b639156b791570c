"""The MCP tools about the whole memory: mem_stats, how much there is, and mem_projects, the list of projects."""

from modicum.app.counted import counted
from modicum.app.memory.lists import list_projects
from modicum.mcp import schema
from modicum.mcp.arguments import Arguments
from modicum.mcp.pages import amount_of, page_reply
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import READS, Domain, Tool, ToolContext
from modicum.mcp.tools.memory import done


def stats(context: ToolContext, arguments: Arguments) -> ToolReply:
    found = context.store.stats()
    sentence = f"{counted(found.notes, 'note')}, {counted(found.sessions, 'session')}, {counted(found.prompts, 'prompt')}."
    counts = {"notes": found.notes, "sessions": found.sessions, "prompts": found.prompts}
    return done(arguments, sentence, **counts)


def projects(context: ToolContext, arguments: Arguments) -> ToolReply:
    amount = amount_of(arguments)
    return page_reply(list_projects(context.store)(amount), amount, arguments, "There are no projects.")


TOOLS = (
    Tool("mem_stats", "Memory stats", "How much there is in memory.", {}, READS, stats, Domain.MEMORY),
    Tool(
        "mem_projects", "Projects", "Every project in memory.", schema.READING, READS, projects, Domain.MEMORY
    ),
)
