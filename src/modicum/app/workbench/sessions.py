"""Lists the sessions of a project for the workbench, the latest activity first."""

from typing import NamedTuple

from modicum.app.answer.cursor import mark, next_batch, read_cursor
from modicum.memory.model import Query, Session
from modicum.memory.store import Store

SHOWN = 50


class ListedSessions(NamedTuple):
    """A page of the workbench's list of sessions; `next` is the cursor of the next page."""

    items: tuple[Session, ...]
    next: str


def recent_sessions(store: Store, project: str, cursor: str = "") -> ListedSessions:
    """Returns what the workbench shows of the sessions of a project, or of all, as a page."""
    stamp = mark(f"sessions of {project}")
    place = read_cursor(cursor, stamp)
    found = store.sessions(Query(project=project, limit=SHOWN, cursor=place.start))
    return ListedSessions(found.items, next_batch(place, len(found.items), stamp, found.next))
