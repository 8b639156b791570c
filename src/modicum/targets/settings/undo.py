"""What an edit of a settings file takes and hands back: plain values, undo records, outcomes."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from modicum.base.value import Value, as_dict
from modicum.targets.settings.spans import MAX_DEPTH, DocumentError, InsertedText

Path = tuple[str, ...]


class Undo(Value):
    """What an edit put in, so that exactly that can be taken out."""

    path: Path
    value: object
    is_item: bool  # the value is an item of the list at the path
    created: int  # how many containers on the way to the value were new
    glue: InsertedText
    old: str | None = None  # the text that the value took the place of

    def as_json(self) -> dict[str, object]:
        """The record in types that JSON has."""
        return {**as_dict(self), "path": list(self.path), "glue": as_dict(self.glue)}


class Edit(Value):
    """The new text, and how to undo it; no record if the text was right already."""

    text: str
    undo: Undo | None


class UndoOutcome(StrEnum):
    """How an undo went."""

    RESTORED = "restored"
    GONE = "gone"  # what was put in is not there any more
    CHANGED_BY_USER = "changed_by_user"  # it is there with another value, and stays


class Undone(Value):
    """The text after an undo, and how it went."""

    text: str
    outcome: UndoOutcome


def undo_from(data: Mapping[str, object]) -> Undo:
    """The record that `Undo.as_json` wrote."""
    try:
        match data:
            case {"path": [*keys], "value": value, "is_item": bool(is_item), "created": int(created)}:
                path = tuple(str(key) for key in keys)
                return Undo(
                    path, value, is_item, created, _glue_from(data.get("glue")), _old_from(data.get("old"))
                )
    except TypeError:
        pass
    raise DocumentError("this is not an undo record", remedy="remove the entry without a record")


def _glue_from(data: object) -> InsertedText:
    if not isinstance(data, Mapping):
        raise TypeError(data)
    return InsertedText(**data)


def _old_from(data: object) -> str | None:
    if data is None or isinstance(data, str):
        return data
    raise TypeError(data)


def plain(value: object, depth: int = 0) -> object:
    """The value in types that every format has."""
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
    """Whether two values are the same in a settings file."""
    # Python calls 1, 1.0 and True equal; a settings file does not.
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other
