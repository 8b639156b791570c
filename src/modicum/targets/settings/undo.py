"""Undo records of edits in settings files: what was put in, the record as JSON, and how an undo went."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, TypedDict

from modicum.base.value import Value, as_dict
from modicum.targets.settings.spans import MAX_DEPTH, DocumentError, InsertedText

Path = tuple[str, ...]


class Undo(Value):
    """The undo record of an edit in a settings file: what was put in, so that exactly that can be taken out."""

    path: Path
    value: object
    is_item: bool  # the value is an item of the list at the path
    created: int  # how many containers on the way to the value were new
    glue: InsertedText
    old: str | None = None  # the text that the value took the place of

    def as_json(self) -> dict[str, object]:
        """Returns the undo record in types that JSON has."""
        return {**as_dict(self), "path": list(self.path), "glue": as_dict(self.glue)}


class Edit(Value):
    """An edit that can be undone: the new text of a settings file, and its undo record; none if the text was right already."""

    text: str
    undo: Undo | None


class UndoOutcome(StrEnum):
    """The outcome of an undo in a settings file."""

    RESTORED = "restored"
    GONE = "gone"  # what was put in is not there any more
    CHANGED_BY_USER = "changed_by_user"  # it is there with another value, and stays


class Undone(Value):
    """The text of a settings file after an undo, and the outcome of the undo."""

    text: str
    outcome: UndoOutcome


class _GlueRow(TypedDict):
    lead: str
    tail: str
    gap: str
    alone: bool


class _UndoRow(TypedDict):
    """An undo record as JSON has it."""

    path: tuple[str, ...]
    value: Any
    is_item: bool
    created: int
    glue: _GlueRow
    old: str | None


def undo_from(data: Mapping[str, object]) -> Undo:
    """Returns the undo record that `Undo.as_json` wrote; raises DocumentError for anything else."""
    import msgspec

    try:
        row = msgspec.convert(data, _UndoRow)
    except msgspec.ValidationError as error:
        problem = f"this is not an undo record: {error}"
        raise DocumentError(problem, remedy="remove the entry without a record") from error
    return Undo(
        row["path"], row["value"], row["is_item"], row["created"], InsertedText(**row["glue"]), row["old"]
    )


def plain(value: object, depth: int = 0) -> object:
    """Returns the value for an undo record in types that every format has; raises DocumentError if there is none."""
    if depth > MAX_DEPTH:
        raise DocumentError(f"the value is nested deeper than {MAX_DEPTH} levels", remedy="flatten the value")
    if isinstance(value, Mapping):
        return {_key(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(item, depth + 1) for item in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise DocumentError(
        f"a {type(value).__name__} cannot be written to a settings file", remedy="use plain values"
    )


def _key(key: object) -> str:
    if isinstance(key, str):
        return key
    raise DocumentError(f"the key {key!r} is not text", remedy="use text for keys")


def same(one: object, other: object) -> bool:
    """Returns True if two values are the same for an undo in a settings file: 1, 1.0 and true are not."""
    # Python calls 1, 1.0 and True equal; a settings file does not.
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and (one == other or (one != one and other != other))
