"""Writes files whole or not at all, one writer at a time (locks), and turns OSError into readable errors."""

import contextlib
import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from modicum.base.errors import ModicumError
from modicum.base.hashes import sha256

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]  # locks go another way there, see `_lock`

_PAUSE_SECONDS = 0.02
_QUIET_SECONDS = 1.0  # of waiting, after which somebody at a door is told
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


class NewContent:
    """The new content of a file, complete and on the disk, which is not in its place yet.

    Where nothing is yet, it has no name until then; else it waits in `aside`, a folder of ours, if that is on the same
    disk. So a process that is killed leaves nothing beside the file. Elsewhere it waits beside it, and the next run
    that writes the file deletes what a killed one has left.
    """

    def __init__(self, target: Path, data: bytes, aside: Path | None, *, private: bool) -> None:
        self.target = target
        like = target if target.exists() else None
        mode = 0o600 if private or like else 0o666
        self._unnamed = None if like else _unnamed_file(target.parent, mode)
        self._temporary = target
        if self._unnamed is None:
            self._temporary = _free_name(target, aside if like else None)
        descriptor = self._unnamed if self._unnamed is not None else _new_file(self._temporary, mode)
        try:
            _write_all(descriptor, data)
            if like and not private:
                _copy_rights(like, descriptor)
            os.fsync(descriptor)
        except BaseException:
            self._unnamed = descriptor
            self.drop()
            raise
        if self._unnamed is None:
            os.close(descriptor)

    def create(self) -> bool:
        """Puts the new content where nothing is; returns False, and does nothing, if something is there."""
        try:
            if self._unnamed is not None:
                _give_name(self._unnamed, self.target)
            else:
                self.target.hardlink_to(self._temporary)
        except FileExistsError:
            return False
        except OSError:  # a file system without links
            if self.target.exists() or self._unnamed is not None:
                raise
            self._temporary.replace(self.target)
        return True

    def replace(self) -> None:
        """Puts the new content in the place of the file, whatever is there."""
        if self._unnamed is None:
            self._move()
        elif not self.create():  # somebody was there first
            self._temporary = _free_name(self.target, None)
            _give_name(self._unnamed, self._temporary)
            self._temporary.replace(self.target)

    def _move(self) -> None:
        try:
            self._temporary.replace(self.target)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            # One disk that is mounted twice: only now does it turn out that a file cannot move.
            data, before = self._temporary.read_bytes(), self._temporary
            self._temporary = _free_name(self.target, None)
            descriptor = _new_file(self._temporary, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                _copy_rights(before, descriptor)
                os.fsync(descriptor)
            before.unlink()
            self._temporary.replace(self.target)

    def drop(self) -> None:
        """Lets go of the new content; what is in its place stays there."""
        if self._temporary != self.target:
            self._temporary.unlink(missing_ok=True)
        if self._unnamed is not None:
            os.close(self._unnamed)
            self._unnamed = None


@contextlib.contextmanager
def new_content(
    target: Path, data: bytes, aside: Path | None, *, private: bool = False
) -> Iterator[NewContent]:
    """Writes the new content of a file, with its owner and rights, for the block to put in its place."""
    content = NewContent(target, data, aside, private=private)
    try:
        yield content
    finally:
        content.drop()


def _unnamed_file(folder: Path, mode: int) -> int | None:
    """A file without a name, which goes with this process; None where the system has no such files."""
    if not (hasattr(os, "O_TMPFILE") and Path("/proc/self/fd").exists()):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, mode)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        raise
    except OSError:  # not every file system has them
        return None


def _give_name(descriptor: int, path: Path) -> None:
    # The folder is not looked at; with it, Python follows the link that stands for the file.
    os.link(f"/proc/self/fd/{descriptor}", path, src_dir_fd=descriptor, follow_symlinks=True)


def _new_file(path: Path, mode: int) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)


def _write_all(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _free_name(target: Path, aside: Path | None) -> Path:
    """A free name for what waits to become the target; deletes what runs that are over have left there."""
    folder = target.parent
    if aside is not None:
        aside.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _disk_of(aside) == _disk_of(folder):
            folder = aside
    start = f".modicum-{code_of(str(target))}"
    for left in folder.glob(f"{start}.*.tmp"):
        number = left.name.split(".")[-2]
        if not (number.isdigit() and _is_running(int(number))):
            left.unlink(missing_ok=True)
    return folder / f"{start}.{os.getpid()}.tmp"


def _disk_of(path: Path) -> int:
    return path.stat().st_dev


def _is_running(process: int) -> bool:
    if process == os.getpid() or os.name != "posix":  # elsewhere, this would end it
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


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


def write_own(path: Path, data: bytes, *, private: bool = True, aside: Path | None = None) -> None:
    """Writes a file of ours, whole or not at all; if `private`, nobody else may read it. `aside` is as for new content."""
    with in_words(str(path)):
        path.parent.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
        with new_content(path, data, aside, private=private) as content:
            content.replace()


class Wait:
    """A wait for a lock, which ends after some seconds; the door is told after the first one, if it has a listener.

    A command has somebody before it who wonders what it does, and gives up early. A server has a listener for nothing.
    """

    listener: Callable[[str], None] | None = None  # of the process: the door sets it
    most_seconds = 10.0  # for whoever has a listener

    def __init__(self, name: str, seconds: float) -> None:
        self.name = name
        self.seconds = min(seconds, self.most_seconds) if self.listener else seconds
        self.began = time.monotonic()
        self.is_told = False

    def is_over(self) -> bool:
        """Returns True if the wait has lasted long enough; tells the door of it on the way."""
        waited = time.monotonic() - self.began
        listener = type(self).listener
        if waited >= _QUIET_SECONDS and listener and not self.is_told:
            self.is_told = True
            listener(
                f"waiting for {self.name}, which another run is busy with: for {self.seconds:g} s at most"
            )
        return waited >= self.seconds

    @contextlib.contextmanager
    def telling(self) -> Iterator[None]:
        """Tells the door of the wait while the block runs, if that waits by itself for more than a second."""
        if not self.listener:
            yield
            return
        from threading import Timer

        timer = Timer(_QUIET_SECONDS, self.is_over)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


@contextlib.contextmanager
def held(lock: Path, name: str, *, wait_seconds: float) -> Iterator[None]:
    """Holds the lock of a file while the block runs, so that no other process does; the lock's file stays."""
    with in_words(str(lock)):
        lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        wait = Wait(name, wait_seconds)
        while not _locked(descriptor):
            if wait.is_over():
                raise ModicumError(
                    f"{name}: another run has been busy with it for {wait.seconds:g} s",
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
