"""Reads foreign JSON, of other programs or machines, into a declared shape, or names the bad field. Pure."""

from typing import TypeVar

import msgspec

Shape = TypeVar("Shape")

_WORDS = {
    "`str`": "text",
    "`int`": "a whole number",
    "`float`": "a number",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "a record",
    "`null`": "null",
    "Object missing required field": "there is no field",
    "Object contains unknown field": "unknown field",
}


class WrongShape(ValueError):  # noqa: N818 - says what it is
    """The error for foreign JSON that does not have the declared shape; the message names the field."""


def shaped(value: object, kind: type[Shape], *, at: str = "", lax: bool = False) -> Shape:
    """Reads a value of foreign JSON as a `kind`; `at` is its place, `lax` also takes numbers as text."""
    try:
        return msgspec.convert(value, kind, strict=not lax)
    except msgspec.ValidationError as error:
        raise WrongShape(_in_words(str(error), at)) from None


def _in_words(message: str, at: str) -> str:
    what, _, path = message.partition(" - at `$")
    for sign, word in _WORDS.items():
        what = what.replace(sign, word)
    place = f"{at}{path.rstrip('`')}".lstrip(".")
    return f"{place}: {what[:1].lower()}{what[1:]}" if place else f"{what[:1].lower()}{what[1:]}"
