"""Reads and edits JSONC settings (JSON with comments and trailing commas); the rest of the text stays. Pure."""

import json
import re

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
    newline_of,
    remove_between,
    starts_line,
)

_COMMENT = re.compile(r"//[^\r\n]*+|/\*[\s\S]*?\*/")
_SKIP = re.compile(rf"(?>(?:[ \t\r\n]++|{_COMMENT.pattern})*)")
_STRING = r'"(?>(?:[^"\\]++|\\.)*)"'
_SCALAR = re.compile(rf"{_STRING}|[^\s,\]}}]++")
_TO_BRACKET = re.compile(rf'(?>(?:[^"{{}}\[\]]++|{_STRING})*)')
_KEPT = rf'(?>(?:[^"/,]++|{_STRING}|,(?!{_SKIP.pattern}[}}\]])|/(?![/*]))+)'
# What does not end is taken to the end of the text at once, so that a broken file costs no more than a sound one.
_PIECE = re.compile(
    rf'(?P<kept>{_KEPT})|(?P<comment>{_COMMENT.pattern})|(?P<trailing>,)|(?P<endless>(?:"|/\*)[\s\S]*+)'
)
_NOT_LINE_END = re.compile(r"[^\r\n]")
_SPACE = re.compile(r"[ \t\r\n]*+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def parse(text: str, path: tuple[str, ...]) -> Document:
    """Parses JSONC settings into the spans of the values along a path; a blank text has a vacant root."""
    plain = _plain_json(text)
    start = _after_space(plain, 0)
    if start == len(plain):
        return Document(text, ValueNode(ValueKind.VACANT, start, start), newline_of(text), plain)
    return Document(text, _node(plain, start, path), newline_of(text), plain)


def read(text: str) -> object:
    """Returns the parsed value of JSONC settings; an empty object for a blank text."""
    plain = _plain_json(text)
    return json.loads(plain) if plain.strip() else {}


def _plain_json(text: str) -> str:
    """The text with spaces for comments and trailing commas, so that all else stays in its place."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        text = "".join(_plain_pieces(text))
        if text.strip():
            _refuse_malformed(text)
    return text


def _plain_pieces(text: str) -> list[str]:
    pieces, last = list[str](), ","
    for piece in _PIECE.finditer(text):
        kept = piece.group()
        if piece.lastgroup == "comment":
            kept = _NOT_LINE_END.sub(" ", kept)
        elif piece.lastgroup == "trailing" and last not in "{[,":
            kept = " "
        pieces.append(kept)
        last = kept.rstrip()[-1:] or last
    return pieces


def _refuse_malformed(plain: str) -> None:
    try:
        json.loads(plain)
    except json.JSONDecodeError as error:
        raise _malformed(plain, error) from error
    except RecursionError:
        raise failure(plain, 0, "nested too deep", remedy="flatten the file") from None
    except ValueError as error:
        raise failure(plain, 0, str(error), remedy="shorten the number") from error


def _malformed(plain: str, error: json.JSONDecodeError) -> DocumentError:
    if plain.startswith("/*", error.pos):
        return failure(plain, error.pos, "a comment that does not end", remedy="close it with */")
    return failure(plain, error.pos, f"this is not JSON: {error.msg}", remedy="correct the JSON there")


def _node(plain: str, start: int, path: tuple[str, ...] | None) -> ValueNode:
    if plain[start] not in "{[":
        return ValueNode(ValueKind.SCALAR, start, _end(plain, start))
    kind = ValueKind.MAPPING if plain[start] == "{" else ValueKind.LIST
    if path is None:
        return ValueNode(kind, start, _end(plain, start), bracketed=True)
    members: list[Member] = []
    position = _after_space(plain, start + 1)
    while plain[position] not in "}]":
        members.append(
            _entry_at(plain, position, path) if kind is ValueKind.MAPPING else _item_at(plain, position)
        )
        position = _after_space(plain, members[-1].end)
        if plain[position] == ",":
            position = _after_space(plain, position + 1)
    return ValueNode(kind, start, position + 1, tuple(members), bracketed=True)


def _entry_at(plain: str, start: int, path: tuple[str, ...]) -> Member:
    key_end = _end(plain, start)
    key = str(json.loads(plain[start:key_end]))
    colon = _after_space(plain, key_end)
    node = _node(plain, _after_space(plain, colon + 1), path[1:] if path[:1] == (key,) else None)
    return Member(key, start, key_end, node, node.end)


def _item_at(plain: str, start: int) -> Member:
    node = _node(plain, start, None)
    return Member(None, start, start, node, node.end)


def _end(plain: str, start: int) -> int:
    if plain[start] not in "{[":
        return _match_end(_SCALAR, plain, start)
    depth, position = 1, start + 1
    while depth:
        position = _match_end(_TO_BRACKET, plain, position)
        depth += 1 if plain[position] in "{[" else -1
        position += 1
    return position


def _after_space(plain: str, index: int) -> int:
    return _match_end(_SPACE, plain, index)


def _match_end(pattern: re.Pattern[str], text: str, index: int) -> int:
    found = pattern.match(text, index)
    return found.end() if found else index


def value_of(document: Document, node: ValueNode) -> object:
    """Returns the value at a node of JSONC settings; the last of equal keys counts."""
    return json.loads(str(document.note)[node.start : node.end])


def insert(document: Document, node: ValueNode, key: str | None, value: object) -> Insertion:
    """Inserts a member last into a JSONC object (with its key) or a list (key None)."""
    if node.kind is ValueKind.VACANT:
        return _insert_root(document, key, value)
    return insert_between(
        document, node, lambda indent: _entry(document, key, value, indent), _brackets(document, node)
    )


def _insert_root(document: Document, key: str | None, value: object) -> Insertion:
    text, newline = document.text, document.newline
    needs_line = bool(text) and not text.endswith("\n")
    lead = newline * needs_line + "{" + newline + "  "
    glue = InsertedText(lead, newline + "}" + newline * (not needs_line), alone=True)
    entry = _entry(document, key, value, "  ")
    return Insertion((Splice(len(text), len(text), lead + entry + glue.tail),), glue)


def replace(document: Document, node: ValueNode, value: object) -> Insertion:
    """Replaces the value of a node in JSONC settings."""
    indent = indent_of(document.text, node.start) if _is_over_lines(document, node) else None
    return Insertion((Splice(node.start, node.end, _written(document, value, indent)),), InsertedText())


def remove(document: Document, node: ValueNode, index: int, glue: InsertedText | None) -> tuple[Splice, ...]:
    """Removes a member from its object or list in JSONC settings."""
    return remove_between(document, node, index, glue, _brackets(document, node))


def outline(document: Document, member: Member) -> object:
    """Returns what must be the same in JSONC settings after an edit of another member."""
    return document.text[member.start : member.end]


def _brackets(document: Document, node: ValueNode) -> Brackets:
    opens = node.start == document.root.start or _is_over_lines(document, node)
    return Brackets(_SKIP, _COMMENT, _unit(document), opens)


def _is_over_lines(document: Document, node: ValueNode) -> bool:
    return "\n" in document.text[document.root.start : node.start]


def _unit(document: Document) -> str:
    base = indent_of(document.text, document.root.start)
    for member in document.root.members:
        if starts_line(document.text, member.start):
            return indent_of(document.text, member.start).removeprefix(base) or "  "
    return "  "


def _entry(document: Document, key: str | None, value: object, indent: str | None) -> str:
    written = _written(document, value, indent)
    if key is None:
        return written
    return f"{_string(key)}{_colon(document)}{written}"


def _colon(document: Document) -> str:
    members = document.root.members
    return ":" if members and members[0].node.start == members[0].key_end + 1 else ": "


def _written(document: Document, value: object, indent: str | None) -> str:
    if indent is None:
        separators = (",", ":") if _colon(document) == ":" else (", ", ": ")
        return _escaped(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=separators))
    lines = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=_unit(document))
    return _escaped(lines.replace("\n", document.newline + indent))


def _string(text: str) -> str:
    return _escaped(json.dumps(text, ensure_ascii=False))


def _escaped(text: str) -> str:
    # Half a character cannot be written as UTF-8, only as an escape.
    return _SURROGATE.sub(lambda half: f"\\u{ord(half.group()):04x}", text)
