"""Routes under /v1 for notes: keep, list, read, change, delete, restore, pin, relate."""

from http import HTTPStatus

from modicum.app.memory import notes
from modicum.app.memory.lists import list_notes
from modicum.http import pages
from modicum.http.body import parse_body
from modicum.http.replies import Reply, json_reply
from modicum.http.request import ApiRequest
from modicum.http.v1 import records
from modicum.http.v1.answer import flag, path_note, path_number
from modicum.http.v1.bodies import CaptureBody, NoteBody, NoteChanges, RelationBody
from modicum.memory.filters.model import NAMES, parse_query
from modicum.memory.model import Changes, Note, NoteDraft, Query


def save(request: ApiRequest) -> Reply:
    body = parse_body(request.body, NoteBody)
    draft = NoteDraft(
        body.title,
        body.content,
        body.type,
        request.project(body.project, writing=True),
        body.session_id,
        body.scope,
        body.topic_key,
        body.namespace,
        author=body.author,
    )
    kept = notes.save(request.store, draft, request.config, known_session=bool(body.session_id))
    name, number, outcome = kept.note.public_id, kept.note.id, str(kept.saved.outcome)
    saved = records.SavedJson(name, number, outcome, kept.suggested_topic, list(kept.remarks))
    return json_reply(saved, HTTPStatus.CREATED, (("Location", f"/v1/notes/{name}"),))


def capture(request: ApiRequest) -> Reply:
    body = parse_body(request.body, CaptureBody)
    found = request.store.capture(
        body.content,
        project=request.project(body.project, writing=True),
        session_id=body.session_id,
        source=body.source,
        namespace=body.namespace,
        known_session=bool(body.session_id),
    )
    saved = list(request.store.names(found.saved).values())
    return json_reply(records.CapturedJson(found.extracted, saved, found.duplicates))


def filters(request: ApiRequest) -> Query:
    """Returns the query for a list of memory that the parameters of a /v1 request ask for."""
    return parse_query({name: request.text(name) for name in NAMES} | {"project": request.project()})


def newest(request: ApiRequest) -> Reply:
    return pages.page_reply(request, pages.listed(request, list_notes(request.store, filters(request))))


def read(request: ApiRequest) -> Reply:
    found = notes.look(request.store, path_note(request).id)
    edges = notes.relation_fields(request.store, found.relations)
    return json_reply(records.note_with_relations(notes.note_fields(found.note), edges))


def change(request: ApiRequest) -> Reply:
    body = parse_body(request.body, NoteChanges)
    changes = Changes(**{name: getattr(body, name) for name in Changes._fields})
    if changes.project:
        changes = changes._replace(project=request.project(changes.project))
    return note_reply(request.store.update(path_note(request).id, changes))


def delete(request: ApiRequest) -> Reply:
    hard = flag(request, "hard")
    (note,) = notes.delete_notes(request.store, [path_note(request)], hard=hard)
    return name_reply(note)


def restore(request: ApiRequest) -> Reply:
    return note_reply(request.store.restore(path_note(request, deleted=True).id))


def pin(request: ApiRequest) -> Reply:
    return _pinned(request, pinned=True)


def unpin(request: ApiRequest) -> Reply:
    return _pinned(request, pinned=False)


def _pinned(request: ApiRequest, *, pinned: bool) -> Reply:
    note = path_note(request)
    request.store.pin(note.id, pinned=pinned)
    return name_reply(note)


def history(request: ApiRequest) -> Reply:
    note = path_note(request)
    found = request.store.history(note.id)
    rows = [records.RevisionJson(**{**each._asdict(), "note_id": note.public_id}) for each in found]
    return json_reply(records.HistoryJson(rows))


def relations(request: ApiRequest) -> Reply:
    found = notes.look(request.store, path_note(request).id).relations
    return json_reply(records.relations_json(notes.relation_fields(request.store, found)))


def relate(request: ApiRequest) -> Reply:
    body = parse_body(request.body, RelationBody)
    one, other = path_note(request), notes.find_note(request.store, body.to)
    made = notes.relate(request.store, one.id, other.id, body.type, note=body.note, both=body.both)
    found = records.relations_json(notes.relation_fields(request.store, made))
    return json_reply(found, HTTPStatus.CREATED)


def unrelate(request: ApiRequest) -> Reply:
    number = path_number(request)
    request.store.unrelate(number)
    return json_reply(records.IdJson(number))


def note_reply(note: Note) -> Reply:
    """Returns the reply of /v1 with a whole note."""
    return json_reply(records.NoteJson(**notes.note_fields(note)))


def name_reply(note: Note) -> Reply:
    """Returns the reply of /v1 with the names of a note: public id, number, title."""
    return json_reply(records.NoteIdJson(note.public_id, note.id, note.title))
