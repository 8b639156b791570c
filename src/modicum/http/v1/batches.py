"""Routes under /v1 for batches, the changes of memory: list them, and undo one."""

from typing import TYPE_CHECKING

from modicum.app.memory.logs import LOGGED, MOST_LOGGED, list_batches
from modicum.http.body import parse_body
from modicum.http.pages import count_of
from modicum.http.replies import Reply, json_reply
from modicum.http.request import ApiRequest
from modicum.http.v1 import records
from modicum.http.v1.bodies import UndoBody
from modicum.memory.undo.model import Reach

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modicum.memory.undo.model import LoggedBatch, NamedNote


def log(request: ApiRequest) -> Reply:
    limit = count_of(request, "limit", LOGGED, least=1, most=MOST_LOGGED)
    found = list_batches(request.store, limit, request.text("cursor"))
    return json_reply(records.LogJson([_batch(each) for each in found.items], found.next or None))


def undo(request: ApiRequest) -> Reply:
    body = parse_body(request.body, UndoBody)
    within = Reach(body.project, body.everywhere)
    done = request.store.undo(body.batch or 0, dry_run=body.dry_run, within=within)
    batch = done.batch
    undone = records.UndoneJson(
        batch.id,
        batch.kind,
        done.number or None,
        dict(done.counts),
        _notes(done.notes),
        _notes(done.left),
        batch.person,
        batch.source,
        list(done.projects),
        list(done.owners),
        done.shared,
        done.lost,
    )
    return json_reply(undone)


def _batch(logged: "LoggedBatch") -> records.BatchJson:
    batch = logged.batch
    made = (batch.id, batch.at, batch.person, batch.source, batch.kind, batch.undoes or None)
    return records.BatchJson(*made, dict(logged.counts), _notes(logged.notes), logged.undone_by or None)


def _notes(notes: "Iterable[NamedNote]") -> list[records.NamedNoteJson]:
    return [records.NamedNoteJson(each.public_id, each.id, each.title) for each in notes]
