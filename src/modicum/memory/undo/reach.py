"""The reach of an undo in the database: what of a batch its person may see, what others have of it, and whether it may go so far."""

import json
from collections.abc import Iterable, Sequence

from modicum.base.errors import Remedy
from modicum.memory.engines.database import Transaction
from modicum.memory.model import Forbidden
from modicum.memory.people.access import Person
from modicum.memory.tables import batches
from modicum.memory.tables.sql import id_list
from modicum.memory.undo.model import NOTE, WAITING, Batch, BatchRow, Reach, RowName
from modicum.memory.undo.names import rows_beyond

SYNCED = "SELECT 1 FROM sync_states WHERE kind = :kind AND key = :key LIMIT 1"
SHARED = """
SELECT n.id FROM notes AS n WHERE EXISTS (SELECT 1 FROM sync_states AS s WHERE s.kind = 'note' AND s.key = n.sync_id)
AND NOT EXISTS (SELECT 1 FROM sync_outbox AS o WHERE o.kind = 'note' AND o.key = n.sync_id) AND n.id IN
"""
OWNERS = "SELECT DISTINCT owner FROM notes WHERE owner <> '' AND owner <> :me AND id IN"
NOTES = "SELECT id FROM notes WHERE id IN"
MOST_TOLD = 3


class SeenRows:
    """The rows of a batch that a person may see before an undo, or that come back as something that they may see."""

    def __init__(self, tx: Transaction, person: Person, number: int, rows: Sequence[BatchRow]) -> None:
        self._everything = not person.is_limited
        self._seen: set[RowName] = set()
        if self._everything:
            return
        found = {(kind, key) for kind, key in tx.rows(batches.SEEN_ROWS, {"id": number})}
        there = {(kind, key) for kind, key in tx.unlimited.rows(batches.SEEN_ROWS, {"id": number})}
        gone = [row for row in rows if row.before is not None and row.name not in there]
        found |= {row.name for row in gone if _may_come_back(person, row)}
        found |= {row.name for row in gone if _hangs_on_seen(tx, row, found)}
        self._seen = found | {(NOTE, key) for kind, key in found if kind == WAITING}

    def has(self, name: RowName) -> bool:
        """Returns True if the person who runs the undo may hear of the row."""
        return self._everything or name in self._seen


def _may_come_back(person: Person, row: BatchRow) -> bool:
    """Whether a row that is gone, and is of a project by itself, is one that the person saw, as it was."""
    image = json.loads(row.before or "{}")
    if row.kind == NOTE:
        return person.sees(image["project"], image["scope"], image["owner"])
    owner = image.get("owner", person.name)  # of a prompt
    seen = not person.seen_projects or image.get("project", "") in person.seen_projects
    return "project" in image and owner == person.name and seen


def _hangs_on_seen(tx: Transaction, row: BatchRow, found: set[RowName]) -> bool:
    """Whether the notes of a relation, a revision or a place in the inbox that is gone are ones that the person sees."""
    image = json.loads(row.before or "{}")
    ends = [image[name] for name in ("from_id", "to_id", "note_id") if name in image]
    unseen = [each for each in ends if (NOTE, str(each)) not in found]
    return bool(ends) and len(tx.rows(f"{NOTES} {id_list(unseen)}")) == len(set(unseen))


def shared_notes(every: Transaction, rows: Sequence[BatchRow]) -> set[str]:
    """Returns the keys of the notes among the rows of an undo that other machines have already, through a sync."""
    numbers = _numbers(rows)
    return {str(number) for (number,) in every.rows(f"{SHARED} {id_list(numbers)}")} if numbers else set()


def check_reach(
    tx: Transaction, batch: Batch, person: Person, rows: Sequence[BatchRow], within: Reach
) -> tuple[str, ...]:
    """Returns the other people whose notes an undo reaches, as far as its person may see them; refuses what is beyond its reach."""
    numbers = id_list(_numbers(rows))
    me = {"me": person.name}
    owners = sorted(owner for (owner,) in tx.rows(f"{OWNERS} {numbers}", me))
    if within.everywhere:
        return tuple(owners)
    hidden = len(tx.unlimited.rows(f"{OWNERS} {numbers}", me)) > len(owners)
    people = [*owners]
    if batch.person not in ("", person.name):
        people = list(dict.fromkeys([batch.person, *people]))
    elsewhere = _elsewhere(tx.unlimited, batch, person, rows, within.project)
    names = f": {_some(people)}" if people else ""
    told = [f"changes what other people have{names}"] if people or hidden else []
    told += [f"reaches into {_some(elsewhere)}"] if elsewhere else []
    if told:
        remedy = Remedy("batch.everywhere", id=str(batch.id))
        raise Forbidden(f"an undo of batch {batch.id} {' and '.join(told)}", remedy=remedy)
    return ()


def _elsewhere(
    every: Transaction, batch: Batch, person: Person, rows: Sequence[BatchRow], project: str
) -> list[str]:
    found = rows_beyond(every, batch.id, rows, project) if project else set()
    seen = person.seen_projects
    return sorted({each if not seen or each in seen else "another project" for each in found})


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_TOLD} more" if len(names) > MOST_TOLD else ""
    return f"{', '.join(names[:MOST_TOLD])}{more}"


def _numbers(rows: Iterable[BatchRow]) -> list[int]:
    return sorted({int(key) for kind, key in (row.unit for row in rows) if kind == NOTE})
