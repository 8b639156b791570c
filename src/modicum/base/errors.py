"""The error that a person is meant to read, and the remedy for it, which each door words in its own language."""

from collections.abc import Callable, Mapping
from typing import NamedTuple


class Remedy:
    """An action that helps, by its name and its arguments: Remedy("change.reopen", id="login-fails").

    The command line words it as a command, MCP as the call of a tool, HTTP as a route.
    """

    __slots__ = ("action", "arguments")

    def __init__(self, action: str, **arguments: str) -> None:
        self.action = action
        self.arguments = arguments

    def in_words(self, table: Mapping[str, str]) -> str:
        """Returns the words that a table has for the action, with the arguments filled in; "" if it has none."""
        return table.get(self.action, "").format(**self.arguments)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Remedy) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        """Returns the bare name and arguments, for logs: a door that talks to people has better words."""
        return " ".join((self.action, *(f"{name}={value}" for name, value in self.arguments.items())))

    def __repr__(self) -> str:
        return f"Remedy({str(self)!r})"


Advice = Remedy | str  # a text is plain advice, the same at every door
Wording = Callable[[Advice], str]


def with_remedy(message: str, remedy: Advice, word: Wording = str) -> str:
    """Returns the message, and behind it the remedy in the words of a door."""
    words = word(remedy)
    return f"{message} ({words})" if words else message


def wording(table: Mapping[str, str]) -> Wording:
    """Returns the function that words remedies by a table; an action that is not in it is told by its name."""
    return lambda remedy: remedy if isinstance(remedy, str) else remedy.in_words(table) or str(remedy)


class ModicumError(Exception):
    """Something the caller cannot go on from: what is wrong, and what to do about it."""

    def __init__(self, message: str, *, remedy: Advice = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return self.worded(str)

    def worded(self, word: Wording) -> str:
        """Returns the message with its remedy in the words of a door."""
        return with_remedy(self.message, self.remedy, word)


class Caution(NamedTuple):
    """A sentence that stops nobody but should be read, and what to do about it."""

    message: str
    remedy: Advice = ""

    def worded(self, word: Wording) -> str:
        """Returns the sentence with its remedy in the words of a door."""
        return with_remedy(self.message, self.remedy, word)
