"""Writes and reads JSON and numbers as Go does, in which engram is written, byte for byte."""

import json
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TypeVar

import msgspec

from modicum.base.errors import ModicumError

Value = TypeVar("Value")

TRUE = frozenset(("1", "t", "T", "TRUE", "true", "True"))
_INT64 = 2**63
_NUMBER = re.compile(r"[+-]?[0-9]{1,19}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

# Go escapes what could end a script element. Outside of strings none of these occurs in JSON.
_ESCAPES = (
    (b"&", b"\\u0026"),
    (b"<", b"\\u003c"),
    (b">", b"\\u003e"),
    ("\u2028".encode(), b"\\u2028"),
    ("\u2029".encode(), b"\\u2029"),
)

_PLAIN = re.compile(rb"[&<>]|\xe2\x80[\xa8\xa9]")


class BadBody(ModicumError):  # noqa: N818 - says what happened
    """The error for a body that Go's JSON decoder would refuse."""


def encode(value: object) -> bytes:
    """Encodes a value as JSON the way Go's encoder does, with a line end."""
    data = msgspec.json.encode(value)
    if _PLAIN.search(data):
        for character, escape in _ESCAPES:
            data = data.replace(character, escape)
    return data + b"\n"


def number(value: float) -> msgspec.Raw:
    """Returns a float as Go's JSON writes it: no exponent between 1e-6 and 1e21, none with a leading zero."""
    if value == 0 or 1e-6 <= abs(value) < 1e21:
        text = format(Decimal(repr(value)), "f")
        return msgspec.Raw((text.removesuffix(".0") if value else "0").encode())
    return msgspec.Raw(re.sub(r"e([+-])0?", r"e\1", repr(value)).encode())


def listed(items: Iterable[Value]) -> list[Value] | None:
    """Returns a list, or None for an empty one: Go's JSON writes a nil slice as null."""
    return list(items) or None


def parse_int(word: str) -> int | None:
    """Parses a number as Go's Atoi does, for engram's JSON; returns None if it is none."""
    if not _NUMBER.fullmatch(word):
        return None
    return found if -_INT64 <= (found := int(word)) < _INT64 else None


def int_or(word: str, default: int) -> int:
    """Parses a number as Go's Atoi does, for engram's JSON; returns the default if it is none."""
    found = parse_int(word)
    return default if found is None else found


def decode(body: bytes) -> object:
    """Decodes the first JSON value in a body as Go's decoder does, whatever follows."""
    try:
        text = body.decode("utf-8", "replace").lstrip(" \t\r\n")
        if not text:
            raise BadBody("EOF")
        value: object = _DECODER.raw_decode(text)[0]
        return _mended(value) if _ESCAPED_SURROGATE.search(text) else value
    except RecursionError:
        raise BadBody("exceeded max depth") from None
    except ValueError as error:
        raise BadBody(str(error)) from None


def _mended(value: object) -> object:
    """Returns the value with a mark for each half of a surrogate pair, as Go reads it."""
    if isinstance(value, str):
        return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, list):
        return [_mended(each) for each in value]
    if isinstance(value, dict):
        return {_mended(name): _mended(each) for name, each in value.items()}
    return value


def decode_fields(body: bytes, *fields: str) -> dict[str, str | None]:
    """Decodes text fields of a JSON object as Go does, in any case of names. None: missing or null."""
    value = decode(body)
    found: dict[str, str | None] = dict.fromkeys(fields)
    if value is None:
        return found
    if not isinstance(value, Mapping):
        raise BadBody(f"cannot unmarshal {_kind(value)} into an object")
    for name, given in value.items():
        field = name.lower()
        if field in found and given is not None:
            found[field] = _text(field, given)
    return found


def _text(field: str, given: object) -> str:
    if not isinstance(given, str):
        raise BadBody(f"cannot unmarshal {_kind(given)} into field {field} of type string")
    return given


_KINDS = {bool: "bool", int: "number", float: "number", str: "string", list: "array", dict: "object"}


def _kind(value: object) -> str:
    return _KINDS[type(value)]


def _no_constant(name: str) -> object:
    raise ValueError(f"invalid literal {name}")


_DECODER = json.JSONDecoder(parse_constant=_no_constant, strict=True)
