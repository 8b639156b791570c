"""MCP resources: packs, notes and specs as whole texts that a user attaches."""

from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import quote, unquote

from modicum.app.memory.whole_items import whole_item
from modicum.app.packs.one_part import find_part
from modicum.base.errors import ModicumError
from modicum.mcp.reply import Data
from modicum.mcp.tool import ToolContext
from modicum.memory.model import Forbidden

SCHEME = "modicum://"
MARKDOWN = "text/markdown"

TEMPLATES: list[Data] = [
    {
        "uriTemplate": f"{SCHEME}note/{{id}}",
        "name": "note",
        "description": "A note, whole",
        "mimeType": MARKDOWN,
    },
    {
        "uriTemplate": f"{SCHEME}pack/{{+key}}",
        "name": "pack",
        "description": "A pack, or a part of one: git, git/commits",
        "mimeType": MARKDOWN,
    },
    {
        "uriTemplate": f"{SCHEME}artifact/{{file}}",
        "name": "artifact",
        "description": "A document of the project: requirements.md",
        "mimeType": MARKDOWN,
    },
    {
        "uriTemplate": f"{SCHEME}change/{{+id}}",
        "name": "change",
        "description": "All documents of a change, or that of a stage: login-fails, login-fails/tasks",
        "mimeType": MARKDOWN,
    },
    {
        "uriTemplate": f"{SCHEME}adr/{{number}}",
        "name": "adr",
        "description": "A decision: 003",
        "mimeType": MARKDOWN,
    },
]
SPECS = ("artifact", "change", "adr")


def listed(context: ToolContext) -> Iterator[Data]:
    """Lists the MCP resources: packs, documents, decisions and open changes; notes are left out."""
    yield from _packs(context)
    with suppress(Forbidden):
        yield from _specs(context)


def _packs(context: ToolContext) -> Iterator[Data]:
    for pack in context.library.packs:
        row: Data = {"uri": f"{SCHEME}pack/{quote(pack.id)}", "name": pack.id, "mimeType": MARKDOWN}
        yield (
            row
            | {"title": pack.name or pack.id}
            | ({"description": pack.description} if pack.description else {})
        )


def _specs(context: ToolContext) -> Iterator[Data]:
    from modicum.app.specs.pages import named_specs

    context.check_specs(writing=False)
    for kind, name, title in named_specs(context.config):
        uri = f"{SCHEME}{kind}/{quote(name)}"
        yield {"uri": uri, "name": name, "title": title, "mimeType": MARKDOWN}


def read(context: ToolContext, uri: str) -> str:
    """Returns the text of the MCP resource with this URI."""
    kind, _, name = unquote(uri.removeprefix(SCHEME)).partition("/")
    if uri.startswith(SCHEME) and kind == "pack" and name:
        return find_part(context.library, f"pack:{name}")
    if uri.startswith(SCHEME) and kind == "note" and name:
        whole = whole_item(context.store, f"note:{name}")
        return f"{whole.head}\n\n{whole.body}"
    if uri.startswith(SCHEME) and kind in SPECS and name:
        from modicum.app.specs.pages import whole_spec

        context.check_specs(writing=False)
        return whole_spec(context.config, f"{kind}:{name}").body
    known = ", ".join(f"{SCHEME}{each}/…" for each in ("pack", "note", *SPECS))
    raise ModicumError(f'there is no resource "{uri[:100]}"', remedy=f"use one of: {known}")
