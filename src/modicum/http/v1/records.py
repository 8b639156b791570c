"""What /v1 returns beside pages: notes, sessions, prompts, revisions, relations, counts."""

import msgspec

from modicum.memory import model


class PageItemJson(msgspec.Struct, omit_defaults=True):
    """An item of a page, and what became of it."""

    key: str
    id: int | str
    fate: str
    size: int
    reason: str | None
    title: str = ""
    type: str = ""
    date: str = ""
    score: float = 0.0
    why: str = ""


class PageJson(msgspec.Struct):
    """A page in the amount asked for."""

    text: str
    used: int
    limit: int | None
    unit: str
    shown: int
    total: int
    omitted: int
    next: str | None
    items: list[PageItemJson]


class RelationJson(msgspec.Struct):
    """An edge from one note to another."""

    id: int
    from_id: int
    to_id: int
    type: str
    note: str
    created_at: str


class NoteJson(msgspec.Struct):
    """A note, whole."""

    id: int
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


class NoteWithRelations(NoteJson):
    """A note, whole, and its relations."""

    relations: list[RelationJson] = []


class SavedJson(msgspec.Struct):
    """What became of a note that was sent: created, updated (its topic was there) or duplicate."""

    id: int
    outcome: str
    suggested_topic: str
    warnings: list[str]


class CapturedJson(msgspec.Struct):
    """How many learnings a text lists, the notes that were made of them, and how many were there already."""

    extracted: int
    saved: list[int]
    duplicates: int


class IdJson(msgspec.Struct):
    """The number of what was changed."""

    id: int


class RevisionJson(msgspec.Struct):
    """A note as it was."""

    note_id: int
    number: int
    type: str
    title: str
    content: str
    tool_name: str
    saved_at: str


class HistoryJson(msgspec.Struct):
    """Every wording of a note, the present one first."""

    revisions: list[RevisionJson]


class RelationsJson(msgspec.Struct):
    """Relations of a note."""

    relations: list[RelationJson]


class SessionJson(msgspec.Struct):
    """A session."""

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
    """What the user typed."""

    id: int
    sync_id: str
    session_id: str
    content: str
    project: str
    namespace: str
    created_at: str
    owner: str


class BriefNoteJson(msgspec.Struct):
    """What one line tells of a note."""

    id: int
    type: str
    title: str


class BriefJson(msgspec.Struct):
    """What a hook tells: pinned notes, notes, how the last session ended, how many notes there are."""

    pinned: list[BriefNoteJson]
    notes: list[BriefNoteJson]
    summary: str
    total: int


class StatsJson(msgspec.Struct):
    """How much there is; projects with notes, the most recent first."""

    sessions: int
    notes: int
    prompts: int
    projects: list[str]


class MovedJson(msgspec.Struct):
    """How much was moved."""

    notes: int
    sessions: int
    prompts: int


class HealthJson(msgspec.Struct):
    """That the server is there and can read its store."""

    status: str
    version: str


class AuditEntryJson(msgspec.Struct):
    """Who did what, and when."""

    id: int
    at: str
    person: str
    action: str
    kind: str
    item: str
    project: str
    title: str


class AuditJson(msgspec.Struct):
    """What was done, the latest first."""

    entries: list[AuditEntryJson]
    next: str | None


class HomeJson(msgspec.Struct):
    """Where to go on."""

    service: str
    version: str
    api: str
    openapi: str
    mcp: str
    docs: str


def note_json(note: model.Note) -> NoteJson:
    return NoteJson(**{**note._asdict(), "pinned": bool(note.pinned)})


def note_with_relations(note: model.Note, relations: tuple[model.Relation, ...]) -> NoteWithRelations:
    fields = {**note._asdict(), "pinned": bool(note.pinned)}
    return NoteWithRelations(**fields, relations=[RelationJson(*each) for each in relations])
