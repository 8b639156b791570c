"""Edits settings files in any format as text: entries and list items are set, removed and undone, the rest
stays.

Every edit returns the new text and an undo record. The record is small, can be kept as JSON, and takes out exactly
what was put in, also after the file was changed elsewhere. Undo records in reverse order.
"""

from typing import Protocol

from modicum.base.value import Value, replace
from modicum.targets.settings import jsonc, toml_tables, yaml_edit
from modicum.targets.settings.spans import (
    Document,
    DocumentError,
    InsertedText,
    Insertion,
    Member,
    Splice,
    ValueKind,
    ValueNode,
    failure,
    splice,
    surrounds,
)
from modicum.targets.settings.undo import Edit, Path, Undo, Undone, UndoOutcome, plain, same, undo_from

__all__ = [
    "FORMATS",
    "DocumentError",
    "Edit",
    "Path",
    "Undo",
    "UndoOutcome",
    "Undone",
    "add_item",
    "read",
    "remove_entry",
    "remove_item",
    "set_entry",
    "undo",
    "undo_from",
]

_BYTE_ORDER_MARK = "\ufeff"
# What may stand between a container and its only member if nobody wrote anything else there.
_PUNCTUATION = " \t\r\n{}[],:=-"


class Format(Protocol):
    """The functions that edit settings files of one format: parse, read, insert, replace, remove."""

    def parse(self, text: str, path: Path) -> Document: ...
    def read(self, text: str) -> object: ...
    def value_of(self, document: Document, node: ValueNode) -> object: ...
    def insert(self, document: Document, node: ValueNode, key: str | None, value: object) -> Insertion: ...
    def replace(self, document: Document, node: ValueNode, value: object) -> Insertion: ...
    def remove(
        self, document: Document, node: ValueNode, index: int, glue: InsertedText | None
    ) -> tuple[Splice, ...]: ...
    def outline(self, document: Document, member: Member) -> object: ...


FORMATS: dict[str, Format] = {"json": jsonc, "jsonc": jsonc, "yaml": yaml_edit}
TOML = "toml"  # has no spans: what is ours stands in tables at the end


class _Step(Value):
    """One step from the root down to a value."""

    container: ValueNode
    index: int

    @property
    def member(self) -> Member:
        return self.container.members[self.index]


class _Way(Value):
    """As far as the document goes along a path."""

    steps: tuple[_Step, ...]
    node: ValueNode
    missing: Path


def read(text: str, format: str) -> object:
    """Returns the parsed value of a settings file before editing, in any format; a blank text is an empty object."""
    body = text.removeprefix(_BYTE_ORDER_MARK)
    return toml_tables.read(body) if format == TOML else _format(format).read(body)


def set_entry(text: str, format: str, path: Path, value: object) -> Edit:
    """Edits a settings file so that the path holds the value; missing containers are created."""
    if format == TOML:
        mark, body = _without_mark(text)
        edit = toml_tables.append_table(body, path, value)
        return replace(edit, text=mark + edit.text)
    mark, language, document = _opened(text, format, path)
    wanted = plain(value)
    way = _way(document, path)
    record = Undo(path, wanted, False, max(0, len(way.missing) - 1), InsertedText())
    if way.missing:
        return _inserted(mark, language, document, way, record)
    if same(language.value_of(document, way.node), wanted):
        return Edit(text, None)
    return _replaced(mark, language, document, way, record)


def add_item(text: str, format: str, path: Path, value: object) -> Edit:
    """Edits a settings file: appends the value to the list at the path, unless an equal item is there."""
    if format == TOML:
        raise DocumentError("lists in TOML are not edited", remedy="use json, jsonc or yaml")
    mark, language, document = _opened(text, format, path)
    wanted = plain(value)
    way = _way(document, path)
    if _steps_to_item(language, document, path, wanted):
        return Edit(text, None)
    return _inserted(
        mark, language, document, way, Undo(path, wanted, True, len(way.missing), InsertedText())
    )


def remove_entry(text: str, format: str, path: Path) -> str:
    """Edits a settings file: removes an entry and the containers that become empty, without an undo record."""
    if format == TOML:
        mark, body = _without_mark(text)
        return mark + toml_tables.remove_table(body, path)
    mark, language, document = _opened(text, format, path)
    way = _way(document, path)
    # A key may be there more than once, and only its last place counts.
    while not way.missing:
        shorter = _without(language, document, way.steps, prune=len(path) - 1, glue=None)
        document = language.parse(shorter, path)
        way = _way(document, path)
    return mark + document.text


def remove_item(text: str, format: str, path: Path, value: object) -> str:
    """Edits a settings file: removes the equal item from a list, without an undo record."""
    mark, language, document = _opened(text, format, path)
    steps = _steps_to_item(language, document, path, plain(value))
    if steps is None:
        return text
    return mark + _without(language, document, steps, prune=len(path), glue=None)


def undo(text: str, format: str, record: Undo) -> Undone:
    """Takes one edit out of the text of a settings file again, by editing it: what the edit put in, and nothing else."""
    if format == TOML:
        mark, body = _without_mark(text)
        undone = toml_tables.take_out(body, record)
        return replace(undone, text=mark + undone.text)
    mark, language, document = _opened(text, format, record.path)
    steps = _steps(language, document, record)
    if steps is None:
        return Undone(text, UndoOutcome.GONE)
    if not same(language.value_of(document, steps[-1].member.node), record.value):
        return Undone(text, UndoOutcome.CHANGED_BY_USER)
    if record.old is not None:
        return Undone(mark + _put_back(language, document, steps[-1], record), UndoOutcome.RESTORED)
    restored = _without(language, document, steps, prune=record.created, glue=record.glue)
    return Undone(mark + restored, UndoOutcome.RESTORED)


def _opened(text: str, format: str, path: Path) -> tuple[str, Format, Document]:
    mark, body = _without_mark(text)
    language = _format(format)
    return mark, language, language.parse(body, path)


def _without_mark(text: str) -> tuple[str, str]:
    body = text.removeprefix(_BYTE_ORDER_MARK)
    return text[: len(text) - len(body)], body


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise DocumentError(f'unknown format "{name}"', remedy=f"use one of {', '.join((*FORMATS, TOML))}")
    return FORMATS[name]


def _way(document: Document, path: Path) -> _Way:
    if not path:
        raise DocumentError("the path to the setting is empty", remedy="name at least one key")
    node, steps = document.root, list[_Step]()
    for depth, key in enumerate(path):
        if node.kind not in (ValueKind.MAPPING, ValueKind.VACANT):
            raise _misfit(document, node, path[:depth], "an object")
        index = _last_index(node, key)
        if index is None:
            return _Way(tuple(steps), node, path[depth:])
        steps.append(_Step(node, index))
        node = node.members[index].node
    return _Way(tuple(steps), node, ())


def _last_index(node: ValueNode, key: str) -> int | None:
    return max((index for index, member in enumerate(node.members) if member.key == key), default=None)


def _misfit(document: Document, node: ValueNode, path: Path, wanted: str) -> DocumentError:
    name = ".".join(path) or "the document"
    problem = f"{name} is {node.kind.value}, not {wanted}"
    return failure(document.text, node.start, problem, remedy=f"make it {wanted}, or remove it")


def _inserted(mark: str, language: Format, document: Document, way: _Way, record: Undo) -> Edit:
    value = [record.value] if record.is_item and way.missing else record.value
    for key in reversed(way.missing[1:]):
        value = {key: value}
    insertion = language.insert(document, way.node, way.missing[0] if way.missing else None, value)
    text = splice(document.text, insertion.splices)
    _verify_value(language, document, text, way, record)
    return Edit(mark + text, replace(record, glue=insertion.glue))


def _replaced(mark: str, language: Format, document: Document, way: _Way, record: Undo) -> Edit:
    if way.node.kind is ValueKind.OPAQUE:
        raise _misfit(document, way.node, record.path, "a value of its own")
    insertion = language.replace(document, way.node, record.value)
    text = splice(document.text, insertion.splices)
    _verify_value(language, document, text, way, record)
    old = document.text[way.node.start : way.node.end]
    return Edit(mark + text, replace(record, glue=insertion.glue, old=old))


def _put_back(language: Format, document: Document, step: _Step, record: Undo) -> str:
    node, glue = step.member.node, record.glue
    start, end = node.start, node.end
    if surrounds(document.text, start, end, glue):
        start, end = start - len(glue.lead), end + len(glue.tail)
    text = splice(document.text, [Splice(start, end, record.old or "")])
    _verify(language, document, text, record.path, item=None)
    return text


def _verify(language: Format, before: Document, text: str, path: Path, *, item: int | None) -> Document:
    # The net under the formats: whatever they miss, a file is never damaged.
    try:
        after = language.parse(text, path)
    except DocumentError as error:
        raise _unsafe(path) from error
    (others, items), (new_others, new_items) = _others(language, before, path), _others(language, after, path)
    if others != new_others or (item is not None and not _differ_in_one(items, new_items, item)):
        raise _unsafe(path)
    return after


def _differ_in_one(one: list[object], other: list[object], index: int) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return [*longer[:index], *longer[index + 1 :]] == shorter


def _verify_value(language: Format, document: Document, text: str, way: _Way, record: Undo) -> None:
    item = len(way.node.members) if record.is_item and not way.missing else None
    after = _verify(language, document, text, record.path, item=item)
    steps = _steps(language, after, record)
    if not steps or not same(language.value_of(after, steps[-1].member.node), record.value):
        raise _unsafe(record.path)


def _unsafe(path: Path) -> DocumentError:
    problem = f"{'.'.join(path)} cannot be edited without a change to its neighbours"
    return DocumentError(problem, remedy="edit it by hand")


def _others(language: Format, document: Document, path: Path) -> tuple[list[object], list[object]]:
    """The neighbours along a path, and what is in the list at its end."""
    node, others = document.root, list[object]()
    for depth, key in enumerate(path):
        rest = (member for member in node.members if member.key != key)
        others += ((depth, member.key, language.outline(document, member)) for member in rest)
        index = _last_index(node, key)
        if index is None:
            return others, []
        node = node.members[index].node
    return others, [language.outline(document, member) for member in node.members]


def _steps(language: Format, document: Document, record: Undo) -> tuple[_Step, ...] | None:
    if record.is_item:
        return _steps_to_item(language, document, record.path, record.value)
    way = _way(document, record.path)
    return None if way.missing else way.steps


def _steps_to_item(
    language: Format, document: Document, path: Path, value: object
) -> tuple[_Step, ...] | None:
    way = _way(document, path)
    if way.missing or way.node.kind is ValueKind.VACANT:
        return None
    if way.node.kind is not ValueKind.LIST:
        raise _misfit(document, way.node, path, "a list")
    items = enumerate(way.node.members)
    found = [index for index, item in items if same(language.value_of(document, item.node), value)]
    return (*way.steps, _Step(way.node, found[-1])) if found else None


def _without(
    language: Format, document: Document, steps: tuple[_Step, ...], *, prune: int, glue: InsertedText | None
) -> str:
    level = len(steps) - 1
    top = level - prune
    while level > top and _holds_nothing_else(document.text, steps[level - 1].member, steps[level]):
        level -= 1
    # The glue was put around the outermost new container; further in there is none of it.
    known = glue if level == top else None
    text = splice(document.text, language.remove(document, steps[level].container, steps[level].index, known))
    keys = tuple(step.member.key for step in steps[: level + 1])
    path = tuple(key for key in keys if key is not None)
    _verify(language, document, text, path, item=steps[level].index if None in keys else None)
    return text


def _holds_nothing_else(text: str, outer: Member, step: _Step) -> bool:
    around = text[outer.key_end : step.member.start] + text[step.member.end : outer.end]
    return len(step.container.members) == 1 and not around.strip(_PUNCTUATION)
