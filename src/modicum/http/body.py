"""The parser of an HTTP request's JSON body, which names the wrong field."""

from collections.abc import Iterable
from enum import EnumType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

import msgspec

from modicum.base.errors import ModicumError

Body = TypeVar("Body", bound=msgspec.Struct)


def parse_body(data: bytes, kind: type[Body]) -> Body:
    """Parses the JSON body of any HTTP request into a struct. Raises ModicumError if a field is wrong."""
    given = given_object(data)
    fields = msgspec.structs.fields(kind)
    names = [field.name for field in fields]
    for name in given:
        if name not in names:
            raise _unknown(name, names)
    for field in fields:
        if field.required and field.name not in given:
            raise ModicumError(f"{field.name} is missing", remedy=f"give {_in_words(field.type)}")
    return kind(**{field.name: _value(field, given[field.name]) for field in fields if field.name in given})


def given_object(data: bytes) -> dict[str, Any]:
    """Returns the JSON object in the body of an HTTP request. Raises ModicumError if it is none."""
    try:
        given = msgspec.json.decode(data) if data.strip() else {}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        remedy = "send one JSON object, in UTF-8"
        raise ModicumError(f"the body is not JSON: {error}", remedy=remedy) from None
    if not isinstance(given, dict):
        raise ModicumError("the body is not an object", remedy='send one, as in {"title": "…"}')
    return given


def _unknown(name: str, names: Iterable[str]) -> ModicumError:
    from modicum.base.near_words import nearest

    near = nearest(name[:60], sorted(names))
    remedy = f'did you mean "{near}"?' if near else f"the fields are: {', '.join(names)}"
    return ModicumError(f'there is no field "{name[:60]}"', remedy=remedy)


def _value(field: msgspec.structs.FieldInfo, given: object) -> object:
    try:
        return msgspec.convert(given, field.type)
    except msgspec.ValidationError:
        words = _in_words(field.type)
        raise ModicumError(f"{field.name} is not {words}", remedy=f"give {words}") from None


_WORDS = {str: "a text", int: "a whole number", bool: "true or false", list[str]: "a list of texts"}


def _in_words(kind: Any) -> str:  # noqa: ANN401 - a type
    """A type as a person says it."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal or isinstance(kind, EnumType):
        return f"one of: {', '.join(map(str, inner or [each.value for each in kind]))}"
    if origin is Annotated:
        return f"{_in_words(inner[0])} {_bounds_in_words(inner[1])}"
    if kind in _WORDS or origin in (list, tuple):
        return _WORDS.get(kind, "a list")
    return " or ".join(_in_words(each) for each in inner if each is not type(None))


def _bounds_in_words(bounds: msgspec.Meta) -> str:
    return f"from {bounds.ge} to {bounds.lt - 1}" if bounds.lt else f"from {bounds.ge} on"
