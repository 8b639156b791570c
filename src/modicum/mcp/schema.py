"""Arguments that tools share, as clients are told of them, and what they mean."""

from modicum.mcp.args import Arguments
from modicum.mcp.tool import Schema, ToolContext
from modicum.memory.model import SCOPES, Query
from modicum.memory.names import project_name
from modicum.memory.times import parse_time

EVERY_PROJECT = "*"


def text(about: str = "") -> Schema:
    return {"type": "string", "description": about} if about else {"type": "string"}


def whole(about: str = "", least: int = 0) -> Schema:
    told: dict[str, object] = {"type": "integer", "minimum": least}
    return {**told, "description": about} if about else told


def flag(about: str) -> Schema:
    return {"type": "boolean", "description": about}


def one_of(*words: str, about: str = "") -> Schema:
    told: dict[str, object] = {"type": "string", "enum": [*words]}
    return {**told, "description": about} if about else told


LEVEL = one_of(
    "summary", "standard", "full", about="titles and ids | snippets (default) | everything, byte for byte"
)
AMOUNT = {
    "limit": whole("most items a page considers", 1),
    "max_tokens": whole("hard limit for this reply (default 6000, at most 25000)"),
    "cursor": text("from an earlier reply: go on there"),
}
READING = {"detail_level": LEVEL, **AMOUNT}
PROJECT = text('default: this project; "*": all')
SCOPE = one_of(*SCOPES)
ID = whole("number of the note", 1)


def project_of(desk: ToolContext, asked: Arguments) -> str:
    """The project that is named, else the one that the agent is in; nothing for all of them."""
    named = asked.text("project").strip()
    return "" if named == EVERY_PROJECT else project_name(named or desk.project)


def query_of(desk: ToolContext, asked: Arguments) -> Query:
    """Which notes are asked for."""
    since, until = asked.text("since"), asked.text("until")
    return Query(
        project=project_of(desk, asked),
        scope=asked.choice("scope", SCOPES),
        type=asked.text("type"),
        namespace=asked.text("namespace"),
        session=asked.text("session_id") or asked.text("session"),
        since=parse_time(since) if since else "",
        until=parse_time(until, end=True) if until else "",
    )
