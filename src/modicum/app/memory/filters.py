"""Filters for notes: turns the filter words of a door into a query."""

from modicum.memory.model import Query
from modicum.memory.times import parse_time

FILTERS = ("project", "scope", "type", "namespace", "session", "since", "until")


def parse_filters(
    *,
    project: str = "",
    scope: str = "",
    type: str = "",  # noqa: A002 - as the parameter is called
    namespace: str = "",
    session: str = "",
    since: str = "",
    until: str = "",
) -> Query:
    """Returns the query for filters of notes; empty filters are ignored. `until` includes its whole day."""
    start = parse_time(since) if since else ""
    end = parse_time(until, end=True) if until else ""
    return Query(project, scope, type, namespace, session, start, end)
