"""What the server sends back: replies, and problems as RFC 9457 describes them."""

from http import HTTPStatus
from typing import NamedTuple

import msgspec

from modicum.base.errors import ModicumError
from modicum.http.remedies import route_wording
from modicum.memory.model import Forbidden, NotFound, Unusable

JSON = "application/json"
PROBLEM = "application/problem+json"

Headers = tuple[tuple[str, str], ...]


class Reply(NamedTuple):
    """A finished response."""

    status: int
    body: bytes
    content_type: str = JSON
    headers: Headers = ()


class Problem(NamedTuple):
    """Why a request is not answered, and what to do about it."""

    status: int
    detail: str
    remedy: str = ""
    headers: Headers = ()


def json_reply(value: object, status: int = HTTPStatus.OK, headers: Headers = ()) -> Reply:
    """The value as JSON, with a line end."""
    return Reply(status, msgspec.json.encode(value) + b"\n", JSON, headers)


def problem_members(problem: Problem) -> dict[str, object]:
    """The members of a problem document."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "detail": problem.detail,
        "remedy": problem.remedy,
    }


def problem_reply(problem: Problem) -> Reply:
    """The problem as `application/problem+json`."""
    body = msgspec.json.encode(problem_members(problem)) + b"\n"
    return Reply(problem.status, body, PROBLEM, problem.headers)


def problem_of(error: ModicumError) -> Problem:
    """The problem that an error is told as."""
    return Problem(_status(error), error.message, route_wording(error.remedy))


def _status(error: ModicumError) -> int:
    kinds = (
        (NotFound, HTTPStatus.NOT_FOUND),
        (Forbidden, HTTPStatus.FORBIDDEN),
        (Unusable, HTTPStatus.INTERNAL_SERVER_ERROR),
    )
    return next((status for kind, status in kinds if isinstance(error, kind)), HTTPStatus.BAD_REQUEST)
