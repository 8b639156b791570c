"""The contents of an import before they are added: duplicates, missing numbers, missing notes. Pure."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import Any

from modicum.memory.model import Archive, ImportProblem, Item

Row = Mapping[str, Any]
Document = dict[str, list[dict[str, Any]]]

UNDERSTOOD = (
    "modicum's exports and databases; engram's database, export and .engram folder; Hoofy's database; the memory file "
    "of server-memory; claude-mem's database; folders of Markdown notes such as basic-memory's, and the memory folders "
    "of Claude Code and Codex"
)


def without_duplicates(archive: Archive) -> Archive:
    """Returns the archive of an import's contents with each item once: of several with one id, the first."""
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


def with_numbers(archive: Archive) -> Archive:
    """Returns the archive of an import's contents with a negative number for each note that has none.

    So no relation seems to mean such a note.
    """
    fresh = count(min((each.id for each in archive.notes), default=0) - 1, -1)
    notes = (each if each.id else each._replace(id=next(fresh)) for each in archive.notes)
    return archive._replace(notes=tuple(notes))


def differing_duplicates(archive: Archive) -> list[ImportProblem]:
    """Returns a problem for each note that is twice in the contents of an import, with different texts."""
    first = {each.sync_id: each for each in reversed(archive.notes)}
    return [
        ImportProblem(
            f"note {each.sync_id}", "it is there twice, with different texts: only the first has come"
        )
        for each in archive.notes
        if (each.title, each.content) != (first[each.sync_id].title, first[each.sync_id].content)
    ]


def without_their_note(archive: Archive) -> list[ImportProblem]:
    """Returns a problem for each relation or revision whose note is not in the contents of an import."""
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
    """Returns an id for an item of an import's contents, made of these parts: the same at every import."""
    joined = "\x1f".join(map(str, parts)).encode(errors="replace")
    return f"{kind}-{sha256(joined).hexdigest()[:16]}"


def as_text(value: object) -> str:
    """Returns a value of a column in an import's contents as text; an empty text for NULL."""
    if value is None:
        return ""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
