"""Reads and writes the files of AI tools on the disk: whole or not at all, and without breaking links."""

import contextlib
import errno
import os
from pathlib import Path

from modicum.base.bounded import read_bounded
from modicum.base.files import code_of, held, in_words, new_content, resolve, settle, write_own
from modicum.targets.change import Existing

__all__ = [
    "code_of",
    "has_other_names",
    "held",
    "in_words",
    "make_folders",
    "new_content",
    "overwrite",
    "read",
    "refuse_read_only",
    "remove_folders",
    "resolve",
    "settle",
    "write_own",
]

_MAX_BYTES = 100 * 1024 * 1024  # tools keep their history in some settings files


def read(path: str | Path) -> Existing:
    """Returns what a tool's file on the disk holds now, every byte of it; no text if there is no file."""
    with in_words(str(path)):
        try:
            return Existing(read_bounded(path, _MAX_BYTES).decode("utf-8", "surrogateescape"))
        except FileNotFoundError:
            return Existing(None)


def refuse_read_only(path: Path) -> None:
    """Raises PermissionError for a read-only file on the disk, which a rename would replace all the same."""
    with contextlib.suppress(FileNotFoundError):
        if not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "the file is read-only")


def has_other_names(path: Path) -> bool:
    """Returns True if a file on the disk has more hard links than this one."""
    return path.exists() and path.stat().st_nlink > 1


def overwrite(path: Path, data: bytes) -> None:
    """Writes into a target's file on the disk in place, so that its hard links stay; not safe against a power failure."""
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def make_folders(folder: Path, register: Path) -> None:
    """Makes a folder on the disk and those above it, and notes each one, so that it can be removed again."""
    missing = [step for step in (folder, *folder.parents) if not step.exists()]
    for step in reversed(missing):
        register.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Not under a lock, as two files may need one folder: that the note is there is all that counts.
        (register / code_of(str(step))).write_bytes(os.fsencode(step))
        step.mkdir(exist_ok=True)


def remove_folders(folder: Path, register: Path) -> None:
    """Removes a folder from the disk and those above it, as far as we made them and they are empty."""
    for step in (folder, *folder.parents):
        note = register / code_of(str(step))
        if not note.exists():
            if step.exists():
                return
            continue  # a run that was killed had got this far
        try:
            step.rmdir()
        except FileNotFoundError:
            pass
        except OSError:
            return
        note.unlink(missing_ok=True)
