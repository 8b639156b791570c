"""The inbox of memory, use cases for the doors: which of the notes that wait for a person are meant."""

from collections.abc import Iterable, Iterator

from modicum.app.memory.notes import find_note
from modicum.memory.model import Note, Query
from modicum.memory.store import Store

BATCH = 500


def named_in_inbox(store: Store, names: Iterable[str]) -> list[Note]:
    """Returns the notes of the inbox that were named at a door, each once."""
    return [*{note.id: note for note in (find_note(store, name, deleted=True) for name in names)}.values()]


def all_in_inbox(store: Store, project: str, *, batch: int = BATCH) -> list[Note]:
    """Returns all notes of a project that wait in the inbox, newest first, however many there are."""
    return [*_waiting(store, Query(project=project, limit=batch))]


def waits_instead(store: Store, query: Query, how: str) -> str:
    """Returns what a door says where nothing was found and notes wait in the inbox; `how` says how to look at them."""
    number = store.count_inbox(Query(project=query.project))
    if not number:
        return ""
    waiting = "1 note waits" if number == 1 else f"{number:,} notes wait"
    return f" {waiting} in the inbox: {how}."


def _waiting(store: Store, query: Query) -> Iterator[Note]:
    found = store.inbox(query)
    yield from (each.note for each in found.items)
    while found.next:
        found = store.inbox(query._replace(cursor=found.next))
        yield from (each.note for each in found.items)
