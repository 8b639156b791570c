"""Notes as single lines, and engram's context read back as notes, so that every source gives the same lines. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

PINNED, NOTES, SESSIONS, PROMPTS = (
    "### Pinned",
    "### Recent Observations",
    "### Recent Sessions",
    "### Recent User Prompts",
)
_BULLET, _BOLD = "- ", "**"
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
    return shorten(f"{_BULLET}{number}{kind}{noted.title}", width)


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


def read_context(text: str) -> Brief:
    """What a context in engram's words tells of, whether its server has left the bodies out or not."""
    parts: dict[str, list[list[str]]] = {PINNED: [], NOTES: [], SESSIONS: [], PROMPTS: []}
    open_part: list[list[str]] = []
    for line in text.splitlines():
        if line.rstrip() in parts:
            open_part = parts[line.rstrip()]
        elif _begins(line, is_note=open_part is not parts[SESSIONS]):
            open_part.append([line])
        elif open_part:
            open_part[-1].append(line)
    pinned, notes = (tuple(_notes(parts[part])) for part in (PINNED, NOTES))
    known = frozenset(pinned)
    return Brief(pinned, tuple(note for note in notes if note not in known), _summary(parts[SESSIONS]))


def _begins(line: str, *, is_note: bool) -> bool:
    """Whether a bullet starts here. Bodies have lists of their own, but hardly one with a type and a bold title."""
    if not is_note:
        return line.startswith(f"{_BULLET}{_BOLD}")
    return line.startswith((f"{_BULLET}[", f"{_BULLET}#")) and f"] {_BOLD}" in line


def _notes(bullets: Iterable[Sequence[str]]) -> Iterator[BriefNote]:
    for bullet in bullets:
        words = " ".join(" ".join(bullet).split()).removeprefix(_BULLET)
        number, bracket, rest = words.partition("[")
        kind, _, told = rest.partition(f"] {_BOLD}")
        identity = number.strip().removeprefix("#")
        is_number = identity.isascii() and identity.isdigit() and len(identity) < 19
        if bracket and (not identity or is_number):
            yield BriefNote(int(identity or 0), kind, _title(told))


def _title(told: str) -> str:
    """The bold words at the start: what is behind them is how the body begins."""
    title, ends, _ = f"{told} ".partition(f"{_BOLD}: ")
    return title if ends else told.removesuffix(_BOLD)


def _summary(bullets: Iterable[Sequence[str]]) -> str:
    """What the latest session with a summary says."""
    for bullet in bullets:
        words = " ".join(" ".join(bullet).split())
        _, ends, rest = words.partition("): ")
        if ends:
            return rest.rpartition(" [")[0] or rest
    return ""
