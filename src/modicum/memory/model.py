"""The data model of memory: what it holds, queries and results. An empty string stands for a missing value.

The values are named tuples and not dataclasses: each is one row, they are made by the hundred, and a hook that has
30 ms to answer would spend most of them on importing `dataclasses`.
"""

from enum import StrEnum

from modicum.base.errors import ModicumError
from modicum.base.named_tuple import NamedTuple
from modicum.base.typing_names import Generic, TypeVar
from modicum.memory.names import GLOBAL as GLOBAL
from modicum.memory.names import PERSONAL as PERSONAL
from modicum.memory.names import PROJECT as PROJECT
from modicum.memory.names import SCOPES as SCOPES
from modicum.memory.names import public_id, public_number
from modicum.memory.projects.keys import NamedProject, ProjectKey
from modicum.memory.types import NOTE_TYPES as NOTE_TYPES
from modicum.memory.types import NOTE_TYPES_LISTED as NOTE_TYPES_LISTED

Item = TypeVar("Item")

DEFAULT_TYPE = "manual"
PASSIVE = "passive"
COMPACTION_SUMMARY = "compaction_summary"
SESSION_SUMMARY = "session_summary"

RELATES_TO = "relates_to"
# What memory itself thinks of a new note and one that is there: it orders and advises by these, and deletes nothing.
RESTATES, REPLACES = "restates", "replaces"
GUESSED = (RESTATES, REPLACES)
RELATION_TYPES = (
    *(RELATES_TO, "supersedes", "contradicts", "depends_on", "caused_by", "implements", "part_of"),
    *GUESSED,
)
COMPACTED_FROM = "compacted_from"

HOOK = "hook"  # the source of what a hook writes without being asked
HOOK_AGENT = "modicum-hook"  # how a hook introduces itself to a server

DEDUPE_SECONDS = 15 * 60
MOST_COMPACTED = 200
DEEPEST_GRAPH = 5


class NotFound(ModicumError):  # noqa: N818 - says what happened
    """The error that memory holds nothing with that id."""


class Refused(ModicumError):  # noqa: N818 - says what happened
    """The error of memory that it cannot do what was requested, whatever the state of the database."""


class Unusable(ModicumError):  # noqa: N818 - says what happened
    """The error that the database of memory cannot be read or written."""


class Forbidden(ModicumError):  # noqa: N818 - says what happened
    """The error of memory that a person may not read or change this."""


class Session(NamedTuple):
    """A session in memory: a stretch of work. `active_at` is when its last note was made, or its start."""

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
    """A prompt in memory: what the user typed."""

    id: int
    sync_id: str
    session_id: str
    content: str
    project: str = ""
    namespace: str = ""
    created_at: str = ""
    owner: str = ""


class Note(NamedTuple):
    """A note in memory: something to know later. All copies share its `sync_id`; `owner` saved it first."""

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
    origin: str = ""  # who said so, as the door saw it: `origins`
    pinned_by: str = ""  # the machine that pinned it, if it was another one; while that is not confirmed here, `pinned` is 0

    @property
    def public_id(self) -> str:
        """Returns the name of the note in memory that is the same on every machine: `n-7kq2m4`."""
        return public_id(public_number(self.sync_id))


class WaitingNote(NamedTuple):
    """A note in the inbox of memory: why it waits for a person, and the id of the note that may say it already."""

    note: Note
    reason: str = ""
    said_by: int = 0

    @property
    def id(self) -> int:
        return self.note.id

    @property
    def created_at(self) -> str:
        return self.note.created_at


class Revision(NamedTuple):
    """A revision of a note in memory: the note as it was. The first is number 1."""

    note_id: int
    number: int
    type: str
    title: str
    content: str
    tool_name: str = ""
    saved_at: str = ""


class Relation(NamedTuple):
    """A relation in memory: an edge from one note to another."""

    id: int
    from_id: int
    to_id: int
    type: str = RELATES_TO
    note: str = ""
    created_at: str = ""


class Progress(NamedTuple):
    """A progress document in memory: JSON that says how far a project, or one agent in it, has come."""

    id: int
    project: str
    namespace: str
    content: str
    revision_count: int = 1
    created_at: str = ""
    updated_at: str = ""


class NoteDraft(NamedTuple):
    """A draft of a note to save in memory; without a session it joins its project's default session."""

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
    """The outcome of saving a draft in memory."""

    CREATED = "created"
    UPDATED = "updated"  # its topic was there: a new revision of that
    DUPLICATE = "duplicate"  # the same was saved just now
    INBOX = "inbox"  # it waits for a person


class Saved(NamedTuple):
    """The result of saving a draft in memory: the note that now holds it, and another that it was linked to, by which relation."""

    id: int
    outcome: SaveOutcome
    linked: int = 0
    relation: str = ""


class Changes(NamedTuple):
    """The changes to make to a note in memory: None leaves a field as it is, an empty string clears it."""

    title: str | None = None
    content: str | None = None
    type: str | None = None
    project: str | None = None
    scope: str | None = None
    topic_key: str | None = None
    namespace: str | None = None


class Query(NamedTuple):
    """A query: which items of memory. An empty field does not matter; `since` is included, `until` is not.

    With `everywhere`, notes of scope global answer a search whatever their project is.
    """

    project: str = ""
    scope: str = ""
    type: str = ""
    namespace: str = ""
    session: str = ""
    since: str = ""
    until: str = ""
    origin: str = ""  # a kind of origin, or a whole one
    limit: int = 20
    cursor: str = ""
    everywhere: bool = False


class Listing(NamedTuple, Generic[Item]):
    """One page of items of memory, newest first; `next` is the cursor of the page that follows, or empty."""

    items: tuple[Item, ...] = ()
    next: str = ""


class Context(NamedTuple):
    """The context of a new session: items of memory, each part newest first, all read at one time."""

    sessions: tuple[Session, ...]
    prompts: tuple[Prompt, ...]
    notes: tuple[Note, ...]
    pinned: tuple[Note, ...] = ()
    everywhere: tuple[Note, ...] = ()  # notes of scope global from other projects


class Timeline(NamedTuple):
    """A timeline: a note among the notes of its session, oldest first; `total` is how many there are."""

    focus: Note
    before: tuple[Note, ...]
    after: tuple[Note, ...]
    session: Session | None
    total: int


class SearchHit(NamedTuple):
    """A hit of a search in memory, with reasons for its rank; if `nearby`, only neighbours have the words."""

    note: Note
    score: float
    reasons: tuple[str, ...] = ()
    nearby: bool = False


class Results(NamedTuple):
    """The results of a search in memory: one page, best first; `total` is the size of the whole result."""

    items: tuple[SearchHit, ...] = ()
    total: int = 0
    next: str = ""


class Neighbour(NamedTuple):
    """A neighbour of a note in the graph of relations: how far, and by which relation it is reached."""

    note: Note
    depth: int
    relation: Relation
    outgoing: bool


class NotePair(NamedTuple):
    """Two notes of memory that somebody should look at together, the newer first; `relation` is the one between them, or 0."""

    newer: Note
    older: Note
    relation: int = 0


class Captured(NamedTuple):
    """The result of a passive capture: what memory saved of the learnings in a text."""

    extracted: int = 0
    saved: tuple[int, ...] = ()
    duplicates: int = 0


class StoreProblem(NamedTuple):
    """A problem of the database of memory, and whether it is mended by making the index anew."""

    sentence: str
    index_mends: bool = False


class Compacted(NamedTuple):
    """The result of a compaction; `skipped` were gone, too young, or not what the query asks for."""

    deleted: tuple[int, ...]
    skipped: tuple[int, ...]
    before: int
    after: int
    summary_id: int = 0


class ProjectStats(NamedTuple):
    """The statistics of a project in memory: how much there is of it, and where it was worked on."""

    name: str
    notes: int = 0
    sessions: int = 0
    prompts: int = 0
    latest_at: str = ""
    directories: tuple[str, ...] = ()


class Stats(NamedTuple):
    """The statistics of all memory: how much there is, and the projects with notes, the most recent first."""

    sessions: int
    notes: int
    prompts: int
    projects: tuple[str, ...]


class ProjectMove(NamedTuple):
    """The result of moving or removing a project: how many items of memory were affected."""

    notes: int = 0
    sessions: int = 0
    prompts: int = 0


class Archive(NamedTuple):
    """A value of memory: everything in it as plain values; relations and revisions name notes by its ids."""

    exported_at: str = ""
    sessions: tuple[Session, ...] = ()
    notes: tuple[Note, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    relations: tuple[Relation, ...] = ()
    revisions: tuple[Revision, ...] = ()
    progress: tuple[Progress, ...] = ()
    projects: tuple[NamedProject, ...] = ()
    keys: tuple[ProjectKey, ...] = ()


class Imported(NamedTuple):
    """A value of memory: how much of an archive was new when it was taken in."""

    sessions: int = 0
    notes: int = 0
    prompts: int = 0
    relations: int = 0
    revisions: int = 0
    progress: int = 0


class ImportProblem(NamedTuple):
    """A value of memory: where an item is that an import could not read, and why."""

    where: str
    reason: str
