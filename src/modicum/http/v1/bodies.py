"""The bodies of /v1 requests as msgspec structs."""

from typing import Annotated, Literal

import msgspec

from modicum.memory.model import DEFAULT_TYPE, RELATES_TO

Scope = Literal["project", "personal", "global"]


class NoteBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that saves a note. Without a session, the project's usual one is used."""

    title: str
    content: str
    type: str = DEFAULT_TYPE
    project: str = ""
    session_id: str = ""
    scope: Scope = "project"
    topic_key: str = ""
    namespace: str = ""
    author: str = ""


class NoteChanges(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The body of a /v1 request that changes a note. A field that is missing or null stays as it is."""

    title: str | None = None
    content: str | None = None
    type: str | None = None
    project: str | None = None
    scope: Scope | None = None
    topic_key: str | None = None
    namespace: str | None = None


class CaptureBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request with a text that lists learnings under a heading like "Key Learnings"."""

    content: str
    project: str = ""
    session_id: str = ""
    source: str = ""
    namespace: str = ""


class UndoBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that undoes a batch: which one, the last (of a project) if none is named; or only tells what would be done.

    What other people have, or another project, is reached only with `everywhere`.
    """

    batch: Annotated[int, msgspec.Meta(ge=1, lt=10**18)] | None = None
    dry_run: bool = False
    project: str = ""
    everywhere: bool = False


class RelationBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that relates a note to another: the other note, and the kind."""

    to: str | int
    type: str = RELATES_TO
    note: str = ""
    both: bool = False


class SessionBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that starts a session."""

    id: str
    project: str = ""
    directory: str = ""
    namespace: str = ""


class SessionEnd(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that ends a session. Without a summary, the saved one is used."""

    summary: str = ""


class PromptBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that saves a prompt that the user typed."""

    content: str
    project: str = ""
    session_id: str = ""
    namespace: str = ""


class ProjectMerge(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a /v1 request that merges projects: those to move, and the one that takes them in."""

    sources: list[str]
    target: str
