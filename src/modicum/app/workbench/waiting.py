"""What waits for a person: the inbox with its reasons, and what an audit would do with the notes that are there."""

from collections.abc import Sequence
from typing import NamedTuple

from modicum.app.memory.upkeep.audit import audit_notes
from modicum.app.workbench.changes import NoteName, few_notes
from modicum.memory.gate.audit import AuditFinding
from modicum.memory.model import Changes, Note, Query, WaitingNote
from modicum.memory.store import Store

SHOWN = 20
MOST_AUDITED = 200  # notes: an audit compares each with each, and a page may not take that long


class Inbox(NamedTuple):
    """What the workbench shows of the inbox: the newest notes, how many there are, and names of notes that may say it already."""

    items: tuple[WaitingNote, ...]
    total: int
    names: dict[int, str]


def open_inbox(store: Store, project: str) -> Inbox:
    """Returns what the workbench shows of the inbox of a project, or of all, the newest first."""
    query = Query(project=project, limit=SHOWN)
    items = store.inbox(query).items
    names = store.names(each.said_by for each in items if each.said_by)
    return Inbox(items, store.count_inbox(query), names)


def accept_notes(store: Store, names: Sequence[NoteName], changes: Changes) -> tuple[Note, ...]:
    """Accepts notes on the workbench's screen of what waits, all or none, as they are or changed, and returns them."""
    return store.accept(few_notes(store, names), changes)


def drop_notes(store: Store, names: Sequence[NoteName]) -> int:
    """Drops notes on the workbench's screen of what waits, all or none; returns how many."""
    numbers = few_notes(store, names)
    store.drop(numbers)
    return len(numbers)


def audit_findings(store: Store, project: str) -> tuple[AuditFinding, ...] | None:
    """Returns what an audit of notes leaves for a person to decide, which waits on the workbench; None if there are too many notes to look at now."""
    if store.count(Query(project=project)) > MOST_AUDITED:
        return None
    return audit_notes(store, project)
