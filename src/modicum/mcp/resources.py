"""Packs and notes as resources: whole texts that a user attaches."""

from collections.abc import Iterator
from urllib.parse import quote, unquote

from modicum.app.library import find_part
from modicum.app.telling import Data
from modicum.errors import ModicumError
from modicum.mcp.memory import whole_of
from modicum.mcp.tools import Desk

SCHEME = "modicum://"
MARKDOWN = "text/markdown"

TEMPLATES: list[Data] = [
    {
        "uriTemplate": f"{SCHEME}observation/{{id}}",
        "name": "observation",
        "description": "A note, whole",
        "mimeType": MARKDOWN,
    },
    {
        "uriTemplate": f"{SCHEME}pack/{{+key}}",
        "name": "pack",
        "description": "A pack, or a part of one: git, git/commits",
        "mimeType": MARKDOWN,
    },
]


def listed(desk: Desk) -> Iterator[Data]:
    """Every pack. Notes are many, and found by searching."""
    for pack in desk.shelf.library.packs:
        told: Data = {"uri": f"{SCHEME}pack/{quote(pack.id)}", "name": pack.id, "mimeType": MARKDOWN}
        yield (
            told
            | {"title": pack.name or pack.id}
            | ({"description": pack.description} if pack.description else {})
        )


def read(desk: Desk, uri: str) -> str:
    """The text behind an address."""
    kind, _, name = unquote(uri.removeprefix(SCHEME)).partition("/")
    if uri.startswith(SCHEME) and kind == "pack" and name:
        return find_part(desk.shelf, f"pack:{name}")
    if uri.startswith(SCHEME) and kind == "observation" and name.isascii() and name.isdigit():
        whole = whole_of(desk, int(name[:18]))
        return f"{whole.head}\n\n{whole.body}"
    raise ModicumError(
        f'there is no resource "{uri[:100]}"', remedy=f"use {SCHEME}pack/ID or {SCHEME}observation/ID"
    )
