"""The JSON records that engram's routes return: field names, order and what is left out."""

from collections.abc import Iterable

import msgspec

from modicum.compat.engram import WIRE_VERSION
from modicum.compat.engram.context_text import plain_time
from modicum.compat.engram.go_json import listed, number
from modicum.memory import model


class TimelineEntry(msgspec.Struct, kw_only=True, omit_defaults=True):
    """engram's record of an observation in a timeline."""

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


class ObservationRecord(msgspec.Struct, kw_only=True, omit_defaults=True):
    """engram's record of an observation."""

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


class SearchResultRecord(ObservationRecord, kw_only=True, omit_defaults=True):
    """engram's record of a search hit: an observation with a rank, the smaller the better."""

    rank: msgspec.Raw


class PromptRecord(msgspec.Struct, kw_only=True, omit_defaults=True):
    """engram's record of a prompt that the user typed."""

    id: int
    sync_id: str
    session_id: str
    content: str
    project: str = ""
    created_at: str


class SessionRecord(msgspec.Struct, kw_only=True, omit_defaults=True):
    """engram's record of a session."""

    id: str
    project: str
    directory: str
    started_at: str
    ended_at: str = ""
    summary: str = ""


class SessionSummaryRecord(msgspec.Struct, kw_only=True, omit_defaults=True):
    """engram's record of a session in a list."""

    id: str
    project: str
    started_at: str
    ended_at: str = ""
    summary: str = ""
    observation_count: int


class TimelineRecord(msgspec.Struct):
    """engram's record of a timeline: an observation among its neighbours."""

    focus: ObservationRecord
    before: list[TimelineEntry] | None
    after: list[TimelineEntry] | None
    session_info: SessionRecord | None
    total_in_range: int


class ExportRecord(msgspec.Struct):
    """engram's record of an export: all sessions, observations and prompts."""

    version: str
    exported_at: str
    sessions: list[SessionRecord] | None
    observations: list[ObservationRecord] | None
    prompts: list[PromptRecord] | None


class StatsRecord(msgspec.Struct):
    """engram's record of counts."""

    total_sessions: int
    total_observations: int
    total_prompts: int
    projects: list[str] | None


_TIMES = ("last_seen_at", "created_at", "updated_at", "deleted_at")


def _fields(found: model.Note, names: Iterable[str]) -> dict[str, object]:
    values = {name: getattr(found, name) for name in names}
    return values | {name: plain_time(values[name]) for name in _TIMES}


_OBSERVATION = ObservationRecord.__struct_fields__
_ENTRY = tuple(name for name in TimelineEntry.__struct_fields__ if name != "is_focus")


def observation(found: model.Note) -> ObservationRecord:
    return ObservationRecord(**_fields(found, _OBSERVATION))  # type: ignore[arg-type]  # fields by name


def entry(found: model.Note) -> TimelineEntry:
    return TimelineEntry(**_fields(found, _ENTRY), is_focus=False)  # type: ignore[arg-type]  # fields by name


def search_result(found: model.SearchHit) -> SearchResultRecord:
    return SearchResultRecord(**_fields(found.note, _OBSERVATION), rank=number(-found.score))  # type: ignore[arg-type]  # fields by name


def prompt(found: model.Prompt) -> PromptRecord:
    return PromptRecord(
        id=found.id,
        sync_id=found.sync_id,
        session_id=found.session_id,
        content=found.content,
        project=found.project,
        created_at=plain_time(found.created_at),
    )


def session(found: model.Session) -> SessionRecord:
    return SessionRecord(
        id=found.id,
        project=found.project,
        directory=found.directory,
        started_at=plain_time(found.started_at),
        ended_at=plain_time(found.ended_at),
        summary=found.summary,
    )


def session_summary(found: model.Session) -> SessionSummaryRecord:
    return SessionSummaryRecord(
        id=found.id,
        project=found.project,
        started_at=plain_time(found.started_at),
        ended_at=plain_time(found.ended_at),
        summary=found.summary,
        observation_count=found.notes,
    )


def timeline(found: model.Timeline) -> TimelineRecord:
    return TimelineRecord(
        observation(found.focus),
        listed(map(entry, found.before)),
        listed(map(entry, found.after)),
        session(found.session) if found.session else None,
        found.total,
    )


def export(found: model.Archive) -> ExportRecord:
    return ExportRecord(
        WIRE_VERSION,
        plain_time(found.exported_at),
        listed(map(session, found.sessions)),
        listed(map(observation, found.notes)),
        listed(map(prompt, found.prompts)),
    )


def stats(found: model.Stats) -> StatsRecord:
    return StatsRecord(found.sessions, found.notes, found.prompts, listed(found.projects))
