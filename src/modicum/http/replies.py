"""What is asked over HTTP, and what is answered: values, so that what makes one of the other knows no server."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import NamedTuple

from modicum.base.errors import Advice, ModicumError
from modicum.compat.engram.go_json import TRUE, BadBody, encode, int_or, parse_int
from modicum.http.remedies import route_wording
from modicum.memory.model import Forbidden, NotFound, Refused, Unusable
from modicum.memory.store import Store

JSON = "application/json"
PROBLEM = "application/problem+json"
TEXT = "text/plain; charset=utf-8"

MOST_ITEMS = 1_000_000  # nobody reads more, and the database counts no further than 64 bits


class RequestParts(NamedTuple):
    """A request, taken apart: what the path names, the first value of each parameter, the body."""

    path: Mapping[str, str] = MappingProxyType({})
    query: Mapping[str, str] = MappingProxyType({})
    body: bytes = b""

    def text(self, name: str) -> str:
        return self.query.get(name, "")

    def whole(self, name: str, default: int) -> int:
        """A number, or the default if it is none or not above zero."""
        found = int_or(self.text(name), default)
        return min(found, MOST_ITEMS) if found > 0 else default

    def flag(self, name: str) -> bool:
        return self.text(name) in TRUE

    def number(self, complaint: str, word: str | None = None) -> int:
        """The id in the path, or in a word."""
        found = parse_int(self.path["id"] if word is None else word)
        if found is None:
            raise Fault(HTTPStatus.BAD_REQUEST, complaint)
        return found


class Reply(NamedTuple):
    """A response that is finished."""

    status: int
    body: bytes
    content_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()


Answering = Callable[[Store, RequestParts], Reply]


class Fault(ModicumError):  # noqa: N818 - says what happened
    """A reply in engram's words, which ends the request."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def ok(value: object, status: int = HTTPStatus.OK) -> Reply:
    return Reply(status, encode(value))


def failure(status: int, message: str) -> Reply:
    """An error as engram tells it."""
    return Reply(status, encode({"error": message}))


def problem(
    status: int, message: str, remedy: Advice = "", headers: tuple[tuple[str, str], ...] = ()
) -> Reply:
    """An error as RFC 9457 tells it, with what to do about it; `error` is for clients that know only engram's."""
    told = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": message,
        "remedy": route_wording(remedy),
        "error": message,
    }
    return Reply(status, encode(told), PROBLEM, headers)


def answer(answering: Answering, store: Store, asked: RequestParts) -> Reply:
    """What a route of engram's replies, also when something is wrong."""
    try:
        return answering(store, asked)
    except Fault as fault:
        return failure(fault.status, fault.message)
    except BadBody as error:
        return failure(HTTPStatus.BAD_REQUEST, f"invalid json: {error}")
    except Refused as error:
        return failure(HTTPStatus.BAD_REQUEST, str(error))
    except Forbidden as error:
        return problem(HTTPStatus.FORBIDDEN, error.message, error.remedy)
    except ModicumError as error:
        # A session that is not there is one of these: the reference answers with what its database said.
        return failure(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))


def answer_page(answering: Answering, store: Store, asked: RequestParts) -> Reply:
    """What a route of ours replies, also when something is wrong."""
    try:
        return answering(store, asked)
    except NotFound as error:
        return problem(HTTPStatus.NOT_FOUND, error.message, error.remedy)
    except ModicumError as error:
        return problem(_status(error), error.message, error.remedy)


def _status(error: ModicumError) -> int:
    if isinstance(error, Forbidden):
        return HTTPStatus.FORBIDDEN
    return HTTPStatus.INTERNAL_SERVER_ERROR if isinstance(error, Unusable) else HTTPStatus.BAD_REQUEST
