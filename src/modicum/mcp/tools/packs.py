"""The MCP tools that read packs. Their imports are made when a tool is called."""

from modicum.mcp import schema
from modicum.mcp.arguments import Arguments
from modicum.mcp.pages import amount_of, page_reply, whole_reply
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import READS, Domain, Tool, ToolContext

NOTHING = "There are no packs."
SEARCH_ITEMS = 10


def read(context: ToolContext, arguments: Arguments) -> ToolReply:
    """Runs the MCP tool that reads packs: a part whole; a pack, or all packs, in the amount asked for."""
    from modicum.app.packs.one_part import whole_part
    from modicum.app.packs.parts import read_parts

    key, amount = arguments.text("key").strip(), amount_of(arguments)
    if "/" in key:
        return whole_reply(whole_part(context.library, key), arguments)
    return page_reply(read_parts(context.library, key, amount), amount, arguments, NOTHING)


def list_packs(context: ToolContext, arguments: Arguments) -> ToolReply:
    from modicum.app.packs import parts

    amount = amount_of(arguments)
    return page_reply(parts.list_packs(context.library.packs, amount), amount, arguments, NOTHING)


def search(context: ToolContext, arguments: Arguments) -> ToolReply:
    from modicum.app.packs.parts import search_parts

    words, amount = arguments.needed("query"), amount_of(arguments, items=SEARCH_ITEMS)
    found = search_parts(context.library.packs, words, amount)
    return page_reply(found, amount, arguments, "Nothing in the packs answers that.")


READ = Tool(
    "pack_read",
    "Read packs",
    "The team's curated knowledge: rules, patterns, known errors. Without a key: all packs; summary lists the keys.",
    {"key": schema.text("pack:git, or a part, always whole: pack:git/commits"), **schema.READING},
    READS,
    read,
    Domain.PACKS,
)
LIST = Tool(
    "pack_list", "List packs", "Which packs there are.", schema.READING, READS, list_packs, Domain.PACKS
)
SEARCH = Tool(
    "pack_search",
    "Search packs",
    "Find parts of packs by a plain question, best first.",
    {"query*": schema.text(), **schema.READING},
    READS,
    search,
    Domain.PACKS,
)

TOOLS = (READ, LIST, SEARCH)
