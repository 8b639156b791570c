"""What memory holds, and what is asked of it. An empty string stands for what is not there.

The values are named tuples and not dataclasses: each is one row, they are made by the hundred, and a hook that has
30 ms to answer would spend most of them on importing `dataclasses`.
"""

from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from modicum.base.errors import ModicumError
from modicum.memory.names import GLOBAL as GLOBAL
from modicum.memory.names import PERSONAL as PERSONAL
from modicum.memory.names import PROJECT as PROJECT
from modicum.memory.names import SCOPES as SCOPES

Item = TypeVar("Item")

DEFAULT_TYPE = "manual"
PASSIVE = "passive"
COMPACTION_SUMMARY = "compaction_summary"
SESSION_SUMMARY = "session_summary"

RELATES_TO = "relates_to"
COMPACTED_FROM = "compacted_from"

DEDUPE_SECONDS = 15 * 60
MOST_COMPACTED = 200
DEEPEST_GRAPH = 5


class NotFound(ModicumError):  # noqa: N818 - says what happened
    """There is nothing with that id."""


class Refused(ModicumError):  # noqa: N818 - says what happened
    """What was asked for cannot be done, whatever the state of the database."""


class Unusable(ModicumError):  # noqa: N818 - says what happened
    """The database cannot be read or written."""


class Forbidden(ModicumError):  # noqa: N818 - says what happened
    """This person may not do it."""


class Session(NamedTuple):
    """A stretch of work. `active_at` is when its last note was made, or its start."""

    id: str
    project: str = ""
    directory: str = ""
    namespace: str = ""
    started_at: str = ""
    ended_at: str = ""
    summary: str = ""
    notes: int = 0
    active_at: str = ""


class Prompt(NamedTuple):
    """What the user typed."""

    id: int
    sync_id: str
    session_id: str
    content: str
    project: str = ""
    namespace: str = ""
    created_at: str = ""
    owner: str = ""


class Note(NamedTuple):
    """Something worth knowing later; `sync_id` is the same wherever a copy of it is, `owner` is who saved it first."""

    id: int
    sync_id: str
    session_id: str
    type: str
    title: str
    content: str
    tool_name: str = ""
    author: str = ""
    project: str = ""
    scope: str = PROJECT
    topic_key: str = ""
    namespace: str = ""
    pinned: int = 0
    revision_count: int = 1
    duplicate_count: int = 1
    last_seen_at: str = ""
    created_at: str = ""
    updated_at: str = ""
    deleted_at: str = ""
    owner: str = ""


class Revision(NamedTuple):
    """A note as it was, the first is number 1."""

    note_id: int
    number: int
    type: str
    title: str
    content: str
    tool_name: str = ""
    saved_at: str = ""


class Relation(NamedTuple):
    """An edge from one note to another."""

    id: int
    from_id: int
    to_id: int
    type: str = RELATES_TO
    note: str = ""
    created_at: str = ""


class Progress(NamedTuple):
    """The one document in JSON that says how far a project, or one agent in it, has come."""

    id: int
    project: str
    namespace: str
    content: str
    revision_count: int = 1
    created_at: str = ""
    updated_at: str = ""


class NoteDraft(NamedTuple):
    """A note that is to be saved. Without a session it joins the default one of its project."""

    title: str
    content: str
    type: str = DEFAULT_TYPE
    project: str = ""
    session_id: str = ""
    scope: str = PROJECT
    topic_key: str = ""
    namespace: str = ""
    tool_name: str = ""
    author: str = ""


class SaveOutcome(StrEnum):
    """What became of a draft."""

    CREATED = "created"
    UPDATED = "updated"  # its topic was there: a new revision of that
    DUPLICATE = "duplicate"  # the same was saved just now


class Saved(NamedTuple):
    """The note that now holds a draft."""

    id: int
    outcome: SaveOutcome


class Changes(NamedTuple):
    """What to change of a note: None leaves a field as it is, an empty string clears it."""

    title: str | None = None
    content: str | None = None
    type: str | None = None
    project: str | None = None
    scope: str | None = None
    topic_key: str | None = None
    namespace: str | None = None


class Sort(StrEnum):
    """Which time makes an item recent."""

    CREATED = "created_at"
    UPDATED = "updated_at"


class Query(NamedTuple):
    """Which items: an empty field does not matter. `since` is included, `until` is not.

    With `everywhere`, notes of scope global answer a search whatever their project is.
    """

    project: str = ""
    scope: str = ""
    type: str = ""
    namespace: str = ""
    session: str = ""
    since: str = ""
    until: str = ""
    limit: int = 20
    cursor: str = ""
    sort: Sort = Sort.CREATED
    everywhere: bool = False

    def admits(self, found: Note) -> bool:
        """Whether a note is one of those that are asked for."""
        project = "" if self.everywhere and found.scope == GLOBAL else self.project
        pairs = (
            (project, found.project),
            (self.scope, found.scope),
            (self.type, found.type),
            (self.namespace, found.namespace),
            (self.session, found.session_id),
        )
        alike = all(wanted in ("", present) for wanted, present in pairs)
        return alike and self.since <= found.created_at and (not self.until or found.created_at < self.until)


class Listing(NamedTuple, Generic[Item]):
    """One page of items, newest first; `next` is the cursor of the page that follows, or empty."""

    items: tuple[Item, ...] = ()
    next: str = ""


class Context(NamedTuple):
    """What a new session should know, each part newest first, all read at one moment."""

    sessions: tuple[Session, ...]
    prompts: tuple[Prompt, ...]
    notes: tuple[Note, ...]
    pinned: tuple[Note, ...] = ()
    everywhere: tuple[Note, ...] = ()  # notes of scope global from other projects


class Timeline(NamedTuple):
    """A note among those of its session, oldest first; `total` is how many the session has."""

    focus: Note
    before: tuple[Note, ...]
    after: tuple[Note, ...]
    session: Session | None
    total: int


class SearchHit(NamedTuple):
    """A hit of a search, with the reasons for its place; `nearby` has none of the words, only its neighbours do."""

    note: Note
    score: float
    reasons: tuple[str, ...] = ()
    nearby: bool = False


class Results(NamedTuple):
    """One page of a search, best first; `total` is the size of the whole result."""

    items: tuple[SearchHit, ...] = ()
    total: int = 0
    next: str = ""


class Neighbour(NamedTuple):
    """A note in the graph around another: how far, and by which edge it was reached."""

    note: Note
    depth: int
    relation: Relation
    outgoing: bool


class Captured(NamedTuple):
    """What passive capture made of a text."""

    extracted: int = 0
    saved: tuple[int, ...] = ()
    duplicates: int = 0


class Compacted(NamedTuple):
    """What a compaction did; `skipped` were gone, too young, or not what the query asks for."""

    deleted: tuple[int, ...]
    skipped: tuple[int, ...]
    before: int
    after: int
    summary_id: int = 0


class ProjectStats(NamedTuple):
    """How much there is of a project, and where it was worked on."""

    name: str
    notes: int = 0
    sessions: int = 0
    prompts: int = 0
    latest_at: str = ""
    directories: tuple[str, ...] = ()


class Stats(NamedTuple):
    """How much there is in all; projects with notes, the most recent first."""

    sessions: int
    notes: int
    prompts: int
    projects: tuple[str, ...]


class ProjectMove(NamedTuple):
    """How much went from one project to another, or was removed."""

    notes: int = 0
    sessions: int = 0
    prompts: int = 0


class Archive(NamedTuple):
    """Everything, as plain values; relations and revisions name notes by the ids in it."""

    exported_at: str = ""
    sessions: tuple[Session, ...] = ()
    notes: tuple[Note, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    relations: tuple[Relation, ...] = ()
    revisions: tuple[Revision, ...] = ()
    progress: tuple[Progress, ...] = ()


class Imported(NamedTuple):
    """How much of an archive was new."""

    sessions: int = 0
    notes: int = 0
    prompts: int = 0
    relations: int = 0
    revisions: int = 0
    progress: int = 0


class ImportProblem(NamedTuple):
    """Something that could not be taken over: where it is, and why."""

    where: str
    reason: str
