"""Seen notes: small files with the notes each session was shown, so that none is shown twice, and what it is due."""

import os
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SEEN = "seen"
MOST_SEEN = 400  # notes that are remembered of a session
MOST_SESSIONS = 64
_FILE = "session-"  # and the name of the session

# What a session is due with its next prompt. Words, where the notes are numbers.
AGAIN, NEWS = "again", "news"


def seen_in(data: str, session: str) -> frozenset[int]:
    """Returns the ids of the seen notes of a session: those that the session was shown."""
    return frozenset(_numbers(data, session))


def _numbers(data: str, session: str) -> "Iterator[int]":
    return (int(word) for word in _words(data, session) or () if word.isdigit() and len(word) < 19)


def shown_in(data: str, number: int) -> tuple[str, ...]:
    """Returns the sessions that have one note among their seen notes, the latest first."""
    try:
        with os.scandir(f"{data}/{SEEN}") as found:
            files = [entry.path for entry in found if entry.name.startswith(_FILE)]
    except OSError:
        return ()
    names = [os.path.basename(path).removeprefix(_FILE) for path in sorted(files, key=_age, reverse=True)]
    return tuple(name for name in names if number in seen_in(data, name))


def is_known(data: str, session: str) -> bool:
    """Returns True if a session was told its session start before, so that it has a file of seen notes."""
    return _words(data, session) is not None


def due(data: str, session: str) -> str:
    """Returns what a session is due beside its seen notes: `AGAIN`, `NEWS` or nothing."""
    words = _words(data, session) or ()
    return next((word for word in (AGAIN, NEWS) if word in words), "")


def set_due(data: str, session: str, word: str) -> None:
    """Keeps, beside the seen notes of a session, what the session is due."""
    path = _file(data, session)
    if path:
        _write(data, path, [*(other for other in _words(data, session) or () if other.isdigit()), word])


def settle(data: str, session: str) -> None:
    """Keeps, beside the seen notes of a session, that it was told what it was due."""
    if due(data, session):
        set_due(data, session, "")


def _words(data: str, session: str) -> list[str] | None:
    try:
        with open(_file(data, session), "rb") as file:
            return file.read(20 * MOST_SEEN).decode("ascii", "replace").split()
    except OSError:
        return None


def remember_seen(data: str, session: str, shown: tuple[int, ...], *, anew: bool) -> None:
    """Adds to the seen notes of a session; `anew` forgets the earlier ones, as the agent has."""
    path = _file(data, session)
    if not path or not (shown or anew):
        return
    known = frozenset() if anew else seen_in(data, session)
    owed = "" if anew else due(data, session)
    kept = [*sorted(known - set(shown)), *shown][-MOST_SEEN:]
    _write(data, path, [*map(str, kept), owed])
    if anew:
        _forget_oldest(f"{data}/{SEEN}")


def forget_seen(data: str, session: str) -> None:
    """Forgets the seen notes of a session."""
    with suppress(OSError):
        os.unlink(_file(data, session))


def _write(data: str, path: str, words: list[str]) -> None:
    os.makedirs(f"{data}/{SEEN}", mode=0o700, exist_ok=True)
    with open(path, "wb") as file:
        file.write(" ".join(words).encode())


def _file(data: str, session: str) -> str:
    """The file of a session; only letters, digits, "-" and "_" of its name are used."""
    name = "".join(letter for letter in session if letter.isascii() and (letter.isalnum() or letter in "-_"))
    return f"{data}/{SEEN}/{_FILE}{name[:80]}" if name else ""


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
