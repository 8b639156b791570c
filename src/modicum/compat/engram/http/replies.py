"""The replies and errors of engram's routes, as engram sends them."""

from http import HTTPStatus

from modicum.base.errors import ModicumError
from modicum.compat.engram.go_json import BadBody, encode
from modicum.http.replies import PROBLEM, Problem, Reply, problem_members, problem_of
from modicum.http.request import ApiRequest
from modicum.http.routes import Route
from modicum.memory.model import Forbidden, Refused

TEXT = "text/plain; charset=utf-8"
_PLAIN = {
    HTTPStatus.NOT_FOUND: b"404 page not found\n",
    HTTPStatus.METHOD_NOT_ALLOWED: b"Method Not Allowed\n",
}


class EngramError(ModicumError):
    """An error reply of engram's route: its message and its status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def ok(value: object, status: int = HTTPStatus.OK) -> Reply:
    """Returns the reply of engram's route with a value as Go's encoder writes it."""
    return Reply(status, encode(value))


def failure(status: int, message: str) -> Reply:
    """Returns the error reply of engram's route."""
    return Reply(status, encode({"error": message}))


def answer(route: Route, request: ApiRequest) -> Reply:
    """Answers engram's route: returns the handler's reply, or its error as engram replies."""
    try:
        return route.handler(request)
    except EngramError as error:
        return failure(error.status, error.message)
    except BadBody as error:
        return failure(HTTPStatus.BAD_REQUEST, f"invalid json: {error}")
    except Refused as error:
        return failure(HTTPStatus.BAD_REQUEST, str(error))
    except Forbidden as error:
        return refuse(problem_of(error))
    except ModicumError as error:
        # A session that does not exist is one of these: engram answers with what its database says.
        return failure(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))


def refuse(problem: Problem) -> Reply:
    """Returns the reply of engram's route to a refused request: Go's plain text, or a problem with `error`."""
    plain = _PLAIN.get(HTTPStatus(problem.status))
    if plain is not None:
        return Reply(problem.status, plain, TEXT, problem.headers)
    body = encode({**problem_members(problem), "error": problem.detail})
    return Reply(problem.status, body, PROBLEM, problem.headers)
