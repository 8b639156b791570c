"""Routes under /v1 for batches, the changes of memory: list them, and undo one."""

from typing import TYPE_CHECKING

from modicum.http.pages import whole_number
from modicum.http.replies import Reply, json_reply
from modicum.http.request import ApiRequest
from modicum.http.v1 import records
from modicum.http.v1.bodies import UndoBody, parse_body

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modicum.memory.undo.plan import LoggedBatch, NamedNote

LISTED = 20
MOST_LISTED = 500


def log(request: ApiRequest) -> Reply:
    word = request.text("limit")
    limit = min(whole_number("limit", word, 1), MOST_LISTED) if word else LISTED
    return json_reply(records.LogJson([_batch(each) for each in request.store.log(limit)]))


def undo(request: ApiRequest) -> Reply:
    body = parse_body(request.body, UndoBody)
    done = request.store.undo(body.batch, dry_run=body.dry_run)
    undone = (done.batch.id, done.batch.kind, done.number or None, dict(done.counts))
    return json_reply(records.UndoneJson(*undone, _notes(done.notes), _notes(done.left)))


def _batch(logged: "LoggedBatch") -> records.BatchJson:
    batch = logged.batch
    made = (batch.id, batch.at, batch.person, batch.source, batch.kind, batch.undoes or None)
    return records.BatchJson(*made, dict(logged.counts), _notes(logged.notes), logged.undone_by or None)


def _notes(notes: "Iterable[NamedNote]") -> list[records.NamedNoteJson]:
    return [records.NamedNoteJson(each.public_id, each.id, each.title) for each in notes]
