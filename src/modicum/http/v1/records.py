"""The JSON records that /v1 returns beside pages: notes, sessions, prompts, relations, counts."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from modicum.memory.brief.lines import Brief, names_of


class PageItemJson(msgspec.Struct, omit_defaults=True):
    """The JSON record of an item on a page that /v1 returns, and whether it was shortened or left out."""

    key: str
    id: int | str
    fate: str
    size: int
    reason: str | None
    number: int = 0
    title: str = ""
    type: str = ""
    date: str = ""
    project: str = ""
    score: float = 0.0
    why: str = ""
    nearby: bool = False
    notes: int = 0
    sessions: int = 0
    prompts: int = 0
    origin: str = ""


class PlaceJson(msgspec.Struct):
    """The record in a reply under /v1 of the place where a check found something: a file and line, and the heading above."""

    file: str | None
    line: int
    heading: str | None


class FindingJson(msgspec.Struct):
    """The JSON record of a finding of a check on a page that /v1 returns: an item with what bears on the change, and where."""

    key: str
    id: int | str
    kind: str
    name: str
    status: str | None
    where: PlaceJson | None
    against: str | None
    score: float
    why: str
    fate: str
    size: int
    reason: str | None


class PageCountsJson(msgspec.Struct):
    """The JSON record of the text of a page that /v1 returns, its size, its counts and its cursor."""

    text: str
    used: int
    limit: int | None
    unit: str
    shown: int
    total: int
    omitted: int
    next: str | None


class PageJson(PageCountsJson):
    """The JSON record of a page that /v1 returns, in the amount asked for."""

    items: list[PageItemJson]


class CheckPageJson(PageCountsJson):
    """The JSON record of a page of findings that /v1 returns, in the amount asked for."""

    items: list[FindingJson]


class NamedNoteJson(msgspec.Struct):
    """The JSON record of a note that a batch changed, as /v1 names it."""

    id: str
    number: int
    title: str


class BatchJson(msgspec.Struct):
    """The JSON record of a batch in the log that /v1 returns: one change of memory."""

    id: int
    at: str
    person: str
    source: str
    kind: str
    undoes: int | None
    counts: dict[str, int]
    notes: list[NamedNoteJson]
    undone_by: int | None


class LogJson(msgspec.Struct):
    """The JSON record of the log of batches, as /v1 returns it."""

    batches: list[BatchJson]
    next: str | None


class UndoneJson(msgspec.Struct):
    """The JSON record of an undo that /v1 returns: what it took back, as which batch, and what it left.

    It also says who had changed it and through what, in which projects, which other people's notes it reached, how many notes
    others have already through a sync, and how many were deleted for good, which nothing brings back.
    """

    batch: int
    kind: str
    number: int | None
    counts: dict[str, int]
    notes: list[NamedNoteJson]
    left: list[NamedNoteJson]
    person: str
    source: str
    projects: list[str]
    owners: list[str]
    shared: int
    lost: int


class RelationJson(msgspec.Struct):
    """The JSON record of a relation from one note to another, as /v1 returns it; the ends are public ids."""

    id: int
    from_id: str
    to_id: str
    type: str
    note: str
    created_at: str


class NoteJson(msgspec.Struct):
    """The JSON record of a whole note, as /v1 returns it: `id` is its public id, `number` its id in this memory."""

    id: str
    number: int
    sync_id: str
    session_id: str
    type: str
    title: str
    content: str
    tool_name: str
    author: str
    project: str
    scope: str
    topic_key: str
    namespace: str
    pinned: bool
    revision_count: int
    duplicate_count: int
    last_seen_at: str
    created_at: str
    updated_at: str
    deleted_at: str
    owner: str
    origin: str
    pinned_by: str


class NoteWithRelations(NoteJson):
    """The JSON record of a whole note and its relations, as /v1 returns it."""

    relations: list[RelationJson] = []


class SavedJson(msgspec.Struct):
    """The JSON record /v1 returns for a saved note: created, updated (same topic) or duplicate."""

    id: str
    number: int
    outcome: str
    suggested_topic: str
    warnings: list[str]


class CapturedJson(msgspec.Struct):
    """The JSON record /v1 returns for captured learnings: how many, new notes, and duplicates."""

    extracted: int
    saved: list[str]
    duplicates: int


class IdJson(msgspec.Struct):
    """The JSON record with the number of the changed item, as /v1 returns it."""

    id: int


class NoteIdJson(msgspec.Struct):
    """The JSON record of the name and title of a changed note, as /v1 returns it."""

    id: str
    number: int
    title: str


class RevisionJson(msgspec.Struct):
    """The JSON record of an earlier wording of a note, as /v1 returns it."""

    note_id: str
    number: int
    type: str
    title: str
    content: str
    tool_name: str
    saved_at: str


class HistoryJson(msgspec.Struct):
    """The JSON record of every wording of a note, the present one first, as /v1 returns it."""

    revisions: list[RevisionJson]


class RelationsJson(msgspec.Struct):
    """The JSON record of the relations of a note, as /v1 returns it."""

    relations: list[RelationJson]


class SessionJson(msgspec.Struct):
    """The JSON record of a session, as /v1 returns it."""

    id: str
    project: str
    directory: str
    namespace: str
    started_at: str
    ended_at: str
    summary: str
    notes: int
    active_at: str


class PromptJson(msgspec.Struct):
    """The JSON record of a prompt that the user typed, as /v1 returns it."""

    id: int
    sync_id: str
    session_id: str
    content: str
    project: str
    namespace: str
    created_at: str
    owner: str


class BriefNoteJson(msgspec.Struct):
    """The JSON record of a note in a brief for hooks, as /v1 returns it."""

    id: str
    number: int
    type: str
    title: str
    origin: str
    pinned_by: str
    saved_at: str


class BriefJson(msgspec.Struct):
    """The JSON record of the brief for hooks: pinned notes, notes, last summary, numbers of notes and of those in the inbox."""

    pinned: list[BriefNoteJson]
    notes: list[BriefNoteJson]
    summary: str
    total: int
    waiting: int
    elsewhere: list[str]


class StatsJson(msgspec.Struct):
    """The JSON record of counts, and of projects with notes, the most recent first, as /v1 returns it."""

    sessions: int
    notes: int
    prompts: int
    projects: list[str]


class MovedJson(msgspec.Struct):
    """The JSON record of how many items a merge of projects has moved, as /v1 returns it."""

    notes: int
    sessions: int
    prompts: int


class HealthJson(msgspec.Struct):
    """The JSON record saying that the server runs and can read its store, as /v1 returns it."""

    status: str
    version: str


class AuditEntryJson(msgspec.Struct):
    """The JSON record of one entry of the audit: who did what, and when."""

    id: int
    at: str
    person: str
    action: str
    kind: str
    item: str
    project: str
    title: str


class AuditJson(msgspec.Struct):
    """The JSON record of the audit, the latest entry first, as /v1 returns it."""

    entries: list[AuditEntryJson]
    next: str | None


def note_with_relations(note: Mapping[str, Any], relations: Iterable[Mapping[str, Any]]) -> NoteWithRelations:
    return NoteWithRelations(**note, relations=relations_json(relations).relations)


def relations_json(relations: Iterable[Mapping[str, Any]]) -> RelationsJson:
    return RelationsJson([RelationJson(**each) for each in relations])


def brief_json(brief: Brief) -> BriefJson:
    names = names_of((*brief.pinned, *brief.notes))
    pinned, recent = (
        [
            BriefNoteJson(names[note.id], note.id, *note[1:3], note.origin, note.pinned_by, note.saved_at)
            for note in notes
        ]
        for notes in (brief.pinned, brief.notes)
    )
    return BriefJson(pinned, recent, brief.summary, brief.total, brief.waiting, list(brief.elsewhere))
