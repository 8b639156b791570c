"""A class may be an interface, or for items of any type, without `typing`."""

import subprocess
import sys

from modicum.base.typing_names import Generic, Protocol, TypeVar

Item = TypeVar("Item")


class Pair(Generic[Item]):
    __slots__ = ("one", "other")

    def __init__(self, one: Item, other: "Item | None" = None) -> None:
        self.one, self.other = one, other


class Speaks(Protocol):
    def speak(self) -> str:
        """Says something."""


class Dog(Speaks):
    def speak(self) -> str:
        return "woof"


def test_they_make_plain_classes():
    assert (Pair(1, 2).other, Pair[str]("a").one) == (2, "a")
    assert Dog().speak() == "woof"
    assert (Item | None) is not None


def test_they_load_no_typing():
    code = "import sys, modicum.memory.model, modicum.memory.engines.database; print('typing' in sys.modules)"

    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
