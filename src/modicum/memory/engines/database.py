"""What the store needs of a database, so that it runs on more than one."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

Row = tuple[Any, ...]
Values = Mapping[str, object]

NOTHING: Values = {}


class Transaction(Protocol):
    """Statements that see one moment and take effect together. Parameters are written as `:name`."""

    def rows(self, sql: str, values: Values = NOTHING) -> list[Row]: ...

    def run(self, sql: str, values: Values = NOTHING) -> int:
        """Run a statement, and say how many rows it has changed."""
        ...

    def hold(self, name: str) -> None:
        """Wait for other writers that hold this name, as `writing` does for those it is given."""
        ...


class SearchBounds(NamedTuple):
    """Bounds of a search: ids up to one, times from one to another and one project, if there are any.

    `among` are groups of marks: a passage must have one of each group to be seen.
    """

    upto: int
    since: str = ""
    until: str = ""
    project: str = ""
    among: tuple[tuple[str, ...], ...] = ()


class FullText(Protocol):
    """What only the full-text index can say; `match` is an expression that `matching` made."""

    @property
    def comparable(self) -> int:
        """How many passages `best` compares with one another in a few tens of milliseconds."""
        ...

    def matching(
        self,
        stems: Sequence[str],
        phrases: Sequence[Sequence[str]],
        marks: Sequence[str],
        pairs: Sequence[str] = (),
    ) -> str:
        """An expression for passages with any of the stems or any two of the pairs, all phrases and all marks."""
        ...

    def best(
        self, tx: Transaction, match: str, within: SearchBounds, known: Mapping[str, int], limit: int
    ) -> list[int]:
        """The ids that match best, by how well; `known` are the frequencies of the stems."""
        ...

    def newest(self, tx: Transaction, match: str, within: SearchBounds, limit: int) -> list[int]:
        """The highest ids that match, from the highest down."""
        ...

    def count(self, tx: Transaction, match: str, within: SearchBounds, most: int) -> int:
        """How many match; from `most` on, nobody counts."""
        ...

    def frequencies(self, tx: Transaction, stems: Sequence[str]) -> dict[str, int]:
        """In how many passages each stem is; one that is in none is left out."""
        ...

    def alike(self, tx: Transaction, first: str, shortest: int, longest: int) -> list[str]:
        """Stems that begin like this and have such a length; some may be of notes that are gone."""
        ...

    def beginning(self, tx: Transaction, first: str, limit: int) -> dict[str, int]:
        """Some stems that begin like this, with their frequencies."""
        ...

    def containing(self, tx: Transaction, text: str, within: SearchBounds, limit: int) -> list[int]:
        """The newest notes in which this very text is, in whatever case."""
        ...

    def prompts(self, tx: Transaction, words: Sequence[str], *, project: str, limit: int) -> list[int]:
        """The prompts that match best."""
        ...


class BrokenDatabase:
    """A database that cannot be used: whoever tries is told why, and nobody gets to see anything."""

    place = qualifier = ""

    def __init__(self, error: Exception) -> None:
        self.error = error

    @property
    def words(self) -> FullText:
        raise self.error

    def ask(self, sql: str, values: Values = NOTHING) -> list[Row]:
        raise self.error

    def reading(self) -> AbstractContextManager[Transaction]:
        raise self.error

    def writing(self, *names: str) -> AbstractContextManager[Transaction]:
        raise self.error

    def size(self) -> int:
        raise self.error

    def problems(self) -> tuple[str, ...]:
        raise self.error

    def rebuild_index(self) -> None:
        raise self.error

    def close(self) -> None: ...


class Database(Protocol):
    """A database that is open, for any number of threads; writers wait for one another, and never fail for it."""

    @property
    def words(self) -> FullText: ...

    @property
    def place(self) -> str:
        """Where it is, in words for people: without a password."""
        ...

    @property
    def qualifier(self) -> str:
        """What stands before a table's name where a common table expression has taken the name itself."""
        ...

    def ask(self, sql: str, values: Values = NOTHING) -> list[Row]:
        """What one statement finds, with no transaction around it: the quickest way there is."""
        ...

    def reading(self) -> AbstractContextManager[Transaction]: ...

    def writing(self, *names: str) -> AbstractContextManager[Transaction]:
        """Writers that name the same wait for one another; one that names nothing waits for all."""
        ...

    def size(self) -> int:
        """How many bytes it takes."""
        ...

    def problems(self) -> tuple[str, ...]:
        """What is wrong with it, if anything: reads all of it."""
        ...

    def rebuild_index(self) -> None:
        """Make the full-text index anew from what it is the index of."""
        ...

    def close(self) -> None: ...
