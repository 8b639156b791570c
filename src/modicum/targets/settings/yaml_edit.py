"""Edits YAML settings in block and flow style; what is not edited stays as it is. Pure."""

import json
import re

from modicum.targets.settings.spans import (
    Brackets,
    Document,
    InsertedText,
    Insertion,
    Member,
    Splice,
    ValueKind,
    ValueNode,
    failure,
    insert_between,
    line_before,
    line_end,
    remove_between,
    starts_line,
    surrounds,
)
from modicum.targets.settings.yaml_scan import column_of, is_plain_text, parse, read, value_of

__all__ = ["insert", "outline", "parse", "read", "remove", "replace", "value_of"]

_SKIP = re.compile(r"(?:[ \t\r\n]++|#[^\r\n]*+)*+")
_COMMENT = re.compile(r"#[^\r\n]*+")
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def outline(document: Document, member: Member) -> object:
    """Returns what must be the same in YAML settings after an edit of another member."""
    # A line end after a block scalar is part of its span, and counts only if it is part of its value.
    return member.node.kind, document.text[member.start : member.end].rstrip(), member.node.note


def insert(document: Document, node: ValueNode, key: str | None, value: object) -> Insertion:
    """Inserts a member last into a mapping (with its key) or a list (key None) of YAML settings."""
    if node.bracketed:
        return insert_between(document, node, lambda _: _flow_entry(key, value), _brackets(document))
    unit = _unit(document)
    lines = _block([value] if key is None else {key: value}, unit)
    if node.kind is not ValueKind.VACANT:
        return _insert_lines(document, node.members[-1].end, column_of(document.text, node.start), lines)
    if node == document.root:
        return _insert_root(document, lines)
    column = column_of(document.text, _vacant_owner(document, node).start)
    insertion = _insert_lines(document, node.end, column + len(unit), lines)
    return Insertion(insertion.splices, InsertedText(insertion.glue.lead, alone=True))


def _insert_lines(document: Document, end: int, column: int, lines: list[str]) -> Insertion:
    text, newline, indent = document.text, document.newline, " " * column
    entry = (newline + indent).join(lines)
    place, glue = line_end(text, end), InsertedText(newline + indent, "")
    if end and text[end - 1] == "\n":
        # A block scalar ends with its line, so the next line is free.
        place, glue = end, InsertedText(indent, newline)
    return Insertion((Splice(place, place, glue.lead + entry + glue.tail),), glue)


def _insert_root(document: Document, lines: list[str]) -> Insertion:
    text, newline = document.text, document.newline
    is_open = bool(text) and not text.endswith("\n")
    glue = InsertedText(newline, "", alone=True) if is_open else InsertedText("", newline, alone=True)
    entry = glue.lead + newline.join(lines) + glue.tail
    return Insertion((Splice(len(text), len(text), entry),), glue)


def _vacant_owner(document: Document, vacant: ValueNode) -> Member:
    node = document.root
    while True:
        owner = next(m for m in node.members if m.start <= vacant.start <= m.end)
        if owner.node == vacant:
            return owner
        node = owner.node


def replace(document: Document, node: ValueNode, value: object) -> Insertion:
    """Edits YAML settings: replaces the value of a node."""
    _refuse_anchors(document, node.start, node.end)
    column = column_of(document.text, node.start)
    is_block = node.kind in (ValueKind.MAPPING, ValueKind.LIST) and not node.bracketed
    # A block scalar ends with its line.
    tail = document.newline * document.text[node.start : node.end].endswith("\n")
    if is_block and value and type(value) is (dict if node.kind is ValueKind.MAPPING else list):
        written = (document.newline + " " * column).join(_block(value, _unit(document)))
        return Insertion((Splice(node.start, node.end, written + tail),), InsertedText("", tail))
    # Nothing needs a space before it, and a list may stand as far left as its key, where nothing else may.
    lead = " " * (node.kind is ValueKind.VACANT or (node.kind is ValueKind.LIST and is_block))
    return Insertion((Splice(node.start, node.end, lead + _flow(value) + tail),), InsertedText(lead, tail))


def remove(document: Document, node: ValueNode, index: int, glue: InsertedText | None) -> tuple[Splice, ...]:
    """Edits YAML settings: removes a member from its mapping or list."""
    text, member = document.text, node.members[index]
    _refuse_anchors(document, member.start, member.end)
    if node.bracketed:
        return remove_between(document, node, index, glue, _brackets(document))
    is_only = len(node.members) == 1
    if glue and (is_only or not glue.alone) and surrounds(text, member.start, member.end, glue):
        return (Splice(member.start - len(glue.lead), member.end + len(glue.tail)),)
    if is_only and node != document.root:
        empty = "{}" if node.kind is ValueKind.MAPPING else " []"
        return (Splice(member.start, member.end, empty),)
    return (_block_cut(text, node, index),)


def _block_cut(text: str, node: ValueNode, index: int) -> Splice:
    member = node.members[index]
    if not starts_line(text, member.start):
        raise failure(text, member.start, "this entry shares its line", remedy="remove it by hand")
    if text[member.end - 1] == "\n":
        return Splice(text.rfind("\n", 0, member.start) + 1, member.end)
    end = line_end(text, member.end)
    rest = text[member.end : end]
    if rest.strip():
        return Splice(member.start, end - len(rest.lstrip()))
    if "\n" not in text[: member.start]:
        following = text.find("\n", end)
        return Splice(0, following + 1 if following >= 0 else len(text))
    return Splice(line_before(text, member.start), end)


def _refuse_anchors(document: Document, start: int, end: int) -> None:
    anchors = document.note if isinstance(document.note, tuple) else ()
    for index in anchors:
        if start <= index < end:
            raise failure(
                document.text, index, "an anchor or alias in what is to be changed", remedy="edit it by hand"
            )


def _brackets(document: Document) -> Brackets:
    return Brackets(_SKIP, _COMMENT, _unit(document), opens=False)


def _unit(document: Document) -> str:
    base = column_of(document.text, document.root.start)
    for member in document.root.members:
        node = member.node
        if node.kind is ValueKind.MAPPING and not node.bracketed:
            return " " * (column_of(document.text, node.start) - base)
    return "  "


def _block(value: object, unit: str) -> list[str]:
    if isinstance(value, dict):
        return [line for key, item in value.items() for line in _block_entry(_text(key), item, unit)]
    return [line for item in _as_list(value) for line in _block_item(item, unit)]


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _block_entry(key: str, value: object, unit: str) -> list[str]:
    if isinstance(value, dict | list) and value:
        return [f"{key}:", *(unit + line for line in _block(value, unit))]
    return [f"{key}: {_flow(value)}"]


def _block_item(value: object, unit: str) -> list[str]:
    if isinstance(value, dict | list) and value:
        first, *rest = _block(value, unit)
        return [f"- {first}", *("  " + line for line in rest)]
    return [f"- {_flow(value)}"]


def _flow_entry(key: str | None, value: object) -> str:
    return _flow(value) if key is None else f"{_text(key)}: {_flow(value)}"


def _flow(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(_flow_entry(key, item) for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    if isinstance(value, float):
        return _float(value)
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _float(value: float) -> str:
    from yaml.representer import SafeRepresenter

    return str(SafeRepresenter().represent_float(value).value)


def _text(text: str) -> str:
    if is_plain_text(text):
        return text
    return _UNPRINTABLE.sub(lambda char: f"\\u{ord(char.group()):04x}", json.dumps(text, ensure_ascii=False))
