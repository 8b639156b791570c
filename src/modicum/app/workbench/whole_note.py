"""One note with everything around it: its history as differences, its relations with titles, and where it was shown."""

from collections.abc import Sequence
from difflib import unified_diff
from itertools import pairwise
from typing import NamedTuple

from modicum.app.memory.notes import look
from modicum.memory.model import Note, Relation, Revision, WaitingNote
from modicum.memory.store import Store

MOST_REVISIONS = 20
MOST_COMPARED = 20_000  # characters of a wording; a comparison of longer ones takes too long


class NoteLink(NamedTuple):
    """A relation of a note that is shown whole, and the note at the other end, which is None if it was deleted."""

    relation: Relation
    name: str  # the public id of the other note
    other: Note | None
    is_outgoing: bool


class WordingChange(NamedTuple):
    """How one wording of a whole note differs from the one before: the lines of a diff."""

    number: int
    saved_at: str
    lines: tuple[str, ...]


class NoteAround(NamedTuple):
    """A whole note with its relations and its changes, the latest first; `earlier` changes are not shown.

    Of a note that is deleted or waits in the inbox, relations are not shown.
    """

    note: Note
    links: tuple[NoteLink, ...] = ()
    changes: tuple[WordingChange, ...] = ()
    earlier: int = 0
    waiting: WaitingNote | None = None


def note_around(store: Store, number: int) -> NoteAround:
    """Returns a whole note as the workbench shows it, with everything around it that the person may see; raises NotFound if there is none."""
    note = store.get(number, deleted=True)
    if note and note.deleted_at:
        return _around(NoteAround(note, waiting=store.waiting(number)), store.history(number))
    found = look(store, number, depth=1)
    others = {each.note.id: each.note for each in found.neighbours}
    ends = {edge.id: edge.to_id if edge.from_id == number else edge.from_id for edge in found.relations}
    names = store.names(ends.values())
    links = (
        NoteLink(edge, names[ends[edge.id]], others.get(ends[edge.id]), edge.from_id == number)
        for edge in found.relations
    )
    return _around(NoteAround(found.note, tuple(links)), found.history)


def _around(found: NoteAround, history: Sequence[Revision]) -> NoteAround:
    changes = wording_changes(history[: MOST_REVISIONS + 1])
    return found._replace(changes=changes, earlier=max(0, len(history) - 1 - MOST_REVISIONS))


def wording_changes(history: Sequence[Revision]) -> tuple[WordingChange, ...]:
    """Returns how the wordings of a whole note differ; they are given with the latest first."""
    return tuple(
        WordingChange(after.number, after.saved_at, _difference(before, after))
        for after, before in pairwise(history)
    )


def _difference(before: Revision, after: Revision) -> tuple[str, ...]:
    if max(len(before.content), len(after.content)) > MOST_COMPARED:
        return (f"@@ {len(before.content):,} characters became {len(after.content):,} @@",)
    lines = unified_diff(_lines(before), _lines(after), n=1, lineterm="")
    return tuple(lines)[2:] or ("@@ only blanks or line ends differ @@",)  # without the names of the files


def _lines(revision: Revision) -> list[str]:
    return [f"{revision.type}: {revision.title}", *revision.content.splitlines()]
