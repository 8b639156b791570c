"""Our named tuples do what `typing.NamedTuple` does."""

import pickle
import sys
import typing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.base.named_tuple import NamedTuple


class Ours(NamedTuple):
    """A point, and what it is called."""

    x: int
    y: int = 2
    name: str = "n"

    @property
    def sum(self) -> int:
        return self.x + self.y


class Theirs(typing.NamedTuple):
    x: int
    y: int = 2
    name: str = "n"


class Child(Ours):
    """One that inherits its fields."""


values = st.integers(0, 3)
named = st.dictionaries(st.sampled_from(["x", "y", "name", "z"]), values, max_size=4)


def result(make: Any, *given: object, **named: object) -> object:
    """The fields of what is made, or the kind of error."""
    try:
        made = make(*given, **named)
    except (TypeError, ValueError):
        return "wrong"
    return made._asdict()


@given(st.lists(values, max_size=4), named)
def test_it_is_made_of_the_same_fields_or_refuses_the_same(given: list[int], named: dict[str, int]) -> None:
    assert result(Ours, *given, **named) == result(Theirs, *given, **named)


@given(st.lists(values, max_size=4))
def test_it_is_made_of_a_row(row: list[int]) -> None:
    assert result(Ours._make, row) == result(Theirs._make, row)


@given(named)
def test_it_is_changed_in_the_same_way(changes: dict[str, int]) -> None:
    assert result(Ours(1)._replace, **changes) == result(Theirs(1)._replace, **changes)


def test_it_is_a_tuple_with_names() -> None:
    one = Ours(1, name="one")

    assert one == (1, 2, "one") == Theirs(1, name="one")
    assert hash(one) == hash((1, 2, "one"))
    assert (one.x, one.y, one.name, one.sum) == (1, 2, "one", 3)
    assert repr(one) == "Ours(x=1, y=2, name='one')"
    assert Ours._fields == Ours.__match_args__ == Theirs._fields
    assert dict(Ours._field_defaults) == Theirs._field_defaults
    match one:
        case Ours(x, _, name):
            assert (x, name) == (1, "one")


def test_it_holds_nothing_but_its_fields() -> None:
    with pytest.raises(AttributeError):
        Ours(1).more = 3  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        Ours(1).x = 3  # type: ignore[misc]

    assert sys.getsizeof(Ours(1)) == sys.getsizeof(Theirs(1))


def test_it_goes_through_a_pickle() -> None:
    assert pickle.loads(pickle.dumps(Ours(1, 5))) == Ours(1, 5)
    assert type(pickle.loads(pickle.dumps(Ours(1, 5)))) is Ours


def test_a_subclass_keeps_the_fields() -> None:
    assert Child(1)._replace(y=7) == (1, 7, "n")
    assert type(Child(1)._replace(y=7)) is Child
