"""What the operating system refuses, in words, and how two runs wait for each other."""

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from modicum.errors import ModicumError

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
}


@contextlib.contextmanager
def in_words(path: str) -> Iterator[None]:
    """Turns what the system refuses into an error with a remedy."""
    try:
        yield
    except (OSError, ValueError) as error:
        number = error.errno if isinstance(error, OSError) else None
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        remedy = _REMEDIES.get(number or 0, "nothing was changed")
        raise ModicumError(f"{path}: {reason}", remedy=remedy) from error


@contextlib.contextmanager
def held(lock: Path, name: str, *, wait_seconds: float) -> Iterator[None]:
    """One at a time. The lock goes with the process, however that ends; its file stays."""
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
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _locked(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
