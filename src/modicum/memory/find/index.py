"""What is kept of a note for searching: its stems, and marks to filter by. Pure."""

from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

from modicum.memory.model import DEFAULT_TYPE, PERSONAL, Note, Query
from modicum.memory.people.access import OWN
from modicum.search.speakers import without_date, without_label
from modicum.search.terms import stems, traits

_MARK = "ǂ"  # a letter to the index that no word begins with


class IndexText(NamedTuple):
    """The words of a note as the index has them."""

    title: str
    body: str
    length: int
    traits: int


def index_text(note: Note) -> IndexText:
    """Returns the stems of all that is searched: title, content, topic and type."""
    kind = "" if note.type == DEFAULT_TYPE else note.type
    named, date = ("", "") if _only_begins(note) else without_date(note.title)
    title, body = stems(named), stems(f"{note.content} {note.topic_key} {kind} {date}")
    found = traits(note.content)
    return IndexText(" ".join(title), " ".join(body), len(title) + len(body), int(found))


def _only_begins(note: Note) -> bool:
    """True if the title is no more than how the content begins: then its words must not count twice."""
    title = " ".join(note.title.split()).rstrip("…")
    starts = (note.content, without_label(note.content))
    return any(" ".join(start[: 4 * len(title) + 4].split()).startswith(title) for start in starts)


def audience_of(note: Note) -> str:
    """Returns whom a note is for: everybody in its scope, or its owner alone."""
    return OWN + note.owner if note.scope == PERSONAL else note.scope


def marks_of(note: Note) -> str:
    """Returns words for the index that stand for what a search may be narrowed to."""
    marks = _marks((note.project, note.scope, note.type, note.namespace, note.session_id))
    owner = [mark("o", note.owner)] if note.scope == PERSONAL and note.owner else []
    return " ".join((*marks, *owner))


def marks_asked(query: Query) -> tuple[str, ...]:
    """Returns the marks that everything has which the query asks for."""
    return tuple(_marks((query.project, query.scope, query.type, query.namespace, query.session)))


def marks_seen(audiences: Sequence[str], projects: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Returns groups of marks: what is for one of the audiences has one of each. No projects are all of them."""
    groups = (tuple(map(_audience_mark, audiences)), tuple(map(project_mark, projects)))
    return tuple(group for group in groups if group)


def _audience_mark(audience: str) -> str:
    return mark("o", audience.removeprefix(OWN)) if audience.startswith(OWN) else mark("s", audience)


def project_mark(name: str) -> str:
    return mark("p", name)


def mark(kind: str, name: str) -> str:
    """Returns a short word for a name. Two names may get the same one, so that the database looks at each row again."""
    return f"{_MARK}{kind}{crc32(name.encode(errors='replace')):08x}"


def _marks(names: Sequence[str]) -> list[str]:
    return [mark(letter, name) for letter, name in zip("pstne", names, strict=True) if name]
