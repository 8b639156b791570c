"""Changes notes for a person who looks at them: edit, merge two into one, delete several, and take that back."""

from collections.abc import Sequence
from contextlib import suppress

from modicum.app.memory.notes import look
from modicum.memory.model import Changes, Note, NoteDraft, NotFound, Refused
from modicum.memory.store import Store

SUPERSEDES = "supersedes"
MOST_AT_ONCE = 500


def change_note(store: Store, number: int, changes: Changes, *, seen_revision: int) -> Note:
    """Changes a note; refuses if it is no longer the revision that the person has seen."""
    _check_seen(store, number, seen_revision)
    return store.update(number, changes)


def _check_seen(store: Store, number: int, seen_revision: int) -> Note:
    note = look(store, number).note
    if note.revision_count != seen_revision:
        raise Refused(
            f"note #{number} was changed in the meantime", remedy="load it again, and repeat your change"
        )
    return note


def merged_draft(keep: Note, other: Note) -> NoteDraft:
    """Returns a proposal for one note that says what two say: each paragraph once, the longer one of two."""
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
    """Merges two notes into the first: it gets the new text and supersedes the other, which is deleted.

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
    """Relates two notes so that the first supersedes the second; if it does already, nothing changes."""
    if not any(
        (edge.from_id, edge.to_id, edge.type) == (newer, older, SUPERSEDES) for edge in store.relations(newer)
    ):
        store.relate(newer, older, SUPERSEDES)


def delete_notes(store: Store, numbers: Sequence[int]) -> tuple[Note, ...]:
    """Deletes notes so that they can be restored; returns them. Refuses all if one may not be changed."""
    wanted = _few(numbers)
    found = [note for number in wanted if (note := store.get(number))]
    if not found:
        raise NotFound("these notes are gone already", remedy="load the page again")
    for note in found:
        store.who.check(note.project, note.scope)
    return tuple(note for note in found if store.delete(note.id))


def restore_notes(store: Store, numbers: Sequence[int]) -> tuple[Note, ...]:
    """Restores deleted notes and returns them; those that are not deleted, or not there, stay as they are."""
    restored = []
    for number in _few(numbers):
        with suppress(NotFound):
            restored.append(store.restore(number))
    return tuple(restored)


def _few(numbers: Sequence[int]) -> list[int]:
    wanted = list(dict.fromkeys(numbers))
    if not 0 < len(wanted) <= MOST_AT_ONCE:
        raise Refused(
            f"{len(wanted)} notes were chosen", remedy=f"choose at least one, and at most {MOST_AT_ONCE}"
        )
    return wanted
