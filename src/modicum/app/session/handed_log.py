"""The log of what agents were handed: a file for each day, a line for each text; without the text itself."""

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress

from modicum.base.named_tuple import NamedTuple
from modicum.memory.names import PUBLIC_MARK

FOLDER = "handed"
ENDING = ".jsonl"
MOST_DAY_BYTES = 524_288
MOST_DAYS = 30
LONGEST_NAME = 60
MOST_NOTES = 100
MEASURED = "measured"  # why a session starts that is none: only the size of what it would be handed is wanted


class Handed(NamedTuple):
    """An entry for the handed log: a text, through which door, to whom, at what, how large, and with which notes.

    `tokens` is None where nobody has counted them: a hook has no time for it.
    """

    door: str
    to: str
    what: str
    project: str = ""
    bytes: int = 0
    tokens: int | None = None
    notes: tuple[int | str, ...] = ()  # their public ids, or the numbers that a hook has
    is_remote: bool = False  # the notes are those of another server's memory


def log_handed(data: str, handed: Handed) -> None:
    """Adds a text that an agent was handed as a line to the handed log of the day; ignores errors in doing so."""
    now = time.gmtime()
    names = {name: _name(getattr(handed, name)) for name in ("door", "to", "what", "project")}
    row = {"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", now), **handed._asdict(), **names}
    row["notes"] = handed.notes[:MOST_NOTES]
    line = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
    with suppress(OSError, ValueError):  # the latter: a folder that no file system can have
        _append(f"{data}/{FOLDER}", time.strftime("%Y-%m-%d", now), line)


def notes_in(data: Mapping[str, object] | None) -> tuple[str, ...]:
    """Returns the ids of the notes in a JSON reply, for the handed log: those of its items, or its own."""
    if not data:
        return ()
    items = data.get("items")
    found = map(_note, [*(items if isinstance(items, list) else []), data])
    return tuple(dict.fromkeys(filter(None, found)))


def _note(item: object) -> str:
    """The public id of a note that stands for itself in a list, or that a record has; "" if it is no note's."""
    if isinstance(item, Mapping):
        return _note(item.get("key", item.get("id")))
    word = str(item).removeprefix("note:")
    return word if word.startswith(PUBLIC_MARK) else ""


def _name(value: object) -> str:
    """A name on one line, without characters that are not seen; it may come from a stranger."""
    return "".join(letter for letter in str(value)[:LONGEST_NAME] if letter.isprintable())


def _append(folder: str, day: str, line: bytes) -> None:
    path = f"{folder}/{day}{ENDING}"
    if not os.path.exists(path):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        _forget_oldest(folder)
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    try:
        if os.fstat(file).st_size + len(line) <= MOST_DAY_BYTES:
            os.write(file, line)  # in one piece, so that two processes do not mix their lines
    finally:
        os.close(file)


def _forget_oldest(folder: str) -> None:
    days = sorted(name for name in os.listdir(folder) if name.endswith(ENDING))
    for name in days[: max(0, len(days) - MOST_DAYS + 1)]:
        with suppress(OSError):
            os.unlink(f"{folder}/{name}")
