"""Which notes a reader asks for, and of which project, in the words of a door."""

from modicum.base.config import Config
from modicum.memory.model import Query
from modicum.memory.names import project_name
from modicum.memory.times import parse_time


def project_of(config: Config, name: str = "") -> str:
    """The project that is named, or the one that the reader is in."""
    return project_name(name or config.name)


def read_dates(query: Query) -> Query:
    """The query with `since` and `until` as memory keeps times; the day that `until` names is included."""
    return query._replace(
        since=parse_time(query.since) if query.since else "",
        until=parse_time(query.until, end=True) if query.until else "",
        limit=max(0, query.limit),
    )


def older_than(day: str, *, project: str, kind: str = "", limit: int = 200) -> Query:
    """A query for the notes of a project that were made before a day."""
    return Query(project=project, type=kind, until=parse_time(day), limit=limit)
