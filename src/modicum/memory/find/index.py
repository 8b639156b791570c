"""What is kept of a note for searching: its stems, and marks to filter by. Pure."""

from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

from modicum.memory.model import DEFAULT_TYPE, PERSONAL, SCOPES, Note, Query
from modicum.search.speakers import without_date, without_label
from modicum.search.terms import stems, traits

_MARK = "ǂ"  # a letter to the index that no word begins with
OWNER_MARK = f"{_MARK}o"


class IndexText(NamedTuple):
    """The words of a note as the index has them."""

    title: str
    body: str
    length: int
    traits: int


def make_passage(note: Note) -> IndexText:
    """The stems of all that is searched: title, content, topic and type."""
    kind = "" if note.type == DEFAULT_TYPE else note.type
    named, date = ("", "") if _only_begins(note) else without_date(note.title)
    title, body = stems(named), stems(f"{note.content} {note.topic_key} {kind} {date}")
    found = traits(note.content)
    return IndexText(" ".join(title), " ".join(body), len(title) + len(body), int(found))


def _only_begins(note: Note) -> bool:
    """Whether the title is no more than how the content begins: then its words must not count twice."""
    title = " ".join(note.title.split()).rstrip("…")
    starts = (note.content, without_label(note.content))
    return any(" ".join(start[: 4 * len(title) + 4].split()).startswith(title) for start in starts)


def marks_of(found: Note) -> str:
    """Words that stand for what a search may be narrowed to."""
    marks = _marks((found.project, found.scope, found.type, found.namespace, found.session_id))
    owner = [mark("o", found.owner)] if found.scope == PERSONAL and found.owner else []
    return " ".join((*marks, *owner))


def marks_asked(query: Query) -> Sequence[str]:
    """The marks that everything has which the query asks for."""
    return _marks((query.project, query.scope, query.type, query.namespace, query.session))


def marks_seen(name: str, projects: Sequence[str], scopes: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Groups of marks: what somebody may see has one of each. Without projects or scopes, all of those may be seen."""
    shared = [mark("s", scope) for scope in scopes or SCOPES if scope != PERSONAL]
    own = [mark("o", name)] if not scopes or PERSONAL in scopes else []
    groups = ((*shared, *own), tuple(map(project_mark, projects)))
    return tuple(group for group in groups if group)


def project_mark(name: str) -> str:
    return mark("p", name)


def mark(kind: str, name: str) -> str:
    """Two names may get one mark, so that hits are looked at once more."""
    return f"{_MARK}{kind}{crc32(name.encode(errors='replace')):08x}"


def _marks(names: Sequence[str]) -> list[str]:
    return [mark(letter, name) for letter, name in zip("pstne", names, strict=True) if name]
