"""Routes under /v1 for sessions and prompts."""

from http import HTTPStatus
from urllib.parse import quote

from modicum.app.memory.lists import list_prompts, list_sessions
from modicum.http import pages
from modicum.http.body import parse_body
from modicum.http.remedies import route_wording
from modicum.http.replies import Problem, Reply, json_reply, problem_reply
from modicum.http.request import ApiRequest
from modicum.http.v1.answer import path_number
from modicum.http.v1.bodies import PromptBody, SessionBody, SessionEnd
from modicum.http.v1.notes import filters
from modicum.http.v1.records import IdJson, PromptJson, SessionJson
from modicum.memory.model import NotFound, Refused


def start(request: ApiRequest) -> Reply:
    body = parse_body(request.body, SessionBody)
    found = request.store.start_session(
        body.id,
        project=request.project(body.project, writing=True),
        directory=body.directory,
        namespace=body.namespace,
    )
    place = f"/v1/sessions/{quote(found.id, safe='')}"
    return json_reply(SessionJson(*found), HTTPStatus.CREATED, (("Location", place),))


def latest(request: ApiRequest) -> Reply:
    return pages.page_reply(request, pages.listed(request, list_sessions(request.store, filters(request))))


def read(request: ApiRequest) -> Reply:
    found = request.store.session(request.path["id"])
    if found is None:
        raise _no_session(request)
    return json_reply(SessionJson(*found))


def end(request: ApiRequest) -> Reply:
    from modicum.app.session.events import end_session

    body = parse_body(request.body, SessionEnd)
    found = end_session(request.store, request.path["id"], body.summary)
    if found is None:
        raise _no_session(request)
    return json_reply(SessionJson(*found))


def delete(request: ApiRequest) -> Reply:
    key = request.path["id"]
    found = request.store.session(key)
    try:
        if found is None or not request.store.delete_session(key):
            raise _no_session(request)
    except Refused as error:  # it still holds something
        return problem_reply(Problem(HTTPStatus.CONFLICT, error.message, route_wording(error.remedy)))
    return json_reply(SessionJson(*found))


def _no_session(request: ApiRequest) -> NotFound:
    remedy = "GET /v1/sessions lists them, POST /v1/sessions starts one"
    return NotFound(f'there is no session "{request.path["id"][:80]}"', remedy=remedy)


def save_prompt(request: ApiRequest) -> Reply:
    body = parse_body(request.body, PromptBody)
    saved = request.store.add_prompt(
        body.content,
        session_id=body.session_id,
        project=request.project(body.project, writing=True),
        namespace=body.namespace,
        known_session=bool(body.session_id),
    )
    return json_reply(PromptJson(*saved), HTTPStatus.CREATED, (("Location", f"/v1/prompts/{saved.id}"),))


def newest_prompts(request: ApiRequest) -> Reply:
    return pages.page_reply(request, pages.listed(request, list_prompts(request.store, filters(request))))


def read_prompt(request: ApiRequest) -> Reply:
    found = request.store.prompt(path_number(request))
    if found is None:
        raise _no_prompt(request)
    return json_reply(PromptJson(*found))


def delete_prompt(request: ApiRequest) -> Reply:
    number = path_number(request)
    if not request.store.delete_prompt(number):
        raise _no_prompt(request)
    return json_reply(IdJson(number))


def _no_prompt(request: ApiRequest) -> NotFound:
    return NotFound(f"there is no prompt {path_number(request)}", remedy="GET /v1/prompts lists them")
