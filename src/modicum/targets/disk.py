"""Files of other people: read them, replace them whole or not at all, and say in words what is in the way."""

import contextlib
import errno
import os
import stat
from pathlib import Path

from modicum.base.errors import ModicumError
from modicum.base.files import code_of, held, in_words, resolve, settle, stage, write_own
from modicum.targets.change import Existing

__all__ = [
    "code_of",
    "held",
    "in_words",
    "make_folders",
    "read",
    "refuse_read_only",
    "remove_folders",
    "resolve",
    "settle",
    "stage",
    "write_own",
]


def read(path: str | Path) -> Existing:
    """What is there now, every byte of it."""
    path = Path(path)
    with in_words(str(path)):
        try:
            mode = path.stat().st_mode
        except FileNotFoundError:
            return Existing(None)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            # Reading a pipe or a device may never end.
            raise ModicumError(f"{path}: is not a file", remedy="move it away, or leave this tool out")
        return Existing(path.read_bytes().decode("utf-8", "surrogateescape"))


def refuse_read_only(path: Path) -> None:
    """A read-only file could be replaced all the same, but somebody meant it."""
    with contextlib.suppress(FileNotFoundError):
        if not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "the file is read-only")


def make_folders(folder: Path, register: Path) -> None:
    """Make a folder and those above it, and note each one, so that it can go again."""
    missing = [step for step in (folder, *folder.parents) if not step.exists()]
    for step in reversed(missing):
        register.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Not under a lock, as two files may need one folder: that the note is there is all that counts.
        (register / code_of(str(step))).write_bytes(os.fsencode(step))
        step.mkdir(exist_ok=True)


def remove_folders(folder: Path, register: Path) -> None:
    """Remove a folder and those above it as far as we made them and nothing is in them."""
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
