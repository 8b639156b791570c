"""Values: frozen, compared by what they hold, built whole."""

import copy
import inspect
import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.base.value import NOTHING, Value, as_dict, replace


class Point(Value):
    """With one field that must be given, and two that need not."""

    x: int
    y: int = 0
    names: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return self.x + self.y


class Other(Value):
    x: int
    y: int = 0
    names: tuple[str, ...] = ()


numbers = st.integers(-9, 9)


@given(numbers, numbers)
def test_a_value_is_the_same_however_it_is_built(x: int, y: int) -> None:
    point = Point(x, y)

    assert point == Point(y=y, x=x) == replace(Point(x), y=y) == Point(**as_dict(point))
    assert hash(point) == hash(Point(x, y=y, names=()))
    assert (point.x, point.y, point.names, point.total) == (x, y, (), x + y)


@given(numbers, numbers, numbers)
def test_values_differ_by_what_they_hold(x: int, y: int, other: int) -> None:
    assert (Point(x, y) == Point(x, other)) is (y == other)


def test_values_of_two_kinds_differ() -> None:
    assert Point(1) != Other(1)
    assert Point(1) != (1, 0, ())


def test_a_value_does_not_change() -> None:
    point = Point(1)

    with pytest.raises(AttributeError, match=r"a Point keeps its x: replace\(\) makes another one"):
        point.x = 2  # type: ignore[misc]
    assert point == Point(1)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((), {}),
        ((1, 2, (), 4), {}),
        ((1,), {"x": 2}),
        ((1,), {"z": 2}),
        ((), {"y": 2}),
        ((), {"z": 2, "y": 1}),
    ],
)
def test_a_value_takes_each_of_its_fields_once_and_no_other(given: tuple[int], named: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="Point"):
        Point(*given, **named)  # type: ignore[arg-type]


def test_a_replaced_field_must_exist() -> None:
    with pytest.raises(TypeError, match="x, y, names"):
        replace(Point(1), z=2)


def test_a_value_shows_what_it_holds() -> None:
    assert repr(Point(1, names=("a",))) == "Point(x=1, y=0, names=('a',))"


def test_a_value_can_be_matched_by_its_fields_copied_and_stored() -> None:
    match Point(1, 2):
        case Point(x=1, y=found):
            assert found == 2
        case _:
            pytest.fail("it should match")
    assert copy.copy(Point(1)) == copy.deepcopy(Point(1)) == pickle.loads(pickle.dumps(Point(1))) == Point(1)


class Named(Point):
    """Has the fields of a point, another default for one of them, and a field of its own."""

    y: int = 7
    label: str = ""


class Labelled(Value):
    label: str


class Marked(Labelled, Point):
    """Has two parents; the first one's fields come last, as those of a dataclass do."""


def test_a_value_has_a_signature_with_types_and_defaults() -> None:
    assert str(inspect.signature(Point)) == "(x: int, y: int = 0, names: tuple[str, ...] = ())"
    assert inspect.signature(Point).bind(1, names=("a",)).arguments == {"x": 1, "names": ("a",)}


def test_a_value_can_be_matched_by_position() -> None:
    assert Point.__match_args__ == ("x", "y", "names")
    match Point(1, 2, ("a",)):
        case Point(1, y, (name,)):
            assert (y, name) == (2, "a")
        case _:
            pytest.fail("it should match")


def test_a_subclass_keeps_the_fields_of_its_parent() -> None:
    named = Named(1, label="here")

    assert (named.x, named.y, named.names, named.label, named.total) == (1, 7, (), "here", 8)
    assert repr(named) == "Named(x=1, y=7, names=(), label='here')"
    assert replace(named, x=2) == Named(2, 7, (), "here")
    assert as_dict(named) == {"x": 1, "y": 7, "names": (), "label": "here"}
    assert str(inspect.signature(Named)) == (
        "(x: int, y: int = 7, names: tuple[str, ...] = (), label: str = '')"
    )
    assert named != Point(1, 7)
    assert Point(1) == Point(1, 0)  # the parent is as it was


def test_a_value_keeps_the_fields_of_both_parents() -> None:
    with pytest.raises(TypeError, match="x, y, names, label"):
        Marked(1)  # type: ignore[call-arg]
    assert Marked(x=1, label="a").label == "a"


def test_starting_does_not_import_inspect() -> None:
    code = "import sys, modicum.base.value; assert 'inspect' not in sys.modules"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_empty_mapping_stays_empty() -> None:
    with pytest.raises(TypeError):
        NOTHING["a"] = 1  # type: ignore[index]
