"""How the routes of /v1 are answered: parameters are checked, and errors become problems with a remedy."""

from modicum.base.errors import ModicumError
from modicum.base.yaml_check import nearest
from modicum.http.pages import whole_number
from modicum.http.replies import Reply, problem_of, problem_reply
from modicum.http.request import ApiRequest
from modicum.http.routes import Route

_FLAGS = {"": False, "false": False, "true": True}


def answer(route: Route, request: ApiRequest) -> Reply:
    """Returns what the handler replies, or the problem that it raises."""
    try:
        _check_names(route, request)
        return route.handler(request)
    except ModicumError as error:
        return problem_reply(problem_of(error))


def _check_names(route: Route, request: ApiRequest) -> None:
    known = [parameter.name for parameter in route.parameters]
    for name in request.query:
        if name not in known:
            near = nearest(name[:60], known)
            usual = f"the parameters are: {', '.join(known)}" if known else "this route has no parameters"
            raise ModicumError(
                f'there is no parameter "{name[:60]}"', remedy=f'did you mean "{near}"?' if near else usual
            )


def note_number(request: ApiRequest) -> int:
    """Returns the number in the path."""
    return whole_number("id", request.path["id"])


def flag(request: ApiRequest, name: str) -> bool:
    """Returns the value of a parameter that is true or false."""
    word = request.text(name)
    if word not in _FLAGS:
        raise ModicumError(f'{name} is "{word[:40]}"', remedy="give true or false")
    return _FLAGS[word]


def needed(request: ApiRequest, name: str, remedy: str) -> str:
    """Returns a parameter that must be given."""
    if not request.text(name).strip():
        raise ModicumError(f"{name} is missing", remedy=remedy)
    return request.text(name)
