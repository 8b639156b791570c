"""Cursors: one short word that says where the next page of a list begins."""

import re
from base64 import urlsafe_b64encode

from modicum.base.errors import WrongUsage
from modicum.base.hashes import blake2b
from modicum.base.named_tuple import NamedTuple

_NONE = "_"
# Where the store goes on may name a session, whose id has at most 600 bytes.
_WORD = re.compile(
    r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})\.(_|[\w-]{4})\.(_|[\w-]{4})\.(_|[\w-]{1,1000})", re.ASCII
)


class Cursor(NamedTuple):
    """A cursor: the next page begins after the first `done` items of the batch at `start` in the store.

    `last` marks the latest of them, so that what is new in front of it changes nothing; `stamp` marks the list.
    """

    shown: int = 0  # items on all pages before
    done: int = 0
    size: int = 0  # of the batch
    last: str = ""
    stamp: str = ""
    start: str = ""


def mark(text: str) -> str:
    """Returns four letters for a cursor, which stand for a key or a question."""
    return urlsafe_b64encode(blake2b(text.encode("utf-8", "replace"), digest_size=3).digest()).decode()


def write_cursor(cursor: Cursor) -> str:
    """Returns a cursor as one short word that a reader can hand back."""
    return ".".join(str(part) if part != "" else _NONE for part in cursor)


def next_batch(place: Cursor, shown: int, stamp: str, start: str) -> str:
    """Returns the cursor behind a batch that was shown to its end; "" if no batch begins at `start`."""
    return write_cursor(Cursor(place.shown + shown, stamp=stamp, start=start)) if start else ""


def read_cursor(word: str, stamp: str = "") -> Cursor:
    """Returns the cursor in a word ("": the first page); a `stamp` refuses cursors of other lists."""
    if not word:
        return Cursor()
    remedy = "take it from `next` of the page before, or leave it out to begin at the first page"
    match = _WORD.fullmatch(word)
    if match is None:
        raise WrongUsage("this is no cursor of ours", remedy=remedy)
    shown, done, size, *words = match.groups()
    cursor = Cursor(int(shown), int(done), int(size), *("" if each == _NONE else each for each in words))
    if stamp and cursor.stamp != stamp:
        raise WrongUsage("this is a cursor of another list", remedy=remedy)
    return cursor
