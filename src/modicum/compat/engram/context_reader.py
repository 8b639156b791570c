"""Reads a context text of engram back into notes, for hooks that use an engram server. Pure."""

from collections.abc import Iterable, Iterator, Sequence

from modicum.memory.brief.lines import Brief, BriefNote

PINNED, NOTES, SESSIONS, PROMPTS = (
    "### Pinned",
    "### Recent Observations",
    "### Recent Sessions",
    "### Recent User Prompts",
)
_BULLET, _BOLD = "- ", "**"


def read_context(text: str) -> Brief:
    """Reads engram's context text; returns its notes and the latest summary, with or without bodies."""
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
    return line.startswith(f"{_BULLET}[") and f"] {_BOLD}" in line


def _notes(bullets: Iterable[Sequence[str]]) -> Iterator[BriefNote]:
    for bullet in bullets:
        words = " ".join(" ".join(bullet).split()).removeprefix(f"{_BULLET}[")
        kind, _, rest = words.partition(f"] {_BOLD}")
        yield BriefNote(0, kind, _title(rest))


def _title(words: str) -> str:
    """The bold words at the start: what is behind them is how the body begins."""
    title, ends, _ = f"{words} ".partition(f"{_BOLD}: ")
    return title if ends else words.removesuffix(_BOLD)


def _summary(bullets: Iterable[Sequence[str]]) -> str:
    """What the latest session with a summary says."""
    for bullet in bullets:
        words = " ".join(" ".join(bullet).split())
        _, ends, rest = words.partition("): ")
        if ends:
            return rest.rpartition(" [")[0] or rest
    return ""
