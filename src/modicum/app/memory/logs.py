"""The logs of memory as lists for the doors: the batches, and the audit of a team. Both go on by a cursor of ours."""

from typing import TYPE_CHECKING

from modicum.app.answer.cursor import Cursor, mark, read_cursor, write_cursor
from modicum.memory.model import Listing, Query
from modicum.memory.store import Store

if TYPE_CHECKING:
    from modicum.memory.tables.audit import AuditRecord
    from modicum.memory.undo.model import LoggedBatch

LOGGED, MOST_LOGGED = 20, 500
AUDITED, MOST_AUDITED = 50, 1_000
MOST_DIGITS = 18  # of a number that every database takes


def list_batches(store: Store, limit: int = LOGGED, cursor: str = "") -> "Listing[LoggedBatch]":
    """Lists the batches of the last 30 days for the doors, the latest first, from a cursor on."""
    stamp = mark("log")
    place, limit = read_cursor(cursor, stamp), min(limit, MOST_LOGGED)
    below = int(place.start[:MOST_DIGITS]) if place.start.isdecimal() else 0
    found = store.log(limit + 1, below=below)
    items = found[:limit]
    return Listing(
        items, _following(place, len(items), stamp, str(items[-1].batch.id) if found[limit:] else "")
    )


def list_audit(
    store: Store, project: str = "", person: str = "", limit: int = AUDITED, cursor: str = ""
) -> "Listing[AuditRecord]":
    """Lists the audit for the doors, all or of a project or person, the latest record first, from a cursor on."""
    stamp = mark(repr(("audit", project, person)))
    place = read_cursor(cursor, stamp)
    query = Query(project=project, limit=min(limit, MOST_AUDITED), cursor=place.start)
    found = store.audit(query, person=person)
    return Listing(found.items, _following(place, len(found.items), stamp, found.next))


def _following(place: Cursor, shown: int, stamp: str, start: str) -> str:
    return write_cursor(Cursor(place.shown + shown, stamp=stamp, start=start)) if start else ""
