"""TOML: edits to tables, pairs and arrays that leave the rest as it is."""

import json
import re
from itertools import pairwise

from modicum.targets.settings.spans import (
    Brackets,
    Document,
    DocumentError,
    InsertedText,
    Insertion,
    Member,
    Splice,
    ValueKind,
    ValueNode,
    failure,
    indent_of,
    insert_between,
    line_before,
    line_end,
    remove_between,
    surrounds,
)
from modicum.targets.settings.toml_scan import (
    SKIP,
    Address,
    TomlStatement,
    TomlTable,
    dotted,
    is_dotted,
    key_text,
    parse,
    read,
    string_text,
    value_of,
)

__all__ = ["insert", "outline", "parse", "read", "remove", "replace", "value_of"]

_COMMENT = re.compile(r"#[^\r\n]*+")


def outline(document: Document, member: Member) -> object:
    """What must be the same after an edit that did not touch this member."""
    if isinstance(member.node.note, TomlTable):
        return [document.text[part.start : part.end] for part in member.node.note.statements]
    return document.text[member.start : member.end]


def insert(document: Document, node: ValueNode, key: str | None, value: object) -> Insertion:
    """Put a member last into a table (with its key) or an array (key None)."""
    place = node.note
    if not isinstance(place, TomlTable):
        return insert_between(document, node, lambda _: _entry(key, value), _brackets())
    if key is None:
        if not isinstance(value, dict):
            raise failure(
                document.text, node.start, "an array of tables holds tables only", remedy="add a table"
            )
        return _insert_block(document, place, [f"[[{dotted(place.address)}]]", *_pairs(value)])
    if is_dotted(place):
        return _insert_dotted(document, place, key, value)
    if _is_block(value):
        return _insert_block(document, place, _block((*place.address, key), value))
    return _insert_pair(document, place, _entry(key, value))


def _is_block(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, dict) for item in value)
    return isinstance(value, dict)


def _insert_block(document: Document, place: TomlTable, lines: list[str]) -> Insertion:
    text, newline = document.text, document.newline
    block = newline.join(lines)
    if not text.strip():
        return Insertion((Splice(len(text), len(text), block + newline),), InsertedText("", newline))
    at = _end_of_block(document, place)
    glue = InsertedText(newline * 2)
    return Insertion((Splice(at, at, glue.lead + block),), glue)


def _end_of_block(document: Document, place: TomlTable) -> int:
    if _all_statements(document)[-1:] == place.statements[-1:]:
        # Comments at the end of the file may be settings that were switched off; they stay in their table.
        return len(document.text.rstrip())
    return line_end(document.text, place.statements[-1].end)


def _insert_pair(document: Document, place: TomlTable, entry: str) -> Insertion:
    own = [part for part in place.statements if part.table == place.address]
    if own:
        return _insert_line(document, own[-1], entry)
    if place.address:
        return _insert_under_header(document, place, entry)
    text, newline = document.text, document.newline
    if not place.statements:
        lead = newline if text and not text.endswith("\n") else ""
        glue = InsertedText(lead, "" if lead else newline)
        return Insertion((Splice(len(text), len(text), glue.lead + entry + glue.tail),), glue)
    at = _above(text, place.statements[0].start)
    glue = InsertedText("", newline * 2)
    return Insertion((Splice(at, at, entry + glue.tail),), glue)


def _insert_line(document: Document, after: TomlStatement, entry: str) -> Insertion:
    lead = document.newline + indent_of(document.text, after.start)
    at = line_end(document.text, after.end)
    return Insertion((Splice(at, at, lead + entry),), InsertedText(lead))


def _insert_under_header(document: Document, place: TomlTable, entry: str) -> Insertion:
    # The table exists only through its subtables so far, so it gets a header of its own.
    insertion = _insert_block(document, place, [f"[{dotted(place.address)}]", entry])
    lead = insertion.glue.lead + f"[{dotted(place.address)}]" + document.newline
    return Insertion(insertion.splices, InsertedText(lead))


def _insert_dotted(document: Document, place: TomlTable, key: str, value: object) -> Insertion:
    last = place.statements[-1]
    relative = (*place.address[len(last.table) :], key)
    return _insert_line(document, last, f"{dotted(relative)} = {_inline(value)}")


def _above(text: str, start: int) -> int:
    start = text.rfind("\n", 0, start) + 1
    while start and text[text.rfind("\n", 0, start - 1) + 1 :].lstrip(" \t").startswith("#"):
        start = text.rfind("\n", 0, start - 1) + 1
    return start


def replace(document: Document, node: ValueNode, value: object) -> Insertion:
    """Put another value in the place of a node."""
    place = node.note
    if not isinstance(place, TomlTable):
        return Insertion((Splice(node.start, node.end, _inline(value)),), InsertedText())
    if is_dotted(place) or not _is_block(value) or not _is_in_one_piece(document, place):
        problem = f"{dotted(place.address)} is written as tables that cannot be replaced"
        raise failure(document.text, node.start, problem, remedy="remove it first")
    block = document.newline.join(_block(place.address, value))
    return Insertion((Splice(node.start, node.end, block),), InsertedText())


def _is_in_one_piece(document: Document, place: TomlTable) -> bool:
    everything = _all_statements(document)
    first = everything.index(place.statements[0])
    return everything[first : first + len(place.statements)] == place.statements


def _all_statements(document: Document) -> tuple[TomlStatement, ...]:
    return document.note if isinstance(document.note, tuple) else ()


def remove(document: Document, node: ValueNode, index: int, glue: InsertedText | None) -> tuple[Splice, ...]:
    """Take a member out of its container."""
    text, member = document.text, node.members[index]
    if member.node.kind is ValueKind.OPAQUE:
        raise failure(
            text, member.start, "this entry is written with dotted keys", remedy="remove it by hand"
        )
    if not isinstance(node.note, TomlTable):
        return remove_between(document, node, index, glue, _brackets())
    runs = _runs(text, member)
    if glue and surrounds(text, member.start, member.end, glue) and len(runs) == 1:
        return (Splice(member.start - len(glue.lead), member.end + len(glue.tail)),)
    return tuple(_line_cut(text, start, end) for start, end in runs)


def _runs(text: str, member: Member) -> list[tuple[int, int]]:
    """The spans of its statements, joined where nothing of anyone else is between them."""
    place = member.node.note
    if not isinstance(place, TomlTable):
        return [(member.start, member.end)]
    breaks = [
        (one.end, other.start)
        for one, other in pairwise(place.statements)
        if text[one.end : other.start].strip()
    ]
    starts = [member.start, *(start for _, start in breaks)]
    return list(zip(starts, [*(end for end, _ in breaks), member.end], strict=True))


def _line_cut(text: str, start: int, end: int) -> Splice:
    stop = line_end(text, end)
    rest = text[end:stop]
    if rest.strip():
        return Splice(start, stop - len(rest.lstrip()))
    if "\n" not in text[:start]:
        return Splice(0, len(text) - len(text[stop:].lstrip("\r\n")))
    before = line_before(text, start)
    if text[start] == "[" and text[:before].endswith("\n"):
        # The empty line above a header belongs to it.
        before = line_before(text, before)
    return Splice(before, stop)


def _brackets() -> Brackets:
    return Brackets(SKIP, _COMMENT, "  ", opens=False)


def _block(address: Address, value: object) -> list[str]:
    if isinstance(value, dict):
        inner = list(value.items())
        if len(inner) == 1 and isinstance(inner[0][1], dict):
            return _block((*address, inner[0][0]), inner[0][1])
        return [f"[{dotted(address)}]", *_pairs(value)]
    items = value if isinstance(value, list) else []
    blocks = [[f"[[{dotted(address)}]]", *_pairs(item), ""] for item in items]
    return [line for block in blocks for line in block][:-1]


def _pairs(value: object) -> list[str]:
    return [_entry(key, item) for key, item in value.items()] if isinstance(value, dict) else []


def _entry(key: str | None, value: object) -> str:
    return _inline(value) if key is None else f"{key_text(key)} = {_inline(value)}"


def _inline(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(_entry(key, item) for key, item in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(item) for item in value) + "]"
    if value is None:
        raise DocumentError("TOML has no null", remedy="leave the key out")
    if isinstance(value, str):
        return string_text(value)
    return repr(value) if isinstance(value, float) else json.dumps(value)
