"""engram's routes for sessions and prompts."""

from http import HTTPStatus

from modicum.base.errors import ModicumError
from modicum.compat.engram import records
from modicum.compat.engram.go_json import BadBody, decode_fields, listed
from modicum.compat.engram.http.fields import parse_id, question, whole
from modicum.compat.engram.http.replies import EngramError, ok
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.memory.model import Query, Session

STILL_HOLDS = 'session "{}" still holds observations or prompts (delete those for good first)'


def start_session(request: ApiRequest) -> Reply:
    body = decode_fields(request.body, "id", "project", "directory")
    key, project = body["id"], body["project"]
    if not key or not project:
        raise EngramError(HTTPStatus.BAD_REQUEST, "id and project are required")
    request.store.start_session(key, project=project, directory=body["directory"] or "")
    return ok({"id": key, "status": "created"}, HTTPStatus.CREATED)


def end_session(request: ApiRequest) -> Reply:
    """Answers engram's route that ends a session. An unknown session or a body without JSON is no error."""
    key = request.path["id"]
    try:
        summary = decode_fields(request.body, "summary")["summary"]
    except BadBody:
        summary = ""
    request.store.end_session(key, summary or "", keep_blanks=True)
    return ok({"id": key, "status": "completed"})


def recent_sessions(request: ApiRequest) -> Reply:
    query = Query(project=request.text("project"), limit=whole(request, "limit", 5))
    return ok(listed(map(records.session_summary, request.store.sessions(query).items)))


def find_session(request: ApiRequest, key: str) -> Session:
    """Returns a session for one of engram's routes; raises EngramError if there is none."""
    found = request.store.session(key)
    if found is None:
        raise EngramError(HTTPStatus.NOT_FOUND, "session not found")
    return found


def get_session(request: ApiRequest) -> Reply:
    return ok(records.session(find_session(request, request.path["id"])))


def delete_session(request: ApiRequest) -> Reply:
    key = find_session(request, request.path["id"]).id
    try:
        request.store.delete_session(key)
    except ModicumError:
        raise EngramError(HTTPStatus.CONFLICT, STILL_HOLDS.format(key)) from None
    return ok({"id": key, "status": "deleted"})


def save_prompt(request: ApiRequest) -> Reply:
    body = decode_fields(request.body, "session_id", "content", "project")
    session, content, project = body["session_id"], body["content"], body["project"] or ""
    if not session or not content:
        raise EngramError(HTTPStatus.BAD_REQUEST, "session_id and content are required")
    saved = request.store.add_prompt(content.strip(), session_id=session, project=project, known_session=True)
    return ok({"id": saved.id, "status": "saved"}, HTTPStatus.CREATED)


def recent_prompts(request: ApiRequest) -> Reply:
    query = Query(project=request.text("project"), limit=whole(request, "limit", 20))
    return ok(listed(map(records.prompt, request.store.prompts(query).items)))


def search_prompts(request: ApiRequest) -> Reply:
    project, limit = request.text("project"), whole(request, "limit", 10)
    found = request.store.search_prompts(question(request), project=project, limit=limit)
    return ok(listed(map(records.prompt, found)))


def delete_prompt(request: ApiRequest) -> Reply:
    number = parse_id(request.path["id"], "invalid prompt id")
    if not request.store.delete_prompt(number):
        raise EngramError(HTTPStatus.NOT_FOUND, "prompt not found")
    return ok({"id": number, "status": "deleted"})
