"""What the full-text index keeps of a note: its stems, and marks to filter by. Pure."""

import re
from collections.abc import Sequence
from zlib import crc32

from modicum.base.named_tuple import NamedTuple
from modicum.memory.filters.model import FILTERS
from modicum.memory.model import DEFAULT_TYPE, PERSONAL, Note, Query
from modicum.memory.people.access import OWN
from modicum.search.features import telling_words
from modicum.search.speakers import without_date, without_label
from modicum.search.terms import distinct_stems, stems, traits

MOST_IN_ORDER = 200_000  # characters of a text whose words are indexed where they stand
LONGEST_WORD = 200  # characters within which such a text is cut between two words
_GAP = re.compile(r"\W")
_MARKED = tuple(each for each in FILTERS if each.mark)
_MARK = "ǂ"  # a letter to the index that no word begins with


class IndexText(NamedTuple):
    """The words of a note as the full-text index keeps them."""

    title: str
    body: str
    length: int
    traits: int
    telling: int


def index_text(note: Note) -> IndexText:
    """Returns the stems of a note for the full-text index: of its title, content, topic and type."""
    kind = "" if note.type == DEFAULT_TYPE else note.type
    named, date = ("", "") if _only_begins(note) else without_date(note.title)
    head, rest = _parts(f"{note.content} {note.topic_key} {kind} {date}")
    title, body, later = stems(named), stems(head), distinct_stems(rest)
    found, telling = traits(note.content, title), telling_words(title, body)
    length = len(title) + len(body) + len(later)
    return IndexText(" ".join(title), " ".join((*body, *later)), length, int(found), telling)


def _parts(text: str) -> tuple[str, str]:
    """Returns the beginning of a text, and the rest of a giant, of which the index has each word once."""
    if len(text) <= MOST_IN_ORDER:
        return text, ""
    gap = _GAP.search(text, MOST_IN_ORDER, MOST_IN_ORDER + LONGEST_WORD)
    end = gap.start() if gap else MOST_IN_ORDER
    return text[:end], text[end:]


def _only_begins(note: Note) -> bool:
    """True if the title is no more than how the content begins: then its words must not count twice."""
    title = " ".join(note.title.split()).rstrip("…")
    starts = (note.content, without_label(note.content))
    return any(" ".join(start[: 4 * len(title) + 4].split()).startswith(title) for start in starts)


def audience_of(note: Note) -> str:
    """Returns the audience of a note for the full-text index: everybody in its scope, or its owner alone."""
    return OWN + note.owner if note.scope == PERSONAL else note.scope


def marks_of(note: Note) -> str:
    """Returns the marks of a note for the full-text index: words for its project, scope, type and so on."""
    marks = _marks([(each.mark, getattr(note, each.column)) for each in _MARKED])
    owner = [mark("o", note.owner)] if note.scope == PERSONAL and note.owner else []
    return " ".join((*marks, *owner))


def marks_asked(query: Query) -> tuple[str, ...]:
    """Returns the index marks that a note must have to be one that the query asks for."""
    return tuple(_marks([(each.mark, getattr(query, each.name)) for each in _MARKED]))


def marks_seen(audiences: Sequence[str], projects: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Returns groups of marks of the index in which notes are found; a note that may be seen has one of each. No projects mean all."""
    groups = (tuple(map(_audience_mark, audiences)), tuple(map(project_mark, projects)))
    return tuple(group for group in groups if group)


def _audience_mark(audience: str) -> str:
    return mark("o", audience.removeprefix(OWN)) if audience.startswith(OWN) else mark("s", audience)


def project_mark(name: str) -> str:
    return mark("p", name)


def mark(kind: str, name: str) -> str:
    """Returns the mark by which the index finds a name: a short word; two names may share one, so rows are checked again."""
    return f"{_MARK}{kind}{crc32(name.encode(errors='replace')):08x}"


def _marks(values: Sequence[tuple[str, str]]) -> list[str]:
    return [mark(letter, name) for letter, name in values if name]
