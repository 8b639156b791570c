"""What hooks leave behind: a short log of what went wrong, and which notes a session was shown. Both stay small."""

import os
import time
from contextlib import suppress

LOG = "hook.log"
SEEN = "seen"
MOST_LOG_BYTES = 32_768
MOST_SEEN = 400  # notes that are remembered of a session
MOST_SESSIONS = 64
LONGEST_LINE = 300


def note_failure(data: str, event: str, harness: str, error: BaseException | str) -> None:
    """Add a line to the log. Where even that fails, nothing is left to be done."""
    what = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
    line = " ".join(f"{event} {harness} {what}".split())[:LONGEST_LINE]
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    with suppress(OSError):
        os.makedirs(data, mode=0o700, exist_ok=True)
        _append(f"{data}/{LOG}", f"{stamp} {line}\n".encode("utf-8", "replace"), MOST_LOG_BYTES)


def read_failures(data: str, limit: int = 20) -> tuple[str, ...]:
    """The latest lines of the log, the newest last."""
    try:
        with open(f"{data}/{LOG}", "rb") as file:
            lines = file.read(2 * MOST_LOG_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return ()
    return tuple(lines[-limit:])


def _append(path: str, line: bytes, most: int) -> None:
    with open(path, "ab") as file:
        file.write(line)
        size = file.tell()
    if size > most:
        _halve(path)


def _halve(path: str) -> None:
    with open(path, "rb") as file:
        lines = file.read().splitlines(keepends=True)
    shorter = f"{path}.{os.getpid()}"
    with open(shorter, "wb") as file:
        file.write(b"".join(lines[len(lines) // 2 :]))
    os.replace(shorter, path)


def seen_in(data: str, session: str) -> frozenset[int]:
    """The notes that a session was shown."""
    path = _file(data, session)
    try:
        with open(path, "rb") as file:
            words = file.read(20 * MOST_SEEN).split()
    except OSError:
        return frozenset()
    return frozenset(int(word) for word in words if word.isdigit() and len(word) < 19)


def remember_seen(data: str, session: str, shown: tuple[int, ...], *, anew: bool) -> None:
    """Add to what a session was shown, or begin `anew`, since the agent has forgotten the rest."""
    path = _file(data, session)
    if not path or not (shown or anew):
        return
    known = frozenset() if anew else seen_in(data, session)
    kept = [*sorted(known - set(shown)), *shown][-MOST_SEEN:]
    os.makedirs(f"{data}/{SEEN}", mode=0o700, exist_ok=True)
    with open(path, "wb") as file:
        file.write(" ".join(map(str, kept)).encode())
    if anew:
        _forget_oldest(f"{data}/{SEEN}")


def forget_seen(data: str, session: str) -> None:
    """Forget what a session was shown."""
    with suppress(OSError):
        os.unlink(_file(data, session))


def _file(data: str, session: str) -> str:
    """Where a session's notes are remembered: nothing in its name can lead elsewhere."""
    name = "".join(letter for letter in session if letter.isascii() and (letter.isalnum() or letter in "-_"))
    return f"{data}/{SEEN}/session-{name[:80]}" if name else ""


def _forget_oldest(folder: str) -> None:
    with os.scandir(folder) as found:
        files = [entry.path for entry in found]
    if len(files) <= MOST_SESSIONS:
        return
    ages = sorted((_age(path), path) for path in files)
    for _, path in ages[: len(files) - MOST_SESSIONS // 2]:
        with suppress(OSError):
            os.unlink(path)


def _age(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
