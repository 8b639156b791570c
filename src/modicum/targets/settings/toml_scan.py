"""Where the statements and values of a TOML document stand in its text."""

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from modicum.base.value import Value
from modicum.targets.settings.spans import (
    UNKNOWN,
    Document,
    DocumentError,
    Member,
    ValueKind,
    ValueNode,
    failure,
    newline_of,
)

SKIP = re.compile(r"(?>(?:[ \t\r\n]++|#[^\r\n]*+)*)")
_KEY_PART = r"""[A-Za-z0-9_-]++|"(?>(?:[^"\\\r\n]++|\\.)*)"|'[^'\r\n]*+'"""
_KEY = re.compile(rf"(?:{_KEY_PART})(?>(?:[ \t]*+\.[ \t]*+(?:{_KEY_PART}))*)")
_PART = re.compile(_KEY_PART)
_STRING = (
    r'"""(?>(?:[^"\\]++|\\[\s\S]|"{1,2}(?!"))*)"{3,5}'
    r"|'''(?>(?:[^']++|'{1,2}(?!'))*)'{3,5}"
    r'|"(?>(?:[^"\\]++|\\.)*)"'
    r"|'[^']*+'"
)
# A date may be followed by a space and a time.
_SCALAR = re.compile(rf"{_STRING}|[^\s,\]}}#]++(?: [0-9][^\s,\]}}#]++)?")
_TO_BRACKET = re.compile(rf"(?>(?:[^\"'#{{}}\[\]]++|{_STRING}|#[^\r\n]*+)*)")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"[ \t]*+")
_EQUALS = re.compile(r"[ \t]*+=[ \t]*+")
_WHERE = re.compile(r"(?P<problem>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)")

Path = tuple[str, ...]
Address = tuple[str | int, ...]


class TomlStatement(Value):
    """A table header, or a pair of key and value."""

    address: Address  # of what it defines; a number is the place in an array of tables
    table: Address  # of the table that it stands in or opens
    start: int
    end: int
    value_start: int | None = None  # None for a header


class TomlTable(Value):
    """A table or array of tables, and the statements that make it up."""

    address: Address
    statements: tuple[TomlStatement, ...]


def parse(text: str, path: Path) -> Document:
    """The spans along a path."""
    read(text)
    statements = tuple(_statements(text))
    return Document(text, _table(text, (), statements, path), newline_of(text), statements)


def read(text: str) -> dict[str, object]:
    """The parsed value."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise failure(text, 0, "nested too deep", remedy="flatten the file") from None
    except tomllib.TOMLDecodeError as error:
        raise _malformed(text, str(error)) from error


def _malformed(text: str, message: str) -> DocumentError:
    found = _WHERE.fullmatch(message)
    if not found:
        return failure(text, len(text), f"this is not TOML: {message}", remedy="complete the file")
    where = f"line {found['line']}, column {found['column']}"
    return DocumentError(f"{where}: this is not TOML: {found['problem']}", remedy="correct the TOML there")


def _statements(text: str) -> Iterator[TomlStatement]:
    counts, table = dict[Address, int](), Address()
    position = _end_of(SKIP, text, 0)
    while position < len(text):
        if text[position] == "[":
            statement = _header(text, position, counts)
            table = statement.address
        else:
            statement = _pair(text, position, table)
        yield statement
        position = _end_of(SKIP, text, statement.end)


def _end_of(pattern: re.Pattern[str], text: str, index: int) -> int:
    # The text was read as TOML before, so what is looked for is there.
    found = pattern.match(text, index)
    return found.end() if found else index


def _key_at(text: str, index: int) -> tuple[Path, int]:
    end = _end_of(_BARE, text, index)
    if end > index and text[end] in " \t=]":
        following = _end_of(_SPACE, text, end)
        if text[following] != ".":
            return (text[index:end],), end
    end = _end_of(_KEY, text, index)
    return tuple(_unquoted(part) for part in _PART.findall(text, index, end)), end


def _unquoted(part: str) -> str:
    if part[0] not in "\"'":
        return part
    return str(tomllib.loads(f"x = {part}")["x"]) if "\\" in part and part[0] == '"' else part[1:-1]


def _header(text: str, start: int, counts: dict[Address, int]) -> TomlStatement:
    is_item = text.startswith("[[", start)
    keys, end = _key_at(text, _end_of(SKIP, text, start + 1 + is_item))
    address = (*_resolved(keys[:-1], counts), keys[-1])
    if is_item:
        counts[address] = counts.get(address, 0) + 1
        address += (counts[address] - 1,)
    return TomlStatement(address, address, start, text.index("]", end) + 1 + is_item)


def _resolved(keys: Path, counts: dict[Address, int]) -> Address:
    address: Address = ()
    for key in keys:
        address += (key,)
        if address in counts:
            address += (counts[address] - 1,)
    return address


def _pair(text: str, start: int, table: Address) -> TomlStatement:
    keys, key_end = _key_at(text, start)
    value_start = _end_of(_EQUALS, text, key_end)
    return TomlStatement(table + keys, table, start, _value_end(text, value_start), value_start)


def _value_end(text: str, start: int) -> int:
    if text[start] not in "{[":
        return _end_of(_SCALAR, text, start)
    depth, position = 1, start + 1
    while depth:
        position = _end_of(_TO_BRACKET, text, position)
        depth += 1 if text[position] in "{[" else -1
        position += 1
    return position


def _value(text: str, start: int, path: Path | None) -> ValueNode:
    kind = {"[": ValueKind.LIST, "{": ValueKind.MAPPING}.get(text[start], ValueKind.SCALAR)
    if kind is ValueKind.SCALAR or path is None:
        return ValueNode(kind, start, _value_end(text, start), bracketed=kind is not ValueKind.SCALAR)
    members: list[Member] = []
    position = _end_of(SKIP, text, start + 1)
    while text[position] not in "]}":
        members.append(
            _item(text, position) if kind is ValueKind.LIST else _inline_entry(text, position, path)
        )
        position = _end_of(SKIP, text, members[-1].end)
        if text[position] == ",":
            position = _end_of(SKIP, text, position + 1)
    return ValueNode(kind, start, position + 1, tuple(members), bracketed=True)


def _item(text: str, start: int) -> Member:
    node = _value(text, start, None)
    return Member(None, start, start, node, node.end)


def _inline_entry(text: str, start: int, path: Path) -> Member:
    keys, end = _key_at(text, start)
    node = _value(text, _end_of(_EQUALS, text, end), _path_into(path, keys[0]))
    if len(keys) > 1:
        node = ValueNode(ValueKind.OPAQUE, node.start, node.end)
    return Member(keys[0], start, end, node, node.end)


def _path_into(path: Path | None, key: str | int) -> Path | None:
    return path[1:] if path and path[0] == key else None


def _table(
    text: str, address: Address, statements: tuple[TomlStatement, ...], path: Path | None
) -> ValueNode:
    groups, depth = dict[str | int, list[TomlStatement]](), len(address)
    for statement in statements:
        if len(statement.address) > depth:
            groups.setdefault(statement.address[depth], []).append(statement)
    kind = ValueKind.LIST if any(isinstance(key, int) for key in groups) else ValueKind.MAPPING
    start, end = (statements[0].start, statements[-1].end) if statements else (len(text), len(text))
    if path is None:
        return ValueNode(kind, start, end, note=TomlTable(address, statements))
    inside = ((key, tuple(group), _path_into(path, key)) for key, group in groups.items())
    members = tuple(_member(text, (*address, key), group, rest) for key, group, rest in inside)
    return ValueNode(kind, start, end, members, note=TomlTable(address, statements))


def _member(text: str, address: Address, group: tuple[TomlStatement, ...], path: Path | None) -> Member:
    first, last, key = group[0], group[-1], address[-1]
    name = key if isinstance(key, str) else None
    if first.value_start is not None and first.address == address:
        return Member(name, first.start, first.value_start, _value(text, first.value_start, path), first.end)
    key_end = first.end if first.address == address else first.start
    return Member(name, first.start, key_end, _table(text, address, group, path), last.end)


def value_of(document: Document, node: ValueNode) -> object:
    """The value at a node."""
    text, place = document.text, node.note
    if node.kind is ValueKind.OPAQUE:
        return UNKNOWN
    if not isinstance(place, TomlTable):
        return tomllib.loads(f"x = {text[node.start : node.end]}")["x"]
    return _alone(text, place)


def _alone(text: str, place: TomlTable) -> object:
    # The statements of one table are a document of their own, in which it is the only one of its kind.
    table = place.statements[0].table
    header = [f"[{dotted(table)}]"] if is_dotted(place) and table else []
    parts = (text[part.start : part.end] for part in place.statements)
    found: Any = tomllib.loads("\n".join((*header, *parts)))
    for part in place.address:
        found = found[0 if isinstance(part, int) else part]
    return found


def is_dotted(place: TomlTable) -> bool:
    """Whether the table is written with dotted keys inside another one."""
    return bool(place.statements) and len(place.statements[0].table) < len(place.address)


def dotted(address: Address) -> str:
    """The address as a key."""
    return ".".join(key_text(part) for part in address if isinstance(part, str))


def key_text(key: str) -> str:
    """The key, in quotes if it needs them."""
    return key if _BARE.fullmatch(key) else string_text(key)


def string_text(text: str) -> str:
    """The text as a string on one line."""
    if _SURROGATE.search(text):
        raise DocumentError("half a character cannot be written as TOML", remedy="correct the text")
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
