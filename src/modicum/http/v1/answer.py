"""Answers the routes of /v1: parameters are checked, and errors become problems with a remedy."""

from modicum.app.answer.amount import whole_number
from modicum.app.memory.notes import find_note
from modicum.base.errors import ModicumError
from modicum.http.replies import Reply, problem_of, problem_reply
from modicum.http.request import ApiRequest
from modicum.http.routes import Route
from modicum.memory.model import Note

_FLAGS = {"": False, "false": False, "true": True}


def answer(route: Route, request: ApiRequest) -> Reply:
    """Answers a /v1 route: returns the handler's reply, or the problem reply for an error."""
    try:
        _check_names(route, request)
        _check_body(route, request)
        return route.handler(request)
    except ModicumError as error:
        return problem_reply(problem_of(error))


def _check_names(route: Route, request: ApiRequest) -> None:
    known = [parameter.name for parameter in route.parameters]
    for name in request.query:
        if name not in known:
            from modicum.base.near_words import nearest

            near = nearest(name[:60], known)
            usual = f"the parameters are: {', '.join(known)}" if known else "this route has no parameters"
            raise ModicumError(
                f'there is no parameter "{name[:60]}"', remedy=f'did you mean "{near}"?' if near else usual
            )


def _check_body(route: Route, request: ApiRequest) -> None:
    """A route without a body reads none, and whoever sends it a field must not believe that it did something."""
    if not route.writes or route.body is not None or request.body.strip() in (b"", b"{}"):
        return
    from modicum.http.body import given_object

    for name in given_object(request.body):
        if name in [parameter.name for parameter in route.parameters]:
            remedy = f"send it as a parameter, as in ?{name}=…"
        else:
            remedy = "send no body: this route reads none"
        raise ModicumError(f'there is no field "{name[:60]}"', remedy=remedy)


def path_number(request: ApiRequest) -> int:
    """Returns the number in the path of a /v1 request."""
    return whole_number("id", request.path["id"])


def path_note(request: ApiRequest, *, deleted: bool = False) -> Note:
    """Returns the note that a /v1 answer is about, as the path names it: by its public id or number."""
    return find_note(request.store, request.path["id"], deleted=deleted)


def flag(request: ApiRequest, name: str) -> bool:
    """Returns the value of a true-or-false parameter of a /v1 request."""
    word = request.text(name)
    if word not in _FLAGS:
        raise ModicumError(f'{name} is "{word[:40]}"', remedy="give true or false")
    return _FLAGS[word]


def needed(request: ApiRequest, name: str, remedy: str) -> str:
    """Returns a parameter that a /v1 request must have. Raises ModicumError if it is missing."""
    if not request.text(name).strip():
        raise ModicumError(f"{name} is missing", remedy=remedy)
    return request.text(name)
