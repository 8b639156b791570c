"""Compaction of notes in the database: deletes old notes and puts a summary in their place."""

from collections.abc import Sequence

from modicum.memory.engines.database import Transaction
from modicum.memory.filters.model import normal
from modicum.memory.model import (
    COMPACTED_FROM,
    MOST_COMPACTED,
    Compacted,
    Note,
    NoteDraft,
    Query,
    Refused,
    Relation,
    SaveOutcome,
)
from modicum.memory.spec_topics import NO_SPEC_NOTE, is_spec_note
from modicum.memory.tables import lists, notes
from modicum.memory.tables.relations import ADD as ADD_RELATION
from modicum.memory.tables.sql import admitting, condition, select


def stale(tx: Transaction, query: Query) -> tuple[Note, ...]:
    """Returns the oldest notes before `query.until` that a compaction may delete: none that are pinned, or kept by specs."""
    query = normal(query)
    where = condition(query, always=(notes.LIVE, "pinned = 0", NO_SPEC_NOTE))
    rest = ("WHERE", where.text, "ORDER BY created_at, id LIMIT :limit")
    values = {**where.values, "limit": min(query.limit, MOST_COMPACTED)}
    return tuple(Note(*row) for row in tx.rows(select(notes.FIELDS, "notes", *rest), values))


def check_compaction(numbers: Sequence[int], title: str, content: str) -> None:
    if not numbers:
        raise Refused("there is nothing to compact", remedy="give the ids of the notes")
    if len(numbers) > MOST_COMPACTED:
        remedy = f"give at most {MOST_COMPACTED} ids at a time"
        raise Refused(f"{len(numbers)} notes are too many for one compaction", remedy=remedy)
    if bool(content) is not bool(title):
        missing = "title" if content else "text"
        raise Refused(f"a summary needs a {missing}", remedy="give one")


def compact(
    tx: Transaction, numbers: Sequence[int], query: Query, summary: notes.NoteRow | None, *, now: str
) -> Compacted:
    """Runs a compaction: deletes the notes that the query admits, and saves a summary related to them."""
    query, before = normal(query), lists.count(tx, Query())
    found = {number: lists.get(tx, number, deleted=False) for number in numbers}
    admitted = admitting(tx, condition(query), found)
    taken = [number for number, each in found.items() if each and _may_go(each) and number in admitted]
    for number in taken:
        notes.delete(tx.unlimited, number, hard=False, now=now)
    skipped = tuple(number for number in found if number not in set(taken))
    after = before - len(taken)
    if not summary or not taken:
        return Compacted(tuple(taken), skipped, before, after)
    saved = notes.save(tx.unlimited, summary, now=now, window=now)
    _point_back(tx.unlimited, saved.id, taken, now=now)
    after += saved.outcome is SaveOutcome.CREATED
    return Compacted(tuple(taken), skipped, before, after, saved.id)


def _may_go(note: Note) -> bool:
    return not note.pinned and not is_spec_note(note)


def _point_back(tx: Transaction, summary: int, taken: Sequence[int], *, now: str) -> None:
    for number in taken:
        relation = Relation(0, summary, number, COMPACTED_FROM, created_at=now)
        tx.rows(ADD_RELATION, relation._asdict())


def summary_of(title: str, content: str, query: Query, session_id: str, kind: str) -> notes.NoteRow | None:
    """Returns the row of the summary note of a compaction, with the project, scope and namespace of the query."""
    if not content:
        return None
    return notes.prepare(
        NoteDraft(title, content, kind, query.project, session_id, query.scope, namespace=query.namespace)
    )
