"""A value from elsewhere has the declared shape, or the field that has not is named."""

import msgspec
import pytest

from modicum.memory.foreign_json import WrongShape, shaped


class Thing(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    parts: list[int] = []


def test_a_value_of_the_right_shape_is_read():
    assert shaped({"name": "a", "parts": [1]}, Thing) == Thing("a", [1])
    assert shaped({"name": "a", "parts": ["1"]}, Thing, lax=True) == Thing("a", [1])


@pytest.mark.parametrize(
    ("value", "at", "message"),
    [
        ([], "", "expected a record, got a list"),
        ({}, "", "there is no field `name`"),
        ({"name": None}, "", "name: expected text, got null"),
        ({"name": "a", "parts": [1, "x"]}, "", "parts[1]: expected a whole number, got text"),
        ({"name": "a", "parts": 1.5}, "thing", "thing.parts: expected a list, got a number"),
        ({"name": True}, "thing", "thing.name: expected text, got true or false"),
        ({"name": "a", "other": 1}, "thing", "thing: unknown field `other`"),
        (5, "thing", "thing: expected a record, got a whole number"),
    ],
)
def test_a_value_of_another_shape_is_refused_with_the_field(value, at, message):
    with pytest.raises(WrongShape) as refused:
        shaped(value, Thing, at=at)

    assert str(refused.value) == message
