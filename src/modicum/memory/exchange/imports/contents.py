"""What was found in a source, before any of it is taken in. Pure."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import Any, NamedTuple

from modicum.memory.model import Archive, ImportProblem, Item

Row = Mapping[str, Any]
Document = dict[str, list[dict[str, Any]]]

UNDERSTOOD = (
    "modicum's exports and databases; engram's database, export and .engram folder; Hoofy's database; the memory file "
    "of server-memory; claude-mem's database; folders of Markdown notes such as basic-memory's, and the memory folders "
    "of Claude Code and Codex"
)


class ImportContents(NamedTuple):
    """A source: what it is, what is in it, and what could not be read."""

    source: str
    archive: Archive
    problems: tuple[ImportProblem, ...] = ()


def single(archive: Archive) -> Archive:
    """The archive with each thing in it once, the first."""
    return archive._replace(
        sessions=_once(archive.sessions, lambda each: each.id),
        notes=_once(archive.notes, lambda each: each.sync_id),
        prompts=_once(archive.prompts, lambda each: each.sync_id),
        relations=_once(archive.relations, lambda each: (each.from_id, each.to_id, each.type)),
        revisions=_once(archive.revisions, lambda each: (each.note_id, each.number)),
        progress=_once(archive.progress, lambda each: (each.project, each.namespace)),
    )


def _once(items: Sequence[Item], key: Callable[[Item], object]) -> tuple[Item, ...]:
    return tuple({key(item): item for item in reversed(items)}.values())[::-1]


def numbered(archive: Archive) -> Archive:
    """The archive with a number for each note that has none, so that nothing is taken to hang on it."""
    fresh = count(min((each.id for each in archive.notes), default=0) - 1, -1)
    notes = (each if each.id else each._replace(id=next(fresh)) for each in archive.notes)
    return archive._replace(notes=tuple(notes))


def repeated(archive: Archive) -> list[ImportProblem]:
    """Notes that are there once more with another text: only the first comes."""
    first = {each.sync_id: each for each in reversed(archive.notes)}
    return [
        ImportProblem(
            f"note {each.sync_id}", "it is there twice, with different texts: only the first has come"
        )
        for each in archive.notes
        if (each.title, each.content) != (first[each.sync_id].title, first[each.sync_id].content)
    ]


def dangling(archive: Archive) -> list[ImportProblem]:
    """Relations and revisions of notes that are not in the archive."""
    here = {each.id for each in archive.notes}
    lost = [
        ImportProblem(f"relation {each.id}", f"note {end} is not there")
        for each in archive.relations
        for end in (each.from_id, each.to_id)
        if end not in here
    ]
    gone = [each for each in archive.revisions if each.note_id not in here]
    return lost + [
        ImportProblem(f"revision {each.number} of note {each.note_id}", "the note is not there")
        for each in gone
    ]


def key_of(kind: str, *parts: object) -> str:
    """An id for what has none of its own: the same at every import."""
    joined = "\x1f".join(map(str, parts)).encode(errors="replace")
    return f"{kind}-{sha256(joined).hexdigest()[:16]}"


def words(value: object) -> str:
    """Whatever stands in a column, as text."""
    if value is None:
        return ""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
