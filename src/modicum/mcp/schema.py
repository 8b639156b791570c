"""The JSON schemas of the arguments that MCP tools share, and the values they are parsed into."""

from modicum.app.memory.query import parse_query
from modicum.app.whose import parse_project
from modicum.mcp.arguments import Arguments
from modicum.mcp.tool import Schema, ToolContext
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
ID = text("n-7kq2m4 or 42")


def project_of(context: ToolContext, arguments: Arguments, *, writing: bool = False) -> str:
    """Returns the value of the shared argument `project` by its schema: the one named, else the agent's own; empty for all."""
    word = arguments.text("project")
    return parse_project(context.store, context.config, word, context.project, writing=writing)


def query_of(context: ToolContext, arguments: Arguments) -> Query:
    """Returns the query for notes that the arguments of a call describe, by the schemas that MCP tools share."""
    return parse_query(
        project=project_of(context, arguments),
        scope=arguments.choice("scope", SCOPES),
        type=arguments.text("type"),
        namespace=arguments.text("namespace"),
        session=arguments.text("session_id"),
        since=arguments.text("since"),
        until=arguments.text("until"),
        origin=arguments.text("origin"),
    )
