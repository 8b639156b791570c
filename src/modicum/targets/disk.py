"""Files of other people: read them, replace them whole or not at all, and say in words what is in the way."""

import contextlib
import errno
import hashlib
import os
import stat
import sys
from pathlib import Path

from modicum.errors import ModicumError
from modicum.system import in_words
from modicum.targets.plan import Existing


def code_of(*parts: str) -> str:
    """A short name for files of ours about something with a long name."""
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def resolve(path: str, root: str) -> Path:
    """The real file behind a path; refused if it, or a folder on the way to it, is outside of the root."""
    real = Path(os.path.realpath(path))
    if not root:
        return real
    top = Path(os.path.realpath(root))
    for here in _way(path, real, top):
        if not here.is_relative_to(top):
            raise ModicumError(
                f"{path}: leads to {here}, outside of {root}",
                remedy="replace the link by a file or a folder of its own, or leave this tool out",
            )
    return real


def _way(path: str, real: Path, top: Path) -> list[Path]:
    """Where each step from the root on really is: who leaves it and comes back has left it, too."""
    if str(real) == path:
        return [real]  # there are no links
    way = [Path(os.path.realpath(step)) for step in (Path(path), *Path(path).parents)]
    return way[: len(way) - way[::-1].index(top)] if top in way else way


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


def stage(temporary: Path, data: bytes, like: Path | None = None) -> None:
    """Write a file to the disk that is to take the place of another one, with that one's owner and rights."""
    temporary.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o666 if like else 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        if like and like.exists():
            _copy_rights(like, descriptor)
        os.fsync(descriptor)


def _copy_rights(source: Path, descriptor: int) -> None:
    if sys.platform != "win32":
        status = source.stat()
        with contextlib.suppress(OSError):
            os.fchown(descriptor, status.st_uid, status.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
    if sys.platform == "linux":
        # Access lists are among them.
        with contextlib.suppress(OSError):
            for name in os.listxattr(source):
                os.setxattr(descriptor, name, os.getxattr(source, name))


def settle(folder: Path) -> None:
    """Make a rename last through a power failure, where that can be asked for."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write_own(path: Path, data: bytes, *, private: bool = True) -> None:
    """Write a file of ours, for nobody else to read unless it is not private."""
    temporary = path.with_name(f"{path.name}.tmp")
    with in_words(str(path)):
        path.parent.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
        try:
            stage(temporary, data, like=None if private else path)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


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
