"""What the screens of memory change: every action is one call of app, and its reply says what was done."""

from typing import Annotated, TypeVar

import msgspec

from modicum.app.browse.changes import change_note, delete_notes, merge_notes, restore_notes
from modicum.app.browse.pairs import PairVerdict, settle
from modicum.app.memory.notes import relate
from modicum.base.errors import ModicumError
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.memory.model import Changes
from modicum.web.answer import json_answer, shown

Body = TypeVar("Body", bound=msgspec.Struct)
Number = Annotated[int, msgspec.Meta(ge=1, lt=10**18)]  # that every database can hold


class ChangedNoteBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request that changes a note; `revision` is the one that the page has shown."""

    id: Number
    revision: int
    title: str
    content: str
    type: str
    topic_key: str | None = None


class PinBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request that pins or unpins a note."""

    id: Number
    pinned: bool


class LinkBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request that relates a note to another one."""

    id: Number
    to: Number
    type: str = ""


class RelationIdBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request that removes a relation."""

    relation: Number


class MergeBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request that merges two notes, with the revisions that the page has shown."""

    keep: Number
    other: Number
    revisions: tuple[int, int]
    title: str
    content: str


class NumbersBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request about several notes."""

    ids: list[Number]


class VerdictBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request with the verdict about a pair of notes."""

    newer: Number
    older: Number
    verdict: PairVerdict


def body_of(request: ApiRequest, kind: type[Body]) -> Body:
    """Returns the body of a request of the workbench. Raises ModicumError if it cannot be read."""
    try:
        return msgspec.json.decode(request.body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ModicumError(f"the body cannot be read: {error}", remedy="load the page again") from error


def change(request: ApiRequest) -> Reply:
    """Changes the text of a note."""
    body = body_of(request, ChangedNoteBody)
    changes = Changes(title=body.title, content=body.content, type=body.type, topic_key=body.topic_key)
    note = change_note(request.store, body.id, changes, seen_revision=body.revision)
    return json_answer({"said": f"#{note.id} changed", "id": note.id})


def pin(request: ApiRequest) -> Reply:
    """Pins or unpins a note."""
    body = body_of(request, PinBody)
    request.store.pin(body.id, pinned=body.pinned)
    return json_answer({"said": f"#{body.id} {'pinned' if body.pinned else 'unpinned'}", "id": body.id})


def link(request: ApiRequest) -> Reply:
    """Relates a note to another one."""
    body = body_of(request, LinkBody)
    relate(request.store, body.id, body.to, body.type)
    return json_answer({"said": f"#{body.id} and #{body.to} are related", "id": body.id})


def unlink(request: ApiRequest) -> Reply:
    """Removes a relation."""
    request.store.unrelate(body_of(request, RelationIdBody).relation)
    return json_answer({"said": "The relation is removed"})


def merge(request: ApiRequest) -> Reply:
    """Merges two notes into one."""
    body = body_of(request, MergeBody)
    changes = Changes(title=body.title, content=body.content)
    note = merge_notes(request.store, body.keep, body.other, changes, seen=body.revisions)
    return json_answer({"said": f"#{body.other} is now part of #{note.id}", "id": note.id})


def delete(request: ApiRequest) -> Reply:
    """Deletes notes; what the reply names can be restored."""
    gone = delete_notes(request.store, body_of(request, NumbersBody).ids)
    words = f'#{gone[0].id} "{shown(gone[0].title[:60])}"' if len(gone) == 1 else f"{len(gone):,} notes"
    return json_answer({"said": f"{words} deleted", "ids": [note.id for note in gone]})


def restore(request: ApiRequest) -> Reply:
    """Restores notes that were deleted."""
    back = restore_notes(request.store, body_of(request, NumbersBody).ids)
    words = "1 note is" if len(back) == 1 else f"{len(back):,} notes are"
    return json_answer({"said": f"{words} back", "ids": [note.id for note in back]})


def verdict(request: ApiRequest) -> Reply:
    """Does what was decided about a pair of notes; what the reply names can be restored."""
    body = body_of(request, VerdictBody)
    said = settle(request.store, body.newer, body.older, body.verdict)
    gone = {PairVerdict.KEEP_NEWER: [body.older], PairVerdict.KEEP_OLDER: [body.newer]}.get(body.verdict, [])
    return json_answer({"said": said, "ids": gone})
