"""Where a page goes on: a cursor that knows what was shown, so that all pages together show everything once."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from modicum.errors import ModicumError

Kind = TypeVar("Kind", int, str)


class Place(NamedTuple):
    """The start of a page: a cursor of the store, and what was `seen` behind it already.

    A page fills up with what still fits, so that what was shown need not be the beginning of a list.
    `aside` is what of the rest (pins, sessions, prompts) is still to come: None at the start, when all of it is.
    """

    cursor: str = ""
    seen: tuple[int, ...] = ()
    aside: tuple[str, ...] | None = None
    shown: int = 0  # on the pages before

    def advance(self, listed: Sequence[int], done: Iterable[int], following: str) -> "Place | None":
        """The place after some of a list are done; None at its end. `following` is the store's cursor behind it."""
        seen = (*self.seen, *done)
        if not set(seen).issuperset(listed):
            return self._replace(seen=seen)
        return self._replace(cursor=following, seen=()) if following else None


def write_place(place: Place) -> str:
    """The place as one word that nobody needs to understand."""
    return urlsafe_b64encode(json.dumps(place, separators=(",", ":")).encode()).decode().rstrip("=")


def read_place(word: str) -> Place:
    """The place that `write_place` wrote; an empty word is the beginning."""
    if not word:
        return Place()
    try:
        padded = word.encode("ascii") + b"=" * (-len(word) % 4)
        cursor, seen, aside, shown = json.loads(urlsafe_b64decode(padded))
        return Place(
            _text(cursor), _all(int, seen), None if aside is None else _all(str, aside), _number(shown)
        )
    except (ValueError, TypeError, RecursionError):
        remedy = "take it from `next` of the page before, or leave it out to begin at the first page"
        raise ModicumError("this is no cursor of ours", remedy=remedy) from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: object) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _all(kind: type[Kind], values: object) -> tuple[Kind, ...]:
    if not isinstance(values, list) or not all(type(value) is kind for value in values):
        raise TypeError
    return tuple(values)
