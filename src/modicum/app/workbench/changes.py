"""Changes notes for a person who browses them: edit, merge two into one, delete several, accept what waits.

The store that is handed in makes one batch of each, if it comes from `in_one_batch`.
"""

from collections.abc import Sequence

from modicum.app.memory.notes import look, note_numbers, with_title
from modicum.memory.model import Changes, Note, NoteDraft, NotFound, Refused
from modicum.memory.store import Store

SUPERSEDES = "supersedes"
MOST_AT_ONCE = 500

NoteName = int | str  # a public id, the first letters of one, or a number


def change_note(store: Store, number: int, changes: Changes, *, seen_revision: int) -> Note:
    """Changes a note for a person at the workbench; refuses if it is no longer the revision that the person has seen."""
    _check_seen(store, number, seen_revision)
    return store.update(number, changes)


def _check_seen(store: Store, number: int, seen_revision: int) -> Note:
    note = look(store, number).note
    if note.revision_count != seen_revision:
        raise Refused(
            f"{with_title(note)} was changed in the meantime", remedy="load it again, and repeat your change"
        )
    return note


def merged_draft(keep: Note, other: Note) -> NoteDraft:
    """Returns a draft for one note that replaces two while browsing: each paragraph once, the longer one of two."""
    parts = _parts(keep.content)
    for part in _parts(other.content):
        inside = [at for at, known in enumerate(parts) if _folded(known) in _folded(part)]
        if any(_folded(part) in _folded(known) for known in parts):
            continue
        parts = [known for at, known in enumerate(parts) if at not in inside]
        parts.insert(inside[0] if inside else len(parts), part)
    return NoteDraft(keep.title, "\n\n".join(parts), keep.type)


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.replace("\r\n", "\n").split("\n\n") if part.strip()]


def _folded(text: str) -> str:
    return " ".join(text.lower().split())


def merge_notes(store: Store, keep: int, other: int, changes: Changes, *, seen: tuple[int, int]) -> Note:
    """Merges two notes for a person who browses: the first gets the new text and supersedes the other, which is deleted.

    `seen` are the revisions that the person has seen. Whoever is stopped half-way has lost nothing, and can do it again.
    """
    if keep == other:
        raise Refused("a note cannot be merged with itself", remedy="choose two notes")
    first, second = (_check_seen(store, number, seen[at]) for at, number in enumerate((keep, other)))
    for note in (first, second):
        store.who.check(note.project, note.scope)
    merged = store.update(keep, changes)
    supersede(store, keep, other)
    store.delete(other)
    return merged


def supersede(store: Store, newer: int, older: int) -> None:
    """Relates two notes that are browsed, so that the first supersedes the second; if it does already, nothing changes."""
    if not any(
        (edge.from_id, edge.to_id, edge.type) == (newer, older, SUPERSEDES) for edge in store.relations(newer)
    ):
        store.relate(newer, older, SUPERSEDES)


def delete_notes(store: Store, names: Sequence[NoteName]) -> tuple[Note, ...]:
    """Deletes the notes that a person has chosen while browsing, all or none; those that are gone already do not count."""
    found = [note.id for number in few_notes(store, names) if (note := store.get(number))]
    if not found:
        raise NotFound("these notes are gone already", remedy="load the page again")
    return store.delete_all(found)


def few_notes(store: Store, names: Sequence[NoteName]) -> list[int]:
    """Returns the numbers of the notes that a person at the workbench wants to change; refuses none, and too many at once."""
    wanted = list(dict.fromkeys(names))
    if not 0 < len(wanted) <= MOST_AT_ONCE:
        raise Refused(
            f"{len(wanted)} notes were chosen", remedy=f"choose at least one, and at most {MOST_AT_ONCE}"
        )
    return list(dict.fromkeys(note_numbers(store, map(str, wanted))))
