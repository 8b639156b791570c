"""The error that a person reads, and its remedy, which the command line, HTTP and MCP word each in their own way."""

from collections.abc import Callable, Mapping

from modicum.base.named_tuple import NamedTuple


class Remedy:
    """The remedy of an error: an action by its name and its arguments: Remedy("change.reopen",
    id="login-fails").

    The command line words it as a command, MCP as the call of a tool, HTTP as a route.
    """

    __slots__ = ("action", "arguments")

    def __init__(self, action: str, **arguments: str) -> None:
        self.action = action
        self.arguments = arguments

    def in_words(self, table: Mapping[str, str]) -> str:
        """Returns the remedy of an error in words, by the table of actions of a door; "" if the table has none for it."""
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
    """Returns the message of a ModicumError followed by its remedy, in the words that `wording` gives."""
    words = word(remedy)
    return f"{message} ({words})" if words else message


def wording(table: Mapping[str, str]) -> Wording:
    """Returns the function that puts the remedy of an error into words by a table of actions."""
    return lambda remedy: remedy if isinstance(remedy, str) else remedy.in_words(table) or str(remedy)


class ModicumError(Exception):
    """The error that a person is meant to read: what is wrong, and the remedy."""

    def __init__(self, message: str, *, remedy: Advice = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return self.worded(str)

    def worded(self, word: Wording) -> str:
        """Returns the message of the error with its remedy, in the words of the caller."""
        return with_remedy(self.message, self.remedy, word)


class WrongUsage(ModicumError):  # noqa: N818 - says what happened
    """The error that what was typed makes no sense here: no such command, tool, pack or word. Nothing was done."""


class Caution(NamedTuple):
    """A warning with a remedy, for a person to read; unlike an error, it stops nothing."""

    message: str
    remedy: Advice = ""

    def worded(self, word: Wording) -> str:
        """Returns the warning, which stops nothing, with its remedy in the words of the caller."""
        return with_remedy(self.message, self.remedy, word)
