"""The files of memory itself: where they are, for commands that write or read other files and must not meet these."""

import os
from contextlib import suppress
from pathlib import Path

from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.paths import MEMORY_FILE, POSTGRES

COMPANIONS = ("", "-wal", "-shm")  # the files of one SQLite database
_NAMES = (*COMPANIONS, "-journal")


def memory_place(config: Config) -> str:
    """Returns where memory is: the path of its file, or the URL of a PostgreSQL database."""
    place = config.database or str(config.data / MEMORY_FILE)
    return place if place.startswith(POSTGRES) else place.removeprefix("sqlite://")


def refuse_memory(config: Config, target: Path) -> None:
    """Raises ModicumError if what is to be written would replace a file of memory itself, whatever it is called here."""
    place = memory_place(config)
    if not place.startswith(POSTGRES) and any(is_same(target, Path(place + end)) for end in _NAMES):
        raise ModicumError(f"{target}: this is memory itself", remedy="give another file")


def is_same(one: Path, other: Path) -> bool:
    """Returns True if two paths lead to the same file of memory, also if it is not there yet."""
    with suppress(OSError):  # one of them is not there
        return one.samefile(other)
    return os.path.realpath(one) == os.path.realpath(other)
