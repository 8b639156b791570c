"""The JSON schemas of the arguments that MCP tools share, and the values they are parsed into."""

from collections.abc import Sequence

from modicum.app.whose import parse_project
from modicum.mcp.arguments import Arguments
from modicum.mcp.tool import Schema, ToolContext
from modicum.memory.filters.model import FILTERS, Filter, ItemKind, filters_of, parse_query
from modicum.memory.model import SCOPES, Query


def text(about: str = "") -> Schema:
    """Returns the JSON schema of a tool argument that is a string."""
    return {"type": "string", "description": about} if about else {"type": "string"}


def whole(about: str = "", least: int = 0) -> Schema:
    """Returns the JSON schema of a tool argument that is a whole number."""
    schema: dict[str, object] = {"type": "integer", "minimum": least}
    return {**schema, "description": about} if about else schema


def flag(about: str) -> Schema:
    """Returns the JSON schema of a tool argument that is a boolean."""
    return {"type": "boolean", "description": about}


def one_of(*words: str, about: str = "") -> Schema:
    """Returns the JSON schema of a tool argument that is one of some words."""
    schema: dict[str, object] = {"type": "string", "enum": [*words]}
    return {**schema, "description": about} if about else schema


LEVEL = one_of("summary", "standard", "full", about="titles and ids | snippets (default) | everything")
AMOUNT = {
    "limit": whole("most items of a page", 1),
    "max_tokens": whole("default 6000, at most 25000"),
    "cursor": text("from an earlier reply"),
}
READING = {"detail_level": LEVEL, **AMOUNT}
PROJECT = text('default: this project; "*": all')
SCOPE = one_of(*SCOPES)
ID = text("n-7kq2m4 or 42")


def project_of(context: ToolContext, arguments: Arguments, *, writing: bool = False) -> str:
    """Returns the value of the shared argument `project` by its schema: the one named, else the agent's own; empty for all."""
    word = arguments.text("project")
    return parse_project(context.store, context.config, word, context.project, writing=writing)


def filters(*kinds: ItemKind, without: Sequence[str] = ()) -> dict[str, Schema]:
    """Returns the JSON schemas of the tool arguments for all filters that one of these kinds of items has."""
    found = (each for each in filters_of(*kinds) if each.name not in ("project", *without))
    return {"project": PROJECT, **{_argument(each): _schema(each) for each in found}}


def _argument(each: Filter) -> str:
    return "session_id" if each.name == "session" else each.name


def _schema(each: Filter) -> Schema:
    """Names alone say most; every word here is read at the start of every session."""
    return one_of(*each.choices) if each.choices else text(each.example if each.name == "since" else "")


def words_of(context: ToolContext, arguments: Arguments, *, writing: bool = False) -> dict[str, str]:
    """Returns the words of the filters that a call gives, by the schemas that MCP tools share, with the project that is meant."""
    words = {each.name: arguments.text(_argument(each)) for each in FILTERS}
    return words | {"project": project_of(context, arguments, writing=writing)}


def query_of(context: ToolContext, arguments: Arguments) -> Query:
    """Returns the query for items of memory that the arguments of a call describe, by the schemas that MCP tools share."""
    return parse_query(words_of(context, arguments))
