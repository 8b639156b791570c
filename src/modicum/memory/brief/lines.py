"""Notes as single lines, for what hooks tell. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

_JOINERS = (
    "\u200c\u200d"  # of emoji and several scripts: nobody sees them, and all the same they belong there
)


class BriefNote(NamedTuple):
    """What a line tells of a note. The id is 0 where the source gives none."""

    id: int
    kind: str
    title: str


class Brief(NamedTuple):
    """What a new session should know: pins, newest notes, how the last session ended, how many notes there are."""

    pinned: tuple[BriefNote, ...] = ()
    notes: tuple[BriefNote, ...] = ()
    summary: str = ""
    total: int = 0


def line_of(noted: BriefNote, width: int) -> str:
    """A note on one line of at most so many characters."""
    number = f"#{noted.id} " if noted.id else ""
    kind = f"[{noted.kind}] " if noted.kind else ""
    return shorten(f"- {number}{kind}{noted.title}", width)


def shorten(text: str, width: int) -> str:
    """The text on one line, by whole words if it must end early, of at most `width` characters and all of them visible."""
    line = visible(text)
    if len(line) <= width:
        return line
    from modicum.text.clusters import cut  # most lines are short, and a hook has no time

    start, _, rest = line[:width].rpartition(" ")
    # A long last word is cut: leaving it out would leave too little.
    kept = start if len(rest) <= width // 3 else cut(line, width - 1)
    return f"{kept.rstrip()}…"[:width]


def visible(text: str) -> str:
    """The text on one line, without characters that nobody sees."""
    line = " ".join(text.split())
    return line if line.isprintable() else " ".join("".join(filter(_is_seen, line)).split())


def _is_seen(letter: str) -> bool:
    return letter.isprintable() or letter in _JOINERS


def words_of(text: str) -> frozenset[str]:
    """The longer words of a name such as that of a branch."""
    parted = "".join(letter if letter.isalnum() else " " for letter in text.lower())
    return frozenset(word for word in parted.split() if len(word) > 3 and not word.isdigit())


def sharing(notes: Sequence[BriefNote], words: frozenset[str], limit: int) -> tuple[BriefNote, ...]:
    """The notes whose titles share most words with these, the newest first among equals."""
    shared = [(len(words & words_of(noted.title)), noted) for noted in notes] if words else []
    best = sorted((pair for pair in shared if pair[0]), key=lambda pair: -pair[0])
    return tuple(noted for _, noted in best[:limit])
