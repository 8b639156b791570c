"""engram's routes: the same input, the same bytes."""

from http import HTTPStatus

from modicum.base.errors import ModicumError
from modicum.compat.engram import records
from modicum.compat.engram.go_json import BadBody, decode, decode_fields, int_or, listed
from modicum.compat.engram.text import MOST_ITEMS, ContextLimits, context_text
from modicum.http.replies import Fault, Reply, RequestParts, ok
from modicum.memory.exchange.archive import from_document
from modicum.memory.model import Archive, Changes, Context, NoteDraft, NotFound, Query, Stats
from modicum.memory.names import project_name
from modicum.memory.store import Store
from modicum.memory.topics import suggest_topic

MOST_HITS = 20
INVALID_ID = "invalid observation id"
STILL_HOLDS = 'session "{}" still holds observations or prompts (delete those for good first)'
SESSION_NOT_FOUND = "session not found"
NO_SYNC = "background sync is not configured"


def health(store: Store, asked: RequestParts) -> Reply:
    return ok({"service": "engram", "status": "ok", "version": records.VERSION})


# Sessions


def start_session(store: Store, asked: RequestParts) -> Reply:
    body = decode_fields(asked.body, "id", "project", "directory")
    key, project = body["id"], body["project"]
    if not key or not project:
        raise Fault(HTTPStatus.BAD_REQUEST, "id and project are required")
    store.start_session(key, project=project, directory=body["directory"] or "")
    return ok({"id": key, "status": "created"}, HTTPStatus.CREATED)


def end_session(store: Store, asked: RequestParts) -> Reply:
    try:
        summary = decode_fields(asked.body, "summary")["summary"]
    except BadBody:
        summary = ""
    store.end_session(asked.path["id"], summary or "")
    return ok({"id": asked.path["id"], "status": "completed"})


def recent_sessions(store: Store, asked: RequestParts) -> Reply:
    found = store.sessions(Query(project=asked.text("project"), limit=asked.whole("limit", 5)))
    return ok(listed(map(records.session_summary, found.items)))


def get_session(store: Store, asked: RequestParts) -> Reply:
    found = store.session(asked.path["id"])
    if found is None:
        raise Fault(HTTPStatus.NOT_FOUND, SESSION_NOT_FOUND)
    return ok(records.session(found))


def delete_session(store: Store, asked: RequestParts) -> Reply:
    key = asked.path["id"]
    if store.session(key) is None:
        raise Fault(HTTPStatus.NOT_FOUND, SESSION_NOT_FOUND)
    try:
        store.delete_session(key)
    except ModicumError:
        raise Fault(HTTPStatus.CONFLICT, STILL_HOLDS.format(key)) from None
    return ok({"id": key, "status": "deleted"})


# Observations


def save_observation(store: Store, asked: RequestParts) -> Reply:
    fields = (
        "session_id",
        "type",
        "title",
        "content",
        "tool_name",
        "project",
        "scope",
        "topic_key",
        "author",
        "namespace",
    )
    body = decode_fields(asked.body, *fields)
    given = {name: value for name, value in body.items() if value}
    if not {"session_id", "title", "content"} <= given.keys():
        raise Fault(HTTPStatus.BAD_REQUEST, "session_id, title, and content are required")
    saved = store.save(NoteDraft(**given), known_session=True)
    return ok({"id": saved.id, "status": "saved"}, HTTPStatus.CREATED)


def capture(store: Store, asked: RequestParts) -> Reply:
    body = decode_fields(asked.body, "session_id", "content", "project", "source")
    given = {name: value or "" for name, value in body.items()}
    if not given["session_id"]:
        raise Fault(HTTPStatus.BAD_REQUEST, "session_id is required")
    found = store.capture(given.pop("content"), **given, known_session=True)
    return ok({"extracted": found.extracted, "saved": len(found.saved), "duplicates": found.duplicates})


def recent_observations(store: Store, asked: RequestParts) -> Reply:
    query = Query(asked.text("project"), asked.text("scope"), limit=asked.whole("limit", 20))
    return ok(listed(map(records.observation, store.recent(query).items)))


def get_observation(store: Store, asked: RequestParts) -> Reply:
    number = asked.number(INVALID_ID)
    try:
        found = store.get(number)
    except ModicumError:
        found = None
    if found is None:
        raise Fault(HTTPStatus.NOT_FOUND, "observation not found")
    return ok(records.observation(found))


def update_observation(store: Store, asked: RequestParts) -> Reply:
    number = asked.number(INVALID_ID)
    changes = Changes(
        **decode_fields(asked.body, "type", "title", "content", "project", "scope", "topic_key")
    )
    if changes == Changes():
        raise Fault(HTTPStatus.BAD_REQUEST, "at least one field is required")
    try:
        return ok(records.observation(store.update(number, changes)))
    except NotFound:
        raise Fault(HTTPStatus.NOT_FOUND, "sql: no rows in result set") from None


def delete_observation(store: Store, asked: RequestParts) -> Reply:
    number, hard = asked.number(INVALID_ID), asked.flag("hard")
    store.delete(number, hard=hard)
    return ok({"hard_delete": hard, "id": number, "status": "deleted"})


def pin_observation(store: Store, asked: RequestParts) -> Reply:
    return _pin(store, asked, pinned=True)


def unpin_observation(store: Store, asked: RequestParts) -> Reply:
    return _pin(store, asked, pinned=False)


def _pin(store: Store, asked: RequestParts, *, pinned: bool) -> Reply:
    number = asked.number(INVALID_ID)
    try:
        store.pin(number, pinned=pinned)
    except NotFound:
        raise Fault(HTTPStatus.NOT_FOUND, "observation not found") from None
    return ok({"id": number, "pinned": pinned})


# Finding


def search(store: Store, asked: RequestParts) -> Reply:
    limit = min(asked.whole("limit", 10), MOST_HITS)
    query = Query(asked.text("project"), asked.text("scope"), asked.text("type"), limit=limit)
    return ok(listed(map(records.search_result, store.search(_question(asked), query).items)))


def _question(asked: RequestParts) -> str:
    if not asked.text("q"):
        raise Fault(HTTPStatus.BAD_REQUEST, "q parameter is required")
    return asked.text("q")


def timeline(store: Store, asked: RequestParts) -> Reply:
    word = asked.text("observation_id")
    if not word:
        raise Fault(HTTPStatus.BAD_REQUEST, "observation_id parameter is required")
    number = asked.number("invalid observation_id", word)
    try:
        found = store.timeline(number, before=asked.whole("before", 5), after=asked.whole("after", 5))
    except NotFound:
        message = f"timeline: observation #{number} not found: sql: no rows in result set"
        raise Fault(HTTPStatus.NOT_FOUND, message) from None
    return ok(records.timeline(found))


def context(store: Store, asked: RequestParts) -> Reply:
    knobs = _knobs(asked)
    observations, prompts, sessions, pinned = knobs.wanted
    query = Query(asked.text("project"), asked.text("scope"), limit=observations)
    found = store.context(query, sessions=sessions, prompts=prompts, pinned=pinned)
    return ok({"context": context_text(found, knobs)})


def _knobs(asked: RequestParts) -> ContextLimits:
    counts = {name: min(int_or(asked.text(name), 0), MOST_ITEMS) for name in ContextLimits._fields[:4]}
    # The older parameter has no upper bound.
    counts["observations"] = counts["observations"] or asked.whole("limit", 0)
    return ContextLimits(
        **counts,
        compact=asked.flag("compact"),
        max_bytes=int_or(asked.text("max_bytes"), 0),
        ids=asked.flag("ids"),
    )


def session_context(store: Store, asked: RequestParts) -> Reply:
    """What is known of one session, for an agent whose conversation was compacted."""
    key = asked.text("session_id")
    if not key:
        raise Fault(HTTPStatus.BAD_REQUEST, "session_id is required")
    session = store.session(key)
    if session is None:
        raise Fault(HTTPStatus.NOT_FOUND, SESSION_NOT_FOUND)
    knobs = _knobs(asked)
    observations, prompts, *_ = knobs.wanted
    recent = store.recent(Query(session=key, limit=observations)).items
    typed = store.prompts(Query(session=key, limit=prompts)).items
    return ok({"context": context_text(Context((session,), typed, recent), knobs)})


# Prompts


def save_prompt(store: Store, asked: RequestParts) -> Reply:
    body = decode_fields(asked.body, "session_id", "content", "project")
    session, content = body["session_id"], body["content"]
    if not session or not content:
        raise Fault(HTTPStatus.BAD_REQUEST, "session_id and content are required")
    saved = store.add_prompt(content, session_id=session, project=body["project"] or "", known_session=True)
    return ok({"id": saved.id, "status": "saved"}, HTTPStatus.CREATED)


def recent_prompts(store: Store, asked: RequestParts) -> Reply:
    found = store.prompts(Query(project=asked.text("project"), limit=asked.whole("limit", 20)))
    return ok(listed(map(records.prompt, found.items)))


def search_prompts(store: Store, asked: RequestParts) -> Reply:
    query = Query(project=asked.text("project"), limit=asked.whole("limit", 10))
    return ok(listed(map(records.prompt, store.search_prompts(_question(asked), query))))


def delete_prompt(store: Store, asked: RequestParts) -> Reply:
    number = asked.number("invalid prompt id")
    if not store.delete_prompt(number):
        raise Fault(HTTPStatus.NOT_FOUND, "prompt not found")
    return ok({"id": number, "status": "deleted"})


# All of it


def export(store: Store, asked: RequestParts) -> Reply:
    disposition = ("Content-Disposition", "attachment; filename=engram-export.json")
    return ok(records.export(store.export()))._replace(headers=(disposition,))


def take_in(store: Store, asked: RequestParts) -> Reply:
    document = decode(asked.body)
    done = store.take_in(from_document(document) if document else Archive())
    counts = {"sessions": done.sessions, "observations": done.notes, "prompts": done.prompts}
    return ok({f"{name}_imported": number for name, number in counts.items()})


def stats(store: Store, asked: RequestParts) -> Reply:
    try:
        found = store.stats()
    except ModicumError:
        found = Stats(0, 0, 0, ())
    return ok(records.stats(found))


def migrate_project(store: Store, asked: RequestParts) -> Reply:
    try:
        body = decode_fields(asked.body, "old_project", "new_project")
    except BadBody:
        raise Fault(HTTPStatus.BAD_REQUEST, "invalid JSON") from None
    old, new = body["old_project"], body["new_project"]
    if not old or not new:
        raise Fault(HTTPStatus.BAD_REQUEST, "old_project and new_project are required")
    if project_name(old) == project_name(new):
        return ok({"reason": "names are identical", "status": "skipped"})
    moved = store.merge_projects([old], new)
    if not any(moved):
        return ok({"reason": "no records found", "status": "skipped"})
    told = {
        "new_project": new,
        "old_project": old,
        "status": "migrated",
        "sessions": moved.sessions,
        "observations": moved.notes,
        "prompts": moved.prompts,
    }
    return ok(dict(sorted(told.items())))


def sync_status(store: Store, asked: RequestParts) -> Reply:
    return ok({"enabled": False, "message": NO_SYNC})


def suggest(store: Store, asked: RequestParts) -> Reply:
    body = decode_fields(asked.body, "type", "title", "content")
    title, content = body["title"] or "", body["content"] or ""
    if not title and not content:
        raise Fault(HTTPStatus.BAD_REQUEST, "title or content is required")
    return ok({"topic_key": suggest_topic(body["type"] or "", title, content)})
