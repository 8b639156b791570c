"""Writes files whole or not at all, one writer at a time (locks), and turns OSError into readable errors."""

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from modicum.base.errors import ModicumError
from modicum.base.hashes import sha256

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]  # locks go another way there, see `_lock`

_PAUSE_SECONDS = 0.02
_NO_RIGHT = "make it writable for you"
_FULL = "free some space and run it again; nothing was changed"
_REMEDIES = {
    errno.EACCES: _NO_RIGHT,
    errno.EPERM: _NO_RIGHT,
    errno.EROFS: _NO_RIGHT,
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EISDIR: "move the folder away: a file belongs there",
    errno.ENOTDIR: "a part of the path is a file: move it away",
    errno.EEXIST: "a part of the path is a file: move it away",
    errno.ENAMETOOLONG: "use a shorter path",
    errno.ELOOP: "a link on the way points at itself: correct it",
    errno.EINVAL: "move it away: a plain file belongs there",
    errno.EFBIG: "make it smaller, or move it away",
}


def code_of(*parts: str) -> str:
    """Returns a short code for the name of a file of ours that is about something with a long name, always the same."""
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@contextlib.contextmanager
def in_words(path: str) -> Iterator[None]:
    """Turns any OSError about a file inside the block into a ModicumError with a remedy."""
    try:
        yield
    except (OSError, ValueError) as error:
        number = error.errno if isinstance(error, OSError) else None
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        remedy = _REMEDIES.get(number or 0, "nothing was changed")
        raise ModicumError(f"{path}: {reason}", remedy=remedy) from error


def resolve(path: str, root: str) -> Path:
    """Returns the real file behind a path; raises ModicumError if it, or a folder on the way, is outside the root."""
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
    """Where each step from the root on really is: a path that leaves the root and comes back has left it, too."""
    if str(real) == path:
        return [real]  # there are no links
    way = [Path(os.path.realpath(step)) for step in (Path(path), *Path(path).parents)]
    return way[: len(way) - way[::-1].index(top)] if top in way else way


def stage(temporary: Path, data: bytes, like: Path | None = None) -> None:
    """Writes a temporary file that is to replace another file, with that file's owner and rights."""
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
    status = source.stat()
    if hasattr(os, "fchown"):  # not on Windows
        with contextlib.suppress(OSError):
            os.fchown(descriptor, status.st_uid, status.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
    if hasattr(os, "listxattr"):  # only on Linux; access lists are among them
        with contextlib.suppress(OSError):
            for name in os.listxattr(source):
                os.setxattr(descriptor, name, os.getxattr(source, name))


def settle(folder: Path) -> None:
    """Makes the rename of a file in a folder last through a power failure, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write_own(path: Path, data: bytes, *, private: bool = True) -> None:
    """Writes a file of ours, whole or not at all; if `private`, nobody else may read it."""
    temporary = path.with_name(f"{path.name}.tmp")
    with in_words(str(path)):
        path.parent.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
        try:
            stage(temporary, data, like=None if private else path)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def held(lock: Path, name: str, *, wait_seconds: float) -> Iterator[None]:
    """Holds the lock of a file while the block runs, so that no other process does; the lock's file stays."""
    with in_words(str(lock)):
        lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        deadline = time.monotonic() + wait_seconds
        while not _locked(descriptor):
            if time.monotonic() >= deadline:
                raise ModicumError(
                    f"{name}: another run has been busy with it for {wait_seconds:g} s",
                    remedy="wait for it to end, then run this again",
                )
            time.sleep(_PAUSE_SECONDS)
        yield
    finally:
        _unlock(descriptor)
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        if fcntl:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            _lock_on_windows(descriptor, "LK_NBLCK")
    except (BlockingIOError, PermissionError):  # the latter on Windows
        return False
    return True


def _unlock(descriptor: int) -> None:
    """Gives a lock back: to close the file is enough, but not at once on Windows."""
    if not fcntl:
        with contextlib.suppress(OSError):  # it was not ours
            _lock_on_windows(descriptor, "LK_UNLCK")


def _lock_on_windows(descriptor: int, mode: str) -> None:
    from importlib import import_module

    system = import_module("msvcrt")
    system.locking(descriptor, getattr(system, mode), 1)
