"""Compaction of old notes, use cases for the doors: list those that are old, and put one summary in their place."""

from collections.abc import Iterable

from modicum.app.answer.amount import Amount
from modicum.app.answer.answer import ItemList, list_of
from modicum.app.memory.lists import ReadItems
from modicum.app.memory.notes import note_numbers
from modicum.app.memory.recall import context_facts
from modicum.base.named_tuple import NamedTuple
from modicum.base.value import replace
from modicum.memory.model import Context, Query
from modicum.memory.sections import recall_sections
from modicum.memory.store import Store


class CompactedNotes(NamedTuple):
    """The result of a compaction for the doors, by the names of notes: `skipped` were gone, pinned, too young or kept by specs.

    `before` and `after` count all notes of the memory.
    """

    deleted: tuple[str, ...]
    skipped: tuple[str, ...]
    before: int
    after: int
    summary: str = ""


def list_old_notes(store: Store, query: Query) -> ReadItems:
    """Lists the old notes that one compaction may take for the doors: the oldest that the query admits, none pinned."""

    def read(_: Amount) -> ItemList:
        found = Context((), (), store.stale(query))
        return replace(list_of(recall_sections(found)), facts=context_facts(found))

    return read


def compact_notes(
    store: Store, ids: Iterable[str], query: Query, *, title: str = "", content: str = ""
) -> CompactedNotes:
    """Compacts old notes for a door: deletes those that the query admits, and saves a given summary instead."""
    done = store.compact(note_numbers(store, ids), query, title=title, content=content)
    names = store.names((*done.deleted, *done.skipped, *filter(None, (done.summary_id,))))
    deleted, skipped = (tuple(names[each] for each in some) for some in (done.deleted, done.skipped))
    return CompactedNotes(deleted, skipped, done.before, done.after, names.get(done.summary_id, ""))
