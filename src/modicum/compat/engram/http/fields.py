"""Reads fields of requests to engram's routes: parameters and bodies, as tolerant as Go."""

from http import HTTPStatus

from modicum.compat.engram.go_json import TRUE, BadBody, decode, int_or, parse_int
from modicum.compat.engram.http.replies import EngramError
from modicum.http.request import ApiRequest

MOST_ITEMS = 1_000_000  # nobody reads more, and the database counts no further than 64 bits
MOST_WORDS = 4_000

Fields = dict[str, object]


def whole(request: ApiRequest, name: str, default: int) -> int:
    """Returns a number parameter of engram's route; the default if it is no number above zero."""
    found = int_or(request.text(name), default)
    return min(found, MOST_ITEMS) if found > 0 else default


def flag(request: ApiRequest, name: str) -> bool:
    """Returns a boolean parameter of engram's route, as Go reads it."""
    return request.text(name) in TRUE


def parse_id(word: str, complaint: str) -> int:
    """Returns an id field of engram's route as a number. Raises EngramError if it is none."""
    found = parse_int(word)
    if found is None:
        raise EngramError(HTTPStatus.BAD_REQUEST, complaint)
    return found


def question(request: ApiRequest) -> str:
    """Returns the search words in a parameter of engram's route; raises EngramError if there are none."""
    if not request.text("q"):
        raise EngramError(HTTPStatus.BAD_REQUEST, "q parameter is required")
    return request.text("q")


def body_fields(request: ApiRequest) -> Fields:
    """Returns the fields of a body sent to engram's route, by lower-case name; empty if it is null."""
    value = decode(request.body)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadBody("cannot unmarshal the value into an object")
    return {str(name).lower(): given for name, given in value.items()}


def text(body: Fields, field: str) -> str:
    given = body.get(field)
    if given is not None and not isinstance(given, str):
        raise BadBody(f"cannot unmarshal the value into field {field} of type string")
    return (given or "").strip()[:MOST_WORDS]


def boolean(body: Fields, field: str) -> bool:
    given = body.get(field) or False
    if not isinstance(given, bool):
        raise BadBody(f"cannot unmarshal the value into field {field} of type bool")
    return given


def items(body: Fields, field: str) -> list[object]:
    given = body.get(field)
    if given is not None and not isinstance(given, list):
        raise BadBody(f"cannot unmarshal the value into field {field} of type slice")
    return given or []


def integer(given: object) -> int:
    """Returns an integer field of a body sent to engram's route; 0 if it is missing."""
    if given is None:
        return 0
    if isinstance(given, bool) or not isinstance(given, int) or parse_int(str(given)) is None:
        raise BadBody("cannot unmarshal the value into a field of type int64")
    return given


def needed_integer(body: Fields, field: str) -> int:
    if not (number := integer(body.get(field))):
        raise EngramError(HTTPStatus.BAD_REQUEST, f"{field} is required")
    return number
