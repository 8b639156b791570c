"""The tools that read packs. What they work with is imported when one is called: a session may never do so."""

from modicum.app.answer.reply import ToolReply, tell, tell_whole
from modicum.mcp import schema
from modicum.mcp.args import Arguments
from modicum.mcp.tool import READS, Tool, ToolContext

NOTHING = "There are no packs."


def read(desk: ToolContext, asked: Arguments) -> ToolReply:
    """A part is always whole; of a pack, or of all, as much as is asked for."""
    from modicum.app.packs.parts import reading_parts, whole_part

    key, cursor, limit = asked.text("key").strip(), asked.text("cursor"), asked.number("limit") or 0
    if "/" in key:
        most = asked.number("max_tokens")
        return tell_whole(whole_part(desk.knowledge, key), cursor, max_tokens=most, remarks=asked.remarks)
    return tell(reading_parts(desk.knowledge, key, limit=limit, cursor=cursor), schema.manner(asked, NOTHING))


def list_packs(desk: ToolContext, asked: Arguments) -> ToolReply:
    from modicum.app.packs.parts import listing_packs

    limit, cursor = asked.number("limit") or 0, asked.text("cursor")
    return tell(
        listing_packs(desk.knowledge.library.packs, limit=limit, cursor=cursor), schema.manner(asked, NOTHING)
    )


def search(desk: ToolContext, asked: Arguments) -> ToolReply:
    from modicum.app.packs.parts import searching_parts

    words, limit, cursor = asked.needed("query"), asked.number("limit") or 0, asked.text("cursor")
    manner = schema.manner(asked, "Nothing in the packs answers that.")
    return tell(searching_parts(desk.knowledge.library.packs, words, limit=limit, cursor=cursor), manner)


READ = Tool(
    "pack_read",
    "Read packs",
    "The team's curated knowledge: rules, patterns, known errors. Without a key: all packs; summary lists the keys.",
    {"key": schema.text("pack:git, or a part, always whole: pack:git/commits"), **schema.READING},
    READS,
    read,
)
LIST = Tool("pack_list", "List packs", "Which packs there are.", schema.READING, READS, list_packs)
SEARCH = Tool(
    "pack_search",
    "Search packs",
    "Find parts of packs by a plain question, best first.",
    {"query*": schema.text(), **schema.READING},
    READS,
    search,
)

TOOLS = (READ, LIST, SEARCH)
