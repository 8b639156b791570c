"""What the screens of memory change: every action is one batch, and its reply says what was done and names the batch."""

from typing import TYPE_CHECKING, Annotated

import msgspec

from modicum.app.counted import counted, enumerated
from modicum.app.memory.notes import find_note, relate, with_title
from modicum.app.workbench.changes import NoteName, change_note, delete_notes, merge_notes
from modicum.app.workbench.pairs import PairVerdict, settle
from modicum.app.workbench.waiting import accept_notes, drop_notes
from modicum.http.body import parse_body
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.memory.model import Changes
from modicum.memory.undo.model import Reach
from modicum.web.answer import json_answer, shown

if TYPE_CHECKING:
    from modicum.memory.store import Store
    from modicum.memory.undo.model import UndoneBatch

Number = Annotated[int, msgspec.Meta(ge=1, lt=10**18)]  # that every database can hold
MOST_NAMED = 3


class ChangedNoteBody(msgspec.Struct, forbid_unknown_fields=True):
    """What a screen sends for the action that changes a note; `revision` is the one that the page has shown."""

    id: NoteName
    revision: int
    title: str
    content: str
    type: str
    topic_key: str | None = None


class PinBody(msgspec.Struct, forbid_unknown_fields=True):
    """What a screen sends for the action that pins or unpins a note."""

    id: NoteName
    pinned: bool


class LinkBody(msgspec.Struct, forbid_unknown_fields=True):
    """What a screen sends for the action that relates a note to another one."""

    id: NoteName
    to: NoteName
    type: str = ""


class RelationIdBody(msgspec.Struct, forbid_unknown_fields=True):
    """What a screen sends for the action that removes a relation between notes."""

    relation: Number


class MergeBody(msgspec.Struct, forbid_unknown_fields=True):
    """What a screen sends for the action that merges two notes, with the revisions that the page has shown."""

    keep: NoteName
    other: NoteName
    revisions: tuple[int, int]
    title: str
    content: str


class ChosenBody(msgspec.Struct, forbid_unknown_fields=True):
    """What a screen sends for an action on several notes that a person has chosen."""

    ids: list[NoteName]


class AcceptedBody(msgspec.Struct, forbid_unknown_fields=True):
    """What a screen sends for the action that accepts notes from the inbox, as they are or with another wording."""

    ids: list[NoteName]
    title: str | None = None
    content: str | None = None
    type: str | None = None


class VerdictBody(msgspec.Struct, forbid_unknown_fields=True):
    """What a screen sends for the action that carries out a verdict about a pair of notes."""

    newer: NoteName
    older: NoteName
    verdict: PairVerdict


class BatchBody(msgspec.Struct, forbid_unknown_fields=True):
    """What a screen sends for the action that takes back a batch of changes."""

    batch: Number


def _done(store: "Store", said: str, **more: object) -> Reply:
    version = store.version()  # the page shows what there is from here on
    return json_answer({"said": shown(said), "batch": store.joined_number, "version": version, **more})


def change(request: ApiRequest) -> Reply:
    """Changes the text of a note."""
    body, store = parse_body(request.body, ChangedNoteBody), request.store.in_one_batch("update")
    changes = Changes(title=body.title, content=body.content, type=body.type, topic_key=body.topic_key)
    note = change_note(store, find_note(store, body.id).id, changes, seen_revision=body.revision)
    return _done(store, f"{with_title(note)} changed", id=note.public_id)


def pin(request: ApiRequest) -> Reply:
    """Pins or unpins a note."""
    body = parse_body(request.body, PinBody)
    store = request.store.in_one_batch("pin" if body.pinned else "unpin")
    note = find_note(store, body.id)
    store.pin(note.id, pinned=body.pinned)
    return _done(store, f"{with_title(note)} {'pinned' if body.pinned else 'unpinned'}", id=note.public_id)


def link(request: ApiRequest) -> Reply:
    """Relates a note to another one."""
    body, store = parse_body(request.body, LinkBody), request.store.in_one_batch("relate")
    note, other = (find_note(store, name) for name in (body.id, body.to))
    relate(store, note.id, other.id, body.type)
    return _done(store, f"{with_title(note)} and {with_title(other)} are related", id=note.public_id)


def unlink(request: ApiRequest) -> Reply:
    """Removes a relation."""
    store = request.store.in_one_batch("unrelate")
    store.unrelate(parse_body(request.body, RelationIdBody).relation)
    return _done(store, "The relation is removed")


def merge(request: ApiRequest) -> Reply:
    """Merges two notes into one."""
    body, store = parse_body(request.body, MergeBody), request.store.in_one_batch("merge")
    keep, other = (find_note(store, name) for name in (body.keep, body.other))
    changes = Changes(title=body.title, content=body.content)
    note = merge_notes(store, keep.id, other.id, changes, seen=body.revisions)
    return _done(store, f"{with_title(other)} is now part of {with_title(note)}", id=note.public_id)


def delete(request: ApiRequest) -> Reply:
    """Deletes notes."""
    store = request.store.in_one_batch("delete")
    gone = delete_notes(store, parse_body(request.body, ChosenBody).ids)
    words = with_title(gone[0]) if len(gone) == 1 else counted(len(gone), "note")
    return _done(store, f"{words} deleted", ids=[note.id for note in gone])


def restore(request: ApiRequest) -> Reply:
    """Restores a deleted note, an action of a screen; one in the inbox is accepted with it."""
    store = request.store.in_one_batch("restore")
    (name, *_) = parse_body(request.body, ChosenBody).ids or [""]
    note = store.restore(find_note(store, name, deleted=True).id)
    return _done(store, f"{with_title(note)} restored", id=note.public_id)


def verdict(request: ApiRequest) -> Reply:
    """Does with a pair of notes what a person has decided on a screen."""
    body, store = parse_body(request.body, VerdictBody), request.store.in_one_batch("verdict")
    newer, older = (find_note(store, name).id for name in (body.newer, body.older))
    return _done(store, settle(store, newer, older, body.verdict))


def accept(request: ApiRequest) -> Reply:
    """Accepts notes from the inbox."""
    body, store = parse_body(request.body, AcceptedBody), request.store.in_one_batch("accept")
    found = accept_notes(store, body.ids, Changes(title=body.title, content=body.content, type=body.type))
    words = with_title(found[0]) if len(found) == 1 else counted(len(found), "note")
    return _done(store, f"{words} accepted")


def drop(request: ApiRequest) -> Reply:
    """Drops notes from the inbox."""
    store = request.store.in_one_batch("drop")
    dropped = drop_notes(store, parse_body(request.body, ChosenBody).ids)
    return _done(store, f"{counted(dropped, 'note')} dropped")


def undo(request: ApiRequest) -> Reply:
    """Takes back a batch, an action of a screen; the batch that the reply names does it again."""
    done = request.store.undo(parse_body(request.body, BatchBody).batch, within=Reach())
    version = request.store.version()
    return json_answer(
        {"said": shown(_undone(done)), "batch": done.number, "version": version, "label": "Redo"}
    )


def _undone(done: "UndoneBatch") -> str:
    if not done.counts:
        return f"Nothing of it can be taken back any more: {done.batch.kind}"
    left = ", ".join(map(with_title, done.left[:MOST_NAMED]))
    more = f" and {len(done.left) - MOST_NAMED} more" if len(done.left) > MOST_NAMED else ""
    rest = f"; changed again since, and left: {left}{more}" if left else ""
    lost = f"; deleted for good, and not to be brought back: {done.lost}" if done.lost else ""
    return f"Taken back: {done.batch.kind} ({enumerated(done.counts)}){rest}{lost}"
