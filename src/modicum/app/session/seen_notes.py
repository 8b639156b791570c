"""Seen notes: small files with the notes each session was shown, so that none is shown twice."""

import os
from contextlib import suppress

SEEN = "seen"
MOST_SEEN = 400  # notes that are remembered of a session
MOST_SESSIONS = 64


def seen_in(data: str, session: str) -> frozenset[int]:
    """Returns the ids of the seen notes of a session: those that the session was shown."""
    path = _file(data, session)
    try:
        with open(path, "rb") as file:
            words = file.read(20 * MOST_SEEN).split()
    except OSError:
        return frozenset()
    return frozenset(int(word) for word in words if word.isdigit() and len(word) < 19)


def remember_seen(data: str, session: str, shown: tuple[int, ...], *, anew: bool) -> None:
    """Adds to the seen notes of a session; `anew` forgets the earlier ones, as the agent has."""
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
    """Forgets the seen notes of a session."""
    with suppress(OSError):
        os.unlink(_file(data, session))


def _file(data: str, session: str) -> str:
    """The file of a session; only letters, digits, "-" and "_" of its name are used."""
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
