"""Scans YAML settings: finds where each value stands in the text, from the marks of the parser. Pure."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from modicum.base.value import Value
from modicum.targets.settings.spans import (
    MAX_DEPTH,
    UNKNOWN,
    Document,
    DocumentError,
    Member,
    ValueKind,
    ValueNode,
    failure,
    newline_of,
)

Event = Any  # of yaml.events, whose types are told apart by name so that yaml is imported late

_PLAIN = re.compile(r"[A-Za-z_/][A-Za-z0-9_./@+-]*")
# Words that YAML 1.1 or 1.2 reads as something other than text.
_NOT_TEXT = re.compile(r"(?i:y|n|yes|no|on|off|true|false|null)")
_OPENERS = {"MappingStartEvent": ValueKind.MAPPING, "SequenceStartEvent": ValueKind.LIST}
_CLOSERS = {"MappingEndEvent", "SequenceEndEvent"}
_LEAVES = {"ScalarEvent", "AliasEvent"}


class Scalar(Value):
    """A scalar in YAML settings, as the parser described it."""

    text: str
    tag: str | None
    implicit: tuple[bool, bool]


class _Frame:
    """A collection that is still open."""

    def __init__(self, kind: ValueKind, start: int, *, bracketed: bool, path: tuple[str, ...] | None) -> None:
        self.kind, self.start, self.bracketed = kind, start, bracketed
        self.path = path  # the rest of the path from here; None beside the path
        self.nodes: list[ValueNode] = []
        self.last: ValueNode | Event | None = None  # beside the path only the end of the text counts


def parse(text: str, path: tuple[str, ...]) -> Document:
    """Scans YAML settings for the spans of the values along a path; a blank text has a vacant root."""
    frames, anchors = [_Frame(ValueKind.VACANT, 0, bracketed=False, path=path)], list[int]()
    for event in _events(text):
        name = type(event).__name__
        if name == "DocumentStartEvent" and frames[0].nodes:
            raise failure(
                text, event.start_mark.index, "a second document", remedy="keep one document in the file"
            )
        if getattr(event, "anchor", None) is not None:
            anchors.append(event.start_mark.index)
        _take(text, frames, name, event)
    found = frames[0].nodes
    blank = ValueNode(ValueKind.VACANT, len(text), len(text))
    root = blank if not found or found[0].kind is ValueKind.VACANT else found[0]
    return Document(text, root, newline_of(text), tuple(anchors))


def _loader() -> Any:  # noqa: ANN401 (one of two unrelated classes)
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _events(text: str) -> Iterator[Event]:
    import yaml

    try:
        yield from yaml.parse(text, Loader=_loader())
    except yaml.YAMLError as error:
        raise _malformed(text, error) from error


def _malformed(text: str, error: Exception) -> DocumentError:
    mark = getattr(error, "problem_mark", None)
    index = mark.index if mark else getattr(error, "position", 0)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    return failure(
        text, min(index, len(text)), f"this is not YAML: {problem}", remedy="correct the YAML there"
    )


def _take(text: str, frames: list[_Frame], name: str, event: Event) -> None:
    if name in _LEAVES:
        _add(frames[-1], event if frames[-1].path is None else _leaf(event))
    elif name in _OPENERS:
        if len(frames) > MAX_DEPTH:
            problem = f"nested deeper than {MAX_DEPTH} levels"
            raise failure(text, event.start_mark.index, problem, remedy="flatten the file")
        frames.append(_opened(frames[-1], _OPENERS[name], event))
    elif name in _CLOSERS:
        frame = frames.pop()
        _add(frames[-1], _closed(text, frame, event.end_mark.index))


def _add(frame: _Frame, node: ValueNode | Event) -> None:
    frame.last = node
    if frame.path is not None:
        frame.nodes.append(node)


def _opened(outer: _Frame, kind: ValueKind, event: Event) -> _Frame:
    # What is shared or has a type of its own is not edited.
    is_special = event.anchor is not None or event.tag is not None
    start, bracketed = event.start_mark.index, bool(event.flow_style)
    path = None if is_special else _path_into(outer)
    return _Frame(ValueKind.OPAQUE if is_special else kind, start, bracketed=bracketed, path=path)


def _path_into(outer: _Frame) -> tuple[str, ...] | None:
    if outer.kind is ValueKind.VACANT or not outer.path:
        return outer.path if outer.kind is ValueKind.VACANT else None
    is_value = outer.kind is ValueKind.MAPPING and len(outer.nodes) % 2 == 1
    return outer.path[1:] if is_value and _key_of(outer.nodes[-1]) == outer.path[0] else None


def _leaf(event: Event) -> ValueNode:
    start, end = event.start_mark.index, event.end_mark.index
    if type(event).__name__ == "AliasEvent":
        return ValueNode(ValueKind.OPAQUE, start, end)
    kind = ValueKind.OPAQUE if event.anchor is not None else ValueKind.SCALAR
    if start == end:
        kind = ValueKind.VACANT
    return ValueNode(kind, start, end, note=Scalar(event.value, event.tag, event.implicit))


def _closed(text: str, frame: _Frame, end: int) -> ValueNode:
    last = frame.last if frame.last is None or isinstance(frame.last, ValueNode) else _leaf(frame.last)
    if not frame.bracketed:
        # The parser ends a block where the next token starts; its text ends with its last value.
        end = last.end if last else frame.start
    members = _MEMBERS[frame.kind](text, frame)
    kind = ValueKind.OPAQUE if any(map(_is_merge, frame.nodes[::2])) else frame.kind
    leaf = last.note if last and not frame.bracketed else None
    return ValueNode(kind, frame.start, end, members, frame.bracketed, leaf)


def _is_merge(key: ValueNode) -> bool:
    return isinstance(key.note, Scalar) and key.note.text == "<<" and key.note.implicit[0]


def _entries(text: str, frame: _Frame) -> tuple[Member, ...]:
    pairs = zip(frame.nodes[::2], frame.nodes[1::2], strict=True)
    return tuple(
        Member(_key_of(key), key.start, key.end, value, max(key.end, value.end)) for key, value in pairs
    )


def _items(text: str, frame: _Frame) -> tuple[Member, ...]:
    if frame.bracketed:
        return tuple(Member(None, item.start, item.start, item, item.end) for item in frame.nodes)
    column = column_of(text, frame.start)
    dashes = [_dash(text, item.start, column) for item in frame.nodes]
    return tuple(
        Member(None, dash, dash + 1, item, item.end) for dash, item in zip(dashes, frame.nodes, strict=True)
    )


def _none(text: str, frame: _Frame) -> tuple[Member, ...]:
    return ()


_MEMBERS = {ValueKind.MAPPING: _entries, ValueKind.LIST: _items, ValueKind.OPAQUE: _none}


def column_of(text: str, index: int) -> int:
    """Returns the column in its line at which an index of YAML settings stands."""
    return index - text.rfind("\n", 0, index) - 1


def _dash(text: str, index: int, column: int) -> int:
    line = text.rfind("\n", 0, index) + 1
    while text[line + column : line + column + 1] != "-" or line + column > index:
        line = text.rfind("\n", 0, line - 1) + 1
    return line + column


def _key_of(node: ValueNode) -> str | None:
    if node.kind not in (ValueKind.SCALAR, ValueKind.OPAQUE) or not isinstance(node.note, Scalar):
        return None
    # Most keys are plain words, which need no resolver.
    value = node.note.text if is_plain_text(node.note.text) else _scalar_value(node.note)
    return value if isinstance(value, str) else None


def is_plain_text(text: str) -> bool:
    """Returns True if every YAML reader takes this text, without quotes, for a string."""
    return bool(_PLAIN.fullmatch(text)) and not _NOT_TEXT.fullmatch(text)


def _scalar_value(scalar: Scalar) -> object:
    import yaml

    resolver, constructor = _interpreters()
    node = yaml.ScalarNode(
        scalar.tag or resolver.resolve(yaml.ScalarNode, scalar.text, scalar.implicit), scalar.text
    )
    try:
        return constructor.construct_object(node)
    except (yaml.YAMLError, ValueError):
        return UNKNOWN


@cache
def _interpreters() -> tuple[Any, Any]:
    from yaml.constructor import SafeConstructor
    from yaml.resolver import Resolver

    return Resolver(), SafeConstructor()


def read(text: str) -> object:
    """Returns the parsed value of YAML settings; an empty object for a blank text."""
    if parse(text, ()).root.kind is ValueKind.VACANT:
        return {}
    return _loaded(text)


def _loaded(text: str) -> object:
    import yaml

    try:
        return yaml.load(text, Loader=_loader())  # noqa: S506, the loader is a safe one
    except (yaml.YAMLError, ValueError) as error:
        raise _malformed(text, error) from error


def value_of(document: Document, node: ValueNode) -> object:
    """Returns the value at a node of YAML settings; a value equal to no other if its text does not say it."""
    if node.kind in (ValueKind.SCALAR, ValueKind.VACANT) and isinstance(node.note, Scalar):
        return _scalar_value(node.note)
    # With its first line as far right as it stands, so that all lines of a block agree.
    text = " " * column_of(document.text, node.start) + document.text[node.start : node.end]
    try:
        return _loaded(text)
    except DocumentError:
        return UNKNOWN
