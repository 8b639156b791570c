"""The records that engram's routes hand over: names, order and what is left out when there is none."""

from collections.abc import Iterable

import msgspec

from modicum.http.wire import listed, number
from modicum.memory import model
from modicum.memory.compat import plain_time

VERSION = "0.1.0"  # of engram's wire format


class Entry(msgspec.Struct, kw_only=True, omit_defaults=True):
    """An observation among its neighbours."""

    id: int
    session_id: str
    type: str
    title: str
    content: str
    tool_name: str = ""
    project: str = ""
    scope: str
    topic_key: str = ""
    revision_count: int
    duplicate_count: int
    last_seen_at: str = ""
    created_at: str
    updated_at: str
    deleted_at: str = ""
    is_focus: bool


class Observation(msgspec.Struct, kw_only=True, omit_defaults=True):
    """An observation."""

    id: int
    sync_id: str
    session_id: str
    type: str
    title: str
    content: str
    tool_name: str = ""
    project: str = ""
    scope: str
    topic_key: str = ""
    revision_count: int
    duplicate_count: int
    last_seen_at: str = ""
    created_at: str
    updated_at: str
    deleted_at: str = ""


class SearchResult(Observation, kw_only=True, omit_defaults=True):
    """A hit: the smaller its rank, the better."""

    rank: msgspec.Raw


class Prompt(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What the user typed."""

    id: int
    sync_id: str
    session_id: str
    content: str
    project: str = ""
    created_at: str


class Session(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A session."""

    id: str
    project: str
    directory: str
    started_at: str
    ended_at: str = ""
    summary: str = ""


class SessionSummary(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A session in a list."""

    id: str
    project: str
    started_at: str
    ended_at: str = ""
    summary: str = ""
    observation_count: int


class Timeline(msgspec.Struct):
    """An observation among its neighbours."""

    focus: Observation
    before: list[Entry] | None
    after: list[Entry] | None
    session_info: Session | None
    total_in_range: int


class Export(msgspec.Struct):
    """Everything."""

    version: str
    exported_at: str
    sessions: list[Session] | None
    observations: list[Observation] | None
    prompts: list[Prompt] | None


class Stats(msgspec.Struct):
    """How much there is."""

    total_sessions: int
    total_observations: int
    total_prompts: int
    projects: list[str] | None


_TIMES = ("last_seen_at", "created_at", "updated_at", "deleted_at")


def _fields(found: model.Observation, names: Iterable[str]) -> dict[str, object]:
    values = {name: getattr(found, name) for name in names}
    return values | {name: plain_time(values[name]) for name in _TIMES}


_OBSERVATION = Observation.__struct_fields__
_ENTRY = tuple(name for name in Entry.__struct_fields__ if name != "is_focus")


def observation(found: model.Observation) -> Observation:
    return Observation(**_fields(found, _OBSERVATION))  # type: ignore[arg-type]


def entry(found: model.Observation) -> Entry:
    return Entry(**_fields(found, _ENTRY), is_focus=False)  # type: ignore[arg-type]


def search_result(found: model.Found) -> SearchResult:
    return SearchResult(**_fields(found.observation, _OBSERVATION), rank=number(-found.score))  # type: ignore[arg-type]


def prompt(found: model.Prompt) -> Prompt:
    return Prompt(
        id=found.id,
        sync_id=found.sync_id,
        session_id=found.session_id,
        content=found.content,
        project=found.project,
        created_at=plain_time(found.created_at),
    )


def session(found: model.Session) -> Session:
    return Session(
        id=found.id,
        project=found.project,
        directory=found.directory,
        started_at=plain_time(found.started_at),
        ended_at=plain_time(found.ended_at),
        summary=found.summary,
    )


def session_summary(found: model.Session) -> SessionSummary:
    return SessionSummary(
        id=found.id,
        project=found.project,
        started_at=plain_time(found.started_at),
        ended_at=plain_time(found.ended_at),
        summary=found.summary,
        observation_count=found.observations,
    )


def timeline(found: model.Timeline) -> Timeline:
    return Timeline(
        observation(found.focus),
        listed(map(entry, found.before)),
        listed(map(entry, found.after)),
        session(found.session) if found.session else None,
        found.total,
    )


def export(found: model.Archive) -> Export:
    return Export(
        VERSION,
        plain_time(found.exported_at),
        listed(map(session, found.sessions)),
        listed(map(observation, found.observations)),
        listed(map(prompt, found.prompts)),
    )


def stats(found: model.Stats) -> Stats:
    return Stats(found.sessions, found.observations, found.prompts, listed(found.projects))
