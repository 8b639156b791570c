"""The table of the filters of memory: what each is called, how its words are read, and its SQL for each kind of item.

Every door makes its options, parameters and arguments from it, and SQL its conditions: a filter that stands here is everywhere.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache, partial

from modicum.base.named_tuple import NamedTuple
from modicum.memory.model import Query, Refused
from modicum.memory.names import SCOPES, project_name, public_name, scope_name
from modicum.memory.origins import KINDS, kind_of
from modicum.memory.times import parse_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ItemKind(StrEnum):
    """A kind of items in memory that filters choose from, as the tallies call it."""

    NOTE = "note"
    SESSION = "session"
    PROMPT = "prompt"


NOTE, SESSION, PROMPT = ItemKind.NOTE, ItemKind.SESSION, ItemKind.PROMPT


class Filter(NamedTuple):
    """A filter of memory: a field of `Query`, with its words for people and its SQL for each kind of item that has it."""

    name: str
    about: str  # what is left when it is given
    clauses: Mapping[ItemKind, str]
    parse: Callable[[str], str] = str  # reads what was given at a door; refuses what cannot be meant
    normal: Callable[[str], str] = str  # brings a name into the form that memory keeps
    choices: tuple[str, ...] = ()
    example: str = ""
    column: str = ""  # of a note that has just this value
    mark: str = ""  # the letter by which the full-text index marks that value


def read_scope(word: str) -> str:
    """Returns the scope that a filter of memory asks for; "" stands for any."""
    scope = word.strip().lower()
    if scope:
        _check("scope", scope, scope, SCOPES, f"give one of: {', '.join(SCOPES)}")
    return scope


def read_origin(word: str) -> str:
    """Returns the origin that a filter of memory asks for: a kind, or one in particular, such as agent:claude-code."""
    origin = word.strip().lower()
    if origin:
        remedy = f"give one of: {', '.join(KINDS)}; or agent:claude-code"
        _check("origin", origin, kind_of(origin), KINDS, remedy)
    return origin


def _check(name: str, given: str, word: str, known: tuple[str, ...], remedy: str) -> None:
    if word in known:
        return
    from modicum.base.near_words import nearest

    near = nearest(word, known)
    raise Refused(f'there is no {name} "{given[:60]}"', remedy=f'did you mean "{near}"?' if near else remedy)


def read_time(word: str, *, end: bool = False) -> str:
    """Returns the time that a filter of memory asks for; a day means its start, or its `end`; "" stands for any."""
    return parse_time(word, end=end) if word else ""


def _small(word: str) -> str:
    return public_name(word).lower()


def _everywhere(clause: str) -> dict[ItemKind, str]:
    return dict.fromkeys(ItemKind, clause)


# A session is a stretch of time: it is of every day between its start and its last note. What notes alone have chooses
# no sessions and no prompts: nobody who asks for decisions, or for what agents said, wants to see these.
FILTERS = (
    Filter(
        "project",
        "Of this project.",
        _everywhere("project = :project"),
        normal=project_name,
        column="project",
        mark="p",
    ),
    Filter(
        "scope",
        "Notes of this scope.",
        {NOTE: "scope = :scope"},
        parse=read_scope,
        normal=scope_name,
        choices=SCOPES,
        column="scope",
        mark="s",
    ),
    Filter(
        "type",
        "Notes of this type: decision, bugfix, …",
        {NOTE: "type = :type"},
        normal=public_name,
        column="type",
        mark="t",
    ),
    Filter(
        "namespace",
        "Of this agent's namespace.",
        # The index of the notes that have one has no others.
        {**_everywhere("namespace = :namespace"), NOTE: "namespace = :namespace AND namespace <> ''"},
        normal=public_name,
        column="namespace",
        mark="n",
    ),
    Filter(
        "session",
        "Of this session.",
        {**_everywhere("session_id = :session"), SESSION: "id = :session"},
        normal=public_name,
        column="session_id",
        mark="e",
    ),
    Filter(
        "since",
        "From this day or time on.",
        {**_everywhere("created_at >= :since"), SESSION: "active_at >= :since"},
        parse=read_time,
        example="2026-11-15",
    ),
    Filter(
        "until",
        "Up to this day, or before this time.",
        {**_everywhere("created_at < :until"), SESSION: "started_at < :until"},
        parse=partial(read_time, end=True),
        example="2026-11-15",
    ),
    Filter(
        "origin",
        f"Notes that one of these said: {', '.join(KINDS)}.",
        {NOTE: "origin || ':' LIKE :origin || ':%' AND origin <> ''"},
        parse=read_origin,
        normal=_small,
        example="agent:claude-code",
    ),
)
NAMES = tuple(each.name for each in FILTERS)

# How many there are is counted by these, so that nothing has to be read for it.
TALLIED: Mapping[ItemKind, frozenset[str]] = {
    NOTE: frozenset(("project", "scope", "type", "namespace")),
    SESSION: frozenset(("project",)),
    PROMPT: frozenset(("project",)),
}


def filters_of(*kinds: ItemKind) -> tuple[Filter, ...]:
    """Returns the filters of memory that at least one of some kinds of items has."""
    return tuple(each for each in FILTERS if any(kind in each.clauses for kind in kinds))


def given_in(query: Query) -> tuple[Filter, ...]:
    """Returns the filters of memory that a query gives."""
    return tuple(each for each in FILTERS if getattr(query, each.name))


def parse_query(words: Mapping[str, str]) -> Query:
    """Returns the query for items of memory that filters ask for, from their words at any door; other words are left alone."""
    read: dict[str, Any] = {each.name: each.parse(words.get(each.name, "")) for each in FILTERS}
    return Query(**read)


@lru_cache(maxsize=256)  # one context asks four listings the same
def normal(query: Query) -> Query:
    """Returns a query with its names normalised, ready to become a condition of SQL or of the index of memory."""
    names: dict[str, Any] = {each.name: each.normal(getattr(query, each.name)) for each in given_in(query)}
    return query._replace(**names)
