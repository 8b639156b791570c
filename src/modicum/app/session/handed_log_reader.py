"""Reads the handed log, of what agents were handed: the latest lines, those since a place in it, and sums of each day."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from modicum.app.session.handed_log import ENDING, FOLDER, MOST_DAY_BYTES, MOST_DAYS

BYTES_PER_TOKEN = 4  # about, where nobody has counted
_FULL = MOST_DAY_BYTES - 8_192  # a longer line than the rest would not have been written


class HandedLine(msgspec.Struct, frozen=True):
    """A line that was read from the handed log: one text, to which agent, how large."""

    at: str = ""
    door: str = ""
    to: str = ""
    what: str = ""
    project: str = ""
    bytes: int = 0
    tokens: int | None = None
    notes: tuple[int | str, ...] = ()
    is_remote: bool = False

    @property
    def cost(self) -> int:
        """Returns the tokens that a line read from the handed log has, or about as many as its bytes make."""
        return -(-self.bytes // BYTES_PER_TOKEN) if self.tokens is None else self.tokens


class HandedDay(NamedTuple):
    """The sums of one day as read from the handed log: what agents were handed, by door, and in all."""

    day: str
    times: int = 0
    tokens: int = 0
    notes: int = 0
    by_door: tuple[tuple[str, int], ...] = ()  # tokens
    is_counted: bool = True  # else some tokens are estimated
    is_full: bool = False  # no more lines were written


class LogPlace(NamedTuple):
    """A place from which the handed log is read on: a day and a number of bytes of its file."""

    day: str = ""
    offset: int = 0

    def __str__(self) -> str:
        return f"{self.day}:{self.offset}"


def parse_place(text: str) -> LogPlace:
    """Parses a place from which to read the handed log; whatever is no place is its beginning."""
    day, _, offset = text.partition(":")
    is_place = len(day) == 10 and offset.isascii() and offset.isdigit() and len(offset) < 12
    return LogPlace(day, int(offset)) if is_place else LogPlace()


def end_of_log(data: Path) -> LogPlace:
    """Returns the place up to which the handed log can be read now."""
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    try:
        return LogPlace(today, (data / FOLDER / f"{today}{ENDING}").stat().st_size)
    except OSError:
        return LogPlace(today)


def handed_between(data: Path, after: LogPlace, until: LogPlace, limit: int) -> tuple[HandedLine, ...]:
    """Reads the lines of the handed log between two places, the newest first; at most as many as the limit."""
    found: list[HandedLine] = []
    for day in reversed(_days(data)):
        if day < after.day or len(found) >= limit:
            break
        start = after.offset if day == after.day else 0
        end = until.offset if day == until.day else 0 if day > until.day else None
        found += reversed(_lines(_read(data, day)[start:end]))
    return tuple(found[:limit])


def handed_by_day(data: Path) -> tuple[HandedDay, ...]:
    """Reads the handed log and returns the sums of every day that it has, the newest first."""
    return tuple(_sums_of(data, day, _size(data, day)) for day in reversed(_days(data)))


def notes_handed(data: Path) -> frozenset[int | str]:
    """Reads the handed log and returns the notes that agents were handed, by public id or number."""
    lines = (line for day in _days(data) for line in _lines(_read(data, day)))
    return frozenset(name for line in lines if not line.is_remote for name in line.notes)


@lru_cache(maxsize=4 * MOST_DAYS)
def _sums_of(data: Path, day: str, size: int) -> HandedDay:
    """The sums of one day; the size of its file is here because the sums change with it."""
    lines = _lines(_read(data, day)[:size])
    doors: dict[str, int] = {}
    for line in lines:
        doors[line.door] = doors.get(line.door, 0) + line.cost
    return HandedDay(
        day,
        len(lines),
        sum(doors.values()),
        sum(len(line.notes) for line in lines),
        tuple(sorted(doors.items())),
        all(line.tokens is not None for line in lines),
        size > _FULL,
    )


def _days(data: Path) -> list[str]:
    try:
        names = [
            path.name.removesuffix(ENDING) for path in (data / FOLDER).iterdir() if path.suffix == ENDING
        ]
    except OSError:
        return []
    return sorted(name for name in names if len(name) == 10)[-MOST_DAYS:]


def _read(data: Path, day: str) -> bytes:
    try:
        with (data / FOLDER / f"{day}{ENDING}").open("rb") as file:
            return file.read(2 * MOST_DAY_BYTES)
    except OSError:
        return b""


def _size(data: Path, day: str) -> int:
    try:
        return (data / FOLDER / f"{day}{ENDING}").stat().st_size
    except OSError:
        return 0


def _lines(text: bytes) -> Sequence[HandedLine]:
    """The lines of a file; one that is cut off, or that somebody has broken, is left out."""
    return tuple(_parsed(text.splitlines()))


def _parsed(lines: Sequence[bytes]) -> Iterator[HandedLine]:
    for line in lines:
        try:
            yield _DECODER.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue


_DECODER = msgspec.json.Decoder(HandedLine)
