"""What engram's routes read from a request: parameters and fields of bodies, as tolerant as Go is, and no more."""

from http import HTTPStatus

from modicum.compat.engram.go_json import TRUE, BadBody, decode, int_or, parse_int
from modicum.compat.engram.http.replies import EngramError
from modicum.http.request import ApiRequest

MOST_ITEMS = 1_000_000  # nobody reads more, and the database counts no further than 64 bits
MOST_WORDS = 4_000

Fields = dict[str, object]


def whole(request: ApiRequest, name: str, default: int) -> int:
    """A number in a parameter; the default if it is none, or not above zero."""
    found = int_or(request.text(name), default)
    return min(found, MOST_ITEMS) if found > 0 else default


def flag(request: ApiRequest, name: str) -> bool:
    """Whether a parameter says yes, as Go reads it."""
    return request.text(name) in TRUE


def parse_id(word: str, complaint: str) -> int:
    """A number in a path or a parameter; if it is none, the complaint is the reply."""
    found = parse_int(word)
    if found is None:
        raise EngramError(HTTPStatus.BAD_REQUEST, complaint)
    return found


def body_fields(request: ApiRequest) -> Fields:
    """The fields of a body by their names in lower case; none, if the body is null."""
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
    """A number; 0 where there is none."""
    if given is None:
        return 0
    if isinstance(given, bool) or not isinstance(given, int) or parse_int(str(given)) is None:
        raise BadBody("cannot unmarshal the value into a field of type int64")
    return given


def needed_integer(body: Fields, field: str) -> int:
    if not (number := integer(body.get(field))):
        raise EngramError(HTTPStatus.BAD_REQUEST, f"{field} is required")
    return number
