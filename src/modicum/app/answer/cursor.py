"""Where a page goes on: a cursor that knows what was shown, so that all pages together show everything once.

A cursor is read by models and paid for by the token, so it is short: numbers in runs, names as marks of four letters.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import NamedTuple

from modicum.base.errors import ModicumError

MOST_SEEN = 20_000  # more than any page lists; a cursor that names more was not written by us
_ALL, _NONE = "~", "_"
_WORD = re.compile(r"(\d{1,9})\.(_|[\w-]{2,99999})\.(~|_|(?:[\w-]{4})+)\.(_|[\w-]{2,})", re.ASCII)


class PagePosition(NamedTuple):
    """The start of a page: a cursor of the store, and what was `seen` behind it already.

    A page fills up with what still fits, so that what was shown need not be the beginning of a list.
    `aside` marks what of the rest (pins, sessions, prompts) is still to come: None at the start, when all of it is.
    """

    cursor: str = ""
    seen: tuple[int, ...] = ()
    aside: tuple[str, ...] | None = None
    shown: int = 0  # on the pages before

    def advance(self, listed: Sequence[int], done: Iterable[int], following: str) -> "PagePosition | None":
        """The place after some of a list are done; None at its end. `following` is the store's cursor behind it."""
        seen = (*self.seen, *done)
        if not set(seen).issuperset(listed):
            return self._replace(seen=seen)
        return self._replace(cursor=following, seen=()) if following else None


def mark(key: str) -> str:
    """Four letters that stand for a key."""
    return urlsafe_b64encode(blake2b(key.encode("utf-8", "replace"), digest_size=3).digest()).decode()


def write_place(place: PagePosition) -> str:
    """The place as one word that nobody needs to understand."""
    aside = _ALL if place.aside is None else "".join(place.aside)
    parts = (part or _NONE for part in (_packed(place.seen), aside, place.cursor))
    return ".".join((str(place.shown), *parts))


def read_place(word: str) -> PagePosition:
    """The place that `write_place` wrote; an empty word is the beginning."""
    if not word:
        return PagePosition()
    match = _WORD.fullmatch(word)
    try:
        if match is None:
            raise ValueError
        shown, seen, aside, cursor = ("" if part == _NONE else part for part in match.groups())
        marks = None if aside == _ALL else tuple(aside[at : at + 4] for at in range(0, len(aside), 4))
        return PagePosition(cursor, _unpacked(seen), marks, int(shown))
    except ValueError:
        remedy = "take it from `next` of the page before, or leave it out to begin at the first page"
        raise ModicumError("this is no cursor of ours", remedy=remedy) from None


def _packed(numbers: Iterable[int]) -> str:
    """Numbers as runs of neighbours: how far to the next run (doubled, and one more if it is longer than one number)."""
    data, last = bytearray(), 0
    for first, length in _runs(numbers):
        data += _varint(2 * (first - last) + (length > 1))
        if length > 1:
            data += _varint(length)
        last = first + length - 1
    return urlsafe_b64encode(data).decode().rstrip("=")


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    for _, group in groupby(enumerate(sorted(set(numbers))), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        yield run[0], len(run)


def _varint(number: int) -> bytes:
    digits = bytearray()
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes((*digits, number))


def _unpacked(word: str) -> tuple[int, ...]:
    numbers: list[int] = []
    values, last = _varints(urlsafe_b64decode(word + "=" * (-len(word) % 4))), 0
    for value in values:
        length = next(values, 0) if value & 1 else 1
        if not 0 < length <= MOST_SEEN - len(numbers):
            raise ValueError
        first = last + (value >> 1)
        numbers += range(first, first + length)
        last = first + length - 1
    return tuple(numbers)


def _varints(data: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0
    if shift:
        raise ValueError
