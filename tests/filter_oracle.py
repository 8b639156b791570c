"""What the filters of memory mean, said once more in plain Python, for tests that compare it with what is shown."""

from collections.abc import Sequence

from modicum.memory.model import GLOBAL, Note, Prompt, Query, Session

Item = Note | Session | Prompt


def admits(query: Query, item: Item) -> bool:
    """True if an item is one that a query asks for. What it has no word for, it is not."""
    if isinstance(item, Session):
        first, last, session, of_note = item.started_at, item.active_at, item.id, ("", "", "")
    else:
        first = last = item.created_at
        session = item.session_id
        of_note = (item.scope, item.type, item.origin) if isinstance(item, Note) else ("", "", "")
    scope, kind, origin = of_note
    pairs = (
        (query.project.strip().lower(), item.project),
        (query.scope.lower(), scope),
        (query.type, kind),
        (query.namespace, item.namespace),
        (query.session, session),
    )
    if any(wanted not in ("", present) for wanted, present in pairs):
        return False
    if query.origin and query.origin.lower() not in (origin, origin.partition(":")[0]):
        return False
    return query.since <= last and (not query.until or first < query.until)


def admits_widely(query: Query, item: Item) -> bool:
    """The same for search and recall, to which notes of scope global belong whatever their project."""
    wide = not query.scope and not query.session and isinstance(item, Note) and item.scope == GLOBAL
    return admits(query._replace(project="") if wide else query, item)


def admitted(query: Query, items: Sequence[Item]) -> list[Item]:
    return [each for each in items if admits(query, each)]
