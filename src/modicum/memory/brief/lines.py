"""The lines of a brief: notes as single lines, for hooks. Pure."""

from collections.abc import Sequence

from modicum.base.named_tuple import NamedTuple
from modicum.memory.names import public_ids, public_range

_JOINERS = (
    "\u200c\u200d"  # of emoji and several scripts: nobody sees them, and all the same they belong there
)


class BriefNote(NamedTuple):
    """A note as one line of a brief shows it; `id` and `public_id` are 0 where the source gives none."""

    id: int
    kind: str
    title: str
    public_id: int = 0
    origin: str = ""
    pinned_by: str = ""  # the machine that pinned it, if it was another one
    saved_at: str = ""


class Brief(NamedTuple):
    """What the brief's lines tell a new session: pinned and newest notes, the last summary, the number of notes of those in the inbox, and other projects that may be meant."""

    pinned: tuple[BriefNote, ...] = ()
    notes: tuple[BriefNote, ...] = ()
    summary: str = ""
    total: int = 0
    waiting: int = 0
    elsewhere: tuple[str, ...] = ()  # where there are no notes: the projects that may be meant


def names_of(notes: Sequence[BriefNote]) -> dict[int, str]:
    """Returns the names of the notes of a brief, by their ids: public ids, or numbers where the source gives only those."""
    numbers = {noted.id: f"#{noted.id}" for noted in notes if noted.id}
    return numbers | public_ids({noted.id: noted.public_id for noted in notes if noted.public_id})


def public_id_in(name: str) -> int:
    """Returns the public id in the name of a note of a brief; 0 if it is no such name."""
    letters = public_range(name)
    return letters[0] if letters else 0


def line_of(
    noted: BriefNote, name: str, width: int, *, is_dated: bool = False, is_quoted: bool = False
) -> str:
    """Returns the line of a brief for a note with this name, of at most `width` characters; with its day, and as a quotation."""
    start = f"- {name} " if name else "- "
    start += f"{noted.saved_at[:10]} " if is_dated and noted.saved_at else ""
    kind = f"[{noted.kind}] " if noted.kind else ""
    theirs = f"(pinned on {noted.pinned_by}) " if noted.pinned_by else ""
    claimed = f"({noted.origin}) " if noted.origin.startswith("sync:") else ""
    before = f"{start}{kind}{theirs}{claimed}"
    return quoted(before, noted.title, width) if is_quoted else shorten(f"{before}{noted.title}", width)


def quoted(before: str, words: str, width: int) -> str:
    """Returns a line of a brief with somebody's words between quotation marks, which they cannot close."""
    plain = words.replace("“", '"').replace("”", '"')
    return f"{shorten(f'{before}“{plain}', max(0, width - 1))}”"[:width]


def shorten(text: str, width: int) -> str:
    """Cuts a text to one line of a brief: at most `width` visible characters, whole words if possible."""
    line = visible(text)
    if len(line) <= width:
        return line
    from modicum.text.graphemes import cut  # most lines are short, and a hook has no time

    start, _, rest = line[:width].rpartition(" ")
    # A long last word is cut: leaving it out would leave too little.
    kept = start if len(rest) <= width // 3 else cut(line, width - 1)
    return f"{kept.rstrip()}…"[:width]


def visible(text: str) -> str:
    """Returns a text on one line of a brief, without invisible characters."""
    line = " ".join(text.split())
    return line if line.isprintable() else " ".join("".join(filter(_is_seen, line)).split())


def _is_seen(letter: str) -> bool:
    return letter.isprintable() or letter in _JOINERS


def words_of(text: str) -> frozenset[str]:
    """Returns the longer words of a name such as that of a branch, to choose the lines of a brief."""
    parted = "".join(letter if letter.isalnum() else " " for letter in text.lower())
    return frozenset(word for word in parted.split() if len(word) > 3 and not word.isdigit())


def sharing(notes: Sequence[BriefNote], words: frozenset[str], limit: int) -> tuple[BriefNote, ...]:
    """Returns the notes for a brief whose titles share most words with `words`, then the newest."""
    shared = [(len(words & words_of(noted.title)), noted) for noted in notes] if words else []
    best = sorted((pair for pair in shared if pair[0]), key=lambda pair: -pair[0])
    return tuple(noted for _, noted in best[:limit])
