"""Queries for notes, and the project they are about, parsed from the words given at any door."""

from modicum.base.near_words import nearest
from modicum.memory.model import SCOPES, Query, Refused
from modicum.memory.origins import KINDS, kind_of
from modicum.memory.times import parse_time

FILTERS = ("project", "scope", "type", "namespace", "session", "since", "until", "origin")


def parse_query(
    *,
    project: str = "",
    scope: str = "",
    type: str = "",  # noqa: A002 - the word that all doors have for it
    namespace: str = "",
    session: str = "",
    since: str = "",
    until: str = "",
    origin: str = "",
) -> Query:
    """Returns a query for notes from words; `since` and `until` are days or times; `until` is included."""
    return Query(
        project=project,
        scope=parse_scope(scope),
        type=type,
        namespace=namespace,
        session=session,
        since=parse_time(since) if since else "",
        until=parse_time(until, end=True) if until else "",
        origin=parse_origin(origin),
    )


def parse_scope(word: str) -> str:
    """Returns the scope of notes that somebody asks for at a door; "" stands for any."""
    if word and word not in SCOPES:
        near = nearest(word, SCOPES)
        remedy = f'did you mean "{near}"?' if near else f"give one of: {', '.join(SCOPES)}"
        raise Refused(f'there is no scope "{word[:60]}"', remedy=remedy)
    return word


def parse_origin(word: str) -> str:
    """Returns the origin of notes that somebody asks for at a door: a kind, or one in particular, such as agent:claude-code."""
    origin = word.strip().lower()
    if origin and kind_of(origin) not in KINDS:
        near = nearest(kind_of(origin), KINDS)
        remedy = (
            f'did you mean "{near}"?' if near else f"give one of: {', '.join(KINDS)}; or agent:claude-code"
        )
        raise Refused(f'there is no origin "{origin[:60]}"', remedy=remedy)
    return origin


def older_than(day: str, *, project: str, kind: str = "", limit: int = 200) -> Query:
    """Returns, for a door, the query for the notes of a project that were made before a day."""
    return Query(project=project, type=kind, until=parse_time(day), limit=limit)
