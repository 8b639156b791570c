"""Which notes a reader asks for, from the words that they give at any door."""

from modicum.memory.model import Query
from modicum.memory.names import project_name
from modicum.memory.times import parse_time

EVERY_PROJECT = "*"


def parse_project(word: str, default: str) -> str:
    """Returns the name of the project as memory has it: the one that is named, else the default; "" for "*", which is all."""
    named = word.strip()
    return "" if named == EVERY_PROJECT else project_name(named or default)


def parse_query(
    *,
    project: str = "",
    scope: str = "",
    type: str = "",  # noqa: A002 - the word that all doors have for it
    namespace: str = "",
    session: str = "",
    since: str = "",
    until: str = "",
    limit: int = 0,
) -> Query:
    """Returns the query; `since` and `until` are days or times as people write them."""
    return Query(
        project=project,
        scope=scope,
        type=type,
        namespace=namespace,
        session=session,
        since=parse_time(since) if since else "",
        until=parse_time(until, end=True) if until else "",
        limit=limit,
    )
