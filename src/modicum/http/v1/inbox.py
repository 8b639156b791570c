"""Routes under /v1 for the inbox: list the notes that wait for a person, accept and drop them."""

from modicum.app.memory.lists import list_inbox
from modicum.http import pages
from modicum.http.body import parse_body
from modicum.http.replies import Reply, json_reply
from modicum.http.request import ApiRequest
from modicum.http.v1.answer import path_note
from modicum.http.v1.bodies import NoteChanges
from modicum.http.v1.notes import filters, name_reply, note_reply
from modicum.memory.model import Changes


def newest(request: ApiRequest) -> Reply:
    return json_reply(pages.listed(request, list_inbox(request.store, filters(request))))


def accept(request: ApiRequest) -> Reply:
    body = parse_body(request.body, NoteChanges)
    changes = Changes(**{name: getattr(body, name) for name in Changes._fields})
    if changes.project:
        changes = changes._replace(project=request.project(changes.project))
    (note,) = request.store.accept([path_note(request, deleted=True).id], changes)
    return note_reply(note)


def drop(request: ApiRequest) -> Reply:
    note = path_note(request, deleted=True)
    request.store.drop([note.id])
    return name_reply(note)
