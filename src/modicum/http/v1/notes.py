"""Routes under /v1 for notes: keep, list, read, change, delete, restore, pin, relate."""

from http import HTTPStatus

from modicum.app.memory import notes
from modicum.app.memory.lists import list_notes
from modicum.app.memory.query import FILTERS, parse_query
from modicum.http import pages
from modicum.http.replies import Reply, json_reply
from modicum.http.request import ApiRequest
from modicum.http.v1 import records
from modicum.http.v1.answer import flag, note_number
from modicum.http.v1.bodies import CaptureBody, NoteBody, NoteChanges, RelationBody, parse_body
from modicum.memory.model import Changes, NoteDraft, NotFound, Query


def save(request: ApiRequest) -> Reply:
    body = parse_body(request.body, NoteBody)
    draft = NoteDraft(
        body.title,
        body.content,
        body.type,
        body.project,
        body.session_id,
        body.scope,
        body.topic_key,
        body.namespace,
        author=body.author,
    )
    kept = notes.save(request.store, draft, known_session=bool(body.session_id))
    saved = records.SavedJson(
        kept.saved.id, str(kept.saved.outcome), kept.suggested_topic, list(kept.remarks)
    )
    return json_reply(saved, HTTPStatus.CREATED, (("Location", f"/v1/notes/{kept.saved.id}"),))


def capture(request: ApiRequest) -> Reply:
    body = parse_body(request.body, CaptureBody)
    found = request.store.capture(
        body.content,
        project=body.project,
        session_id=body.session_id,
        source=body.source,
        namespace=body.namespace,
        known_session=bool(body.session_id),
    )
    return json_reply(records.CapturedJson(found.extracted, list(found.saved), found.duplicates))


def filters(request: ApiRequest) -> Query:
    """Returns the filters for a list of notes, from the parameters of a /v1 request."""
    return parse_query(**{name: request.text(name) for name in FILTERS})


def newest(request: ApiRequest) -> Reply:
    return json_reply(pages.listed(request, list_notes(request.store, filters(request))))


def read(request: ApiRequest) -> Reply:
    found = notes.look(request.store, note_number(request))
    return json_reply(records.note_with_relations(found.note, found.relations))


def change(request: ApiRequest) -> Reply:
    body = parse_body(request.body, NoteChanges)
    changes = Changes(**{name: getattr(body, name) for name in Changes._fields})
    return json_reply(records.note_json(request.store.update(note_number(request), changes)))


def delete(request: ApiRequest) -> Reply:
    number = note_number(request)
    if not request.store.delete(number, hard=flag(request, "hard")):
        raise NotFound(f"note #{number} not found", remedy="GET /v1/search finds notes")
    return json_reply(records.IdJson(number))


def restore(request: ApiRequest) -> Reply:
    return json_reply(records.note_json(request.store.restore(note_number(request))))


def pin(request: ApiRequest) -> Reply:
    request.store.pin(note_number(request))
    return json_reply(records.IdJson(note_number(request)))


def unpin(request: ApiRequest) -> Reply:
    request.store.pin(note_number(request), pinned=False)
    return json_reply(records.IdJson(note_number(request)))


def history(request: ApiRequest) -> Reply:
    found = request.store.history(note_number(request))
    return json_reply(records.HistoryJson([records.RevisionJson(*each) for each in found]))


def relations(request: ApiRequest) -> Reply:
    found = notes.look(request.store, note_number(request)).relations
    return json_reply(records.RelationsJson([records.RelationJson(*each) for each in found]))


def relate(request: ApiRequest) -> Reply:
    body = parse_body(request.body, RelationBody)
    number = note_number(request)
    made = notes.relate(request.store, number, body.to, body.type, note=body.note, both=body.both)
    found = records.RelationsJson([records.RelationJson(*each) for each in made])
    return json_reply(found, HTTPStatus.CREATED)


def unrelate(request: ApiRequest) -> Reply:
    number = note_number(request)
    request.store.unrelate(number)
    return json_reply(records.IdJson(number))
