"""engram's routes for observations: save, read, search, timeline and context."""

from http import HTTPStatus

from modicum.base.errors import ModicumError
from modicum.compat.engram import records
from modicum.compat.engram.context_text import MOST_ITEMS, ContextLimits, context_text
from modicum.compat.engram.go_json import decode_fields, int_or, listed
from modicum.compat.engram.http.fields import flag, parse_id, question, whole
from modicum.compat.engram.http.replies import EngramError, ok
from modicum.compat.engram.http.sessions import find_session
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.memory.model import Changes, Context, NoteDraft, NotFound, Query, SearchHit
from modicum.memory.names import clip
from modicum.memory.topics import suggest_topic

MOST_HITS = 20
LONGEST_TITLE = 60  # bytes of a learning
SAVED = ("session_id", "type", "title", "content", "tool_name", "project", "scope", "topic_key")
CHANGED = ("type", "title", "content", "project", "scope", "topic_key")


def save_observation(request: ApiRequest) -> Reply:
    given = {name: value for name, value in decode_fields(request.body, *SAVED).items() if value}
    if not {"session_id", "title", "content"} <= given.keys():
        raise EngramError(HTTPStatus.BAD_REQUEST, "session_id, title, and content are required")
    saved = request.store.save(NoteDraft(**given), known_session=True)
    return ok({"id": saved.id, "status": "saved"}, HTTPStatus.CREATED)


def capture(request: ApiRequest) -> Reply:
    body = decode_fields(request.body, "session_id", "content", "project", "source")
    given = {name: value or "" for name, value in body.items()}
    if not given["session_id"]:
        raise EngramError(HTTPStatus.BAD_REQUEST, "session_id is required")
    found = request.store.capture(given.pop("content"), **given, known_session=True, title_of=_learning_title)
    return ok({"extracted": found.extracted, "saved": len(found.saved), "duplicates": found.duplicates})


def _learning_title(text: str) -> str:
    """The first 60 bytes and three dots, but never half a character; or all of it."""
    return text if len(text.encode()) <= LONGEST_TITLE else f"{clip(text, LONGEST_TITLE)}..."


def recent_observations(request: ApiRequest) -> Reply:
    query = Query(request.text("project"), request.text("scope"), limit=whole(request, "limit", 20))
    return ok(listed(map(records.observation, request.store.recent(query).items)))


def get_observation(request: ApiRequest) -> Reply:
    number = _number(request)
    try:
        found = request.store.get(number)
    except ModicumError:
        found = None
    if found is None:
        raise EngramError(HTTPStatus.NOT_FOUND, "observation not found")
    return ok(records.observation(found))


def _number(request: ApiRequest) -> int:
    return parse_id(request.path["id"], "invalid observation id")


def update_observation(request: ApiRequest) -> Reply:
    number = _number(request)
    changes = Changes(**decode_fields(request.body, *CHANGED))
    if changes == Changes():
        raise EngramError(HTTPStatus.BAD_REQUEST, "at least one field is required")
    try:
        return ok(records.observation(request.store.update(number, changes)))
    except NotFound:
        raise EngramError(HTTPStatus.NOT_FOUND, "sql: no rows in result set") from None


def delete_observation(request: ApiRequest) -> Reply:
    number, hard = _number(request), flag(request, "hard")
    request.store.delete(number, hard=hard)
    return ok({"hard_delete": hard, "id": number, "status": "deleted"})


def pin_observation(request: ApiRequest) -> Reply:
    return _pin(request, pinned=True)


def unpin_observation(request: ApiRequest) -> Reply:
    return _pin(request, pinned=False)


def _pin(request: ApiRequest, *, pinned: bool) -> Reply:
    number = _number(request)
    try:
        request.store.pin(number, pinned=pinned)
    except NotFound:
        raise EngramError(HTTPStatus.NOT_FOUND, "observation not found") from None
    return ok({"id": number, "pinned": pinned})


def search(request: ApiRequest) -> Reply:
    limit = min(whole(request, "limit", 10), MOST_HITS)
    query = Query(request.text("project"), request.text("scope"), request.text("type"), limit=limit)
    return ok(listed(map(records.search_result, _hits(request, query))))


def _hits(request: ApiRequest, query: Query) -> list[SearchHit]:
    """The best hits that have a word of the question. Our search also finds their neighbours, engram's does not."""
    words, hits, cursor = question(request), list[SearchHit](), ""
    while True:
        found = request.store.search(words, query._replace(limit=2 * query.limit, cursor=cursor))
        hits += [hit for hit in found.items if not hit.nearby]
        cursor = found.next
        if len(hits) >= query.limit or not cursor:
            return hits[: query.limit]


def timeline(request: ApiRequest) -> Reply:
    word = request.text("observation_id")
    if not word:
        raise EngramError(HTTPStatus.BAD_REQUEST, "observation_id parameter is required")
    number = parse_id(word, "invalid observation_id")
    before, after = (whole(request, name, 5) for name in ("before", "after"))
    try:
        found = request.store.timeline(number, before=before, after=after)
    except NotFound:
        message = f"timeline: observation #{number} not found: sql: no rows in result set"
        raise EngramError(HTTPStatus.NOT_FOUND, message) from None
    return ok(records.timeline(found))


def context(request: ApiRequest) -> Reply:
    limits = _limits(request)
    observations, prompts, sessions, pinned = limits.wanted
    query = Query(request.text("project"), request.text("scope"), limit=observations)
    beside = query._replace(scope="")
    found = request.store.context(query, sessions=sessions, prompts=prompts, pinned=pinned, beside=beside)
    return ok({"context": context_text(found, limits)})


def _limits(request: ApiRequest) -> ContextLimits:
    counts = {name: min(int_or(request.text(name), 0), MOST_ITEMS) for name in ContextLimits._fields[:4]}
    # The older parameter has no upper bound.
    counts["observations"] = counts["observations"] or whole(request, "limit", 0)
    max_bytes = int_or(request.text("max_bytes"), 0)
    return ContextLimits(**counts, compact=flag(request, "compact"), max_bytes=max_bytes)


def session_context(request: ApiRequest) -> Reply:
    """Answers engram's route for the observations of one session, worded as a context, after a compaction."""
    key = request.text("session_id")
    if not key:
        raise EngramError(HTTPStatus.BAD_REQUEST, "session_id is required")
    session, limits = find_session(request, key), _limits(request)
    observations, prompts, *_ = limits.wanted
    recent = request.store.recent(Query(session=key, limit=observations)).items
    typed = request.store.prompts(Query(session=key, limit=prompts)).items
    return ok({"context": context_text(Context((session,), typed, recent), limits)})


def suggest_topic_key(request: ApiRequest) -> Reply:
    body = decode_fields(request.body, "type", "title", "content")
    title, content = body["title"] or "", body["content"] or ""
    if not title and not content:
        raise EngramError(HTTPStatus.BAD_REQUEST, "title or content is required")
    return ok({"topic_key": suggest_topic(body["type"] or "", title, content)})
