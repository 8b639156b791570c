"""Notes in the database that may be alike: found by keys, a few at a time, however many notes there are."""

from collections.abc import Sequence

from modicum.memory.engines.database import Transaction
from modicum.memory.model import Note, Relation
from modicum.memory.tables.sql import insert, select

EACH = 4  # notes that are looked at for a key: the newest
COMPARED = 3  # notes that are read and compared
MOST = 9  # keys of a note
NONE = -1  # no key is negative

_KEYS = " UNION ALL ".join(f"SELECT CAST(:key{at} AS BIGINT) AS key" for at in range(MOST))
ADD = f"INSERT INTO note_keys (key, note_id) SELECT key, :id FROM ({_KEYS}) AS keys WHERE key <> {NONE}"  # noqa: S608 (ours)
REMOVE = "DELETE FROM note_keys WHERE note_id = :id"
_SHARING = """
SELECT * FROM (SELECT note_id FROM note_keys WHERE key = :key{at} AND note_id <> :id ORDER BY note_id DESC LIMIT {each}) AS k{at}
"""
SHARING = " UNION ALL ".join(_SHARING.format(at=at, each=EACH) for at in range(MOST))
_AMONG = f"WHERE id IN ({', '.join(f':note{at}' for at in range(COMPARED))}) AND deleted_at = ''"
GET = select(Note._fields, "notes", _AMONG)
LINK = insert("relations", Relation._fields[1:], "ON CONFLICT (from_id, to_id, type) DO NOTHING")


def add(tx: Transaction, number: int, keys: Sequence[int]) -> None:
    """Adds the keys of a note to the database, by which later ones that are alike find it."""
    if keys:
        tx.run(ADD, {**_named(keys), "id": number})


def remove(tx: Transaction, number: int) -> None:
    """Removes the keys of a note from the database: nothing is alike to what is gone."""
    tx.run(REMOVE, {"id": number})


def link(tx: Transaction, note: Note, keys: Sequence[int], *, now: str) -> Relation | None:
    """Links a new note in the database to one that it replaces or restates, and returns the relation; None if it is like no other.

    `tx` sees what the person may see: nobody hears of notes of others.
    """
    from modicum.memory.gate.sameness import relation_to

    for old in _alike(tx, note, keys) if keys else ():
        if kind := relation_to(note, old):
            found = Relation(0, note.id, old.id, kind, "", now)
            tx.unlimited.run(LINK, found._asdict())
            return found
    return None


def _alike(tx: Transaction, note: Note, keys: Sequence[int]) -> list[Note]:
    """The few notes that share most keys with a new one, of the same readers; of equals the newer first."""
    from modicum.memory.gate.sameness import enough

    shared: dict[int, int] = {}
    for (number,) in tx.unlimited.rows(SHARING, {**_named(keys), "id": note.id}):
        shared[number] = shared.get(number, 0) + 1
    likely = [number for number, count in shared.items() if enough(count, len(keys))]
    best = sorted(likely, key=lambda number: (-shared[number], -number))[:COMPARED]
    if not best:
        return []
    named = {f"note{at}": number for at, number in enumerate((*best, *[NONE] * COMPARED)[:COMPARED])}
    found = {row[0]: Note(*row) for row in tx.rows(GET, named)}
    return [found[number] for number in best if number in found and _readers(found[number]) == _readers(note)]


def _named(keys: Sequence[int]) -> dict[str, int]:
    return {f"key{at}": key for at, key in enumerate((*keys, *[NONE] * MOST)[:MOST])}


def _readers(note: Note) -> tuple[str, str, str, str]:
    return note.project, note.scope, note.owner if note.scope == "personal" else "", note.namespace
