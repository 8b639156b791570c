"""The replies of the HTTP server: finished responses, and problems as RFC 9457 describes them."""

from http import HTTPStatus
from typing import NamedTuple

from modicum.app.session.handed_log import Handed
from modicum.base.errors import ModicumError, Wording
from modicum.http.remedies import route_wording
from modicum.memory.model import Forbidden, NotFound, Unusable

JSON = "application/json"
PROBLEM = "application/problem+json"

Headers = tuple[tuple[str, str], ...]


class Reply(NamedTuple):
    """A finished reply of the HTTP server: status, body, content type and headers."""

    status: int
    body: bytes
    content_type: str = JSON
    headers: Headers = ()
    handed: Handed | None = None  # for the log of what agents were handed, where it is a page


class Problem(NamedTuple):
    """A problem reply over HTTP before it is encoded: status, what is wrong, and the remedy."""

    status: int
    detail: str
    remedy: str = ""
    headers: Headers = ()


def json_reply(value: object, status: int = HTTPStatus.OK, headers: Headers = ()) -> Reply:
    """Returns an HTTP reply with the value as JSON and a line end."""
    return Reply(status, _encoded(value), JSON, headers)


def _encoded(value: object) -> bytes:
    from msgspec.json import encode  # a server answers for its health before this is loaded

    return encode(value) + b"\n"


def problem_members(problem: Problem) -> dict[str, object]:
    """Returns the members of a problem document (RFC 9457) for an HTTP reply."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "detail": problem.detail,
        "remedy": problem.remedy,
    }


def problem_reply(problem: Problem) -> Reply:
    """Returns the HTTP reply for a problem, as `application/problem+json`."""
    return Reply(problem.status, _encoded(problem_members(problem)), PROBLEM, problem.headers)


def problem_of(error: ModicumError, word: Wording = route_wording) -> Problem:
    """Returns the problem in the HTTP reply to an error: status, detail and remedy."""
    return Problem(_status(error), error.message, word(error.remedy))


def _status(error: ModicumError) -> int:
    kinds = (
        (NotFound, HTTPStatus.NOT_FOUND),
        (Forbidden, HTTPStatus.FORBIDDEN),
        (Unusable, HTTPStatus.INTERNAL_SERVER_ERROR),
    )
    return next((status for kind, status in kinds if isinstance(error, kind)), HTTPStatus.BAD_REQUEST)
