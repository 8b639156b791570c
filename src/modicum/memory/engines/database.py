"""What the store needs of a database, so that it runs on more than one."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from math import log
from typing import Any, NamedTuple, Protocol

from modicum.memory.people.access import ANYBODY, Person

Row = tuple[Any, ...]
Values = Mapping[str, object]

NOTHING: Values = {}


class Match(NamedTuple):
    """Which passages match: any of the stems or any two of the pairs, all phrases and all marks."""

    stems: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    marks: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()

    @property
    def scored_stems(self) -> tuple[str, ...]:
        """The stems by which a match is better than another; of phrases, their words."""
        words = (word for phrase in self.phrases for word in phrase)
        return tuple(dict.fromkeys((*self.stems, *self.pairs) or words))


class SearchBounds(NamedTuple):
    """Bounds of a search: ids up to one, times from one to another and one project, if there are any."""

    upto: int
    since: str = ""
    until: str = ""
    project: str = ""


class PassageTotals(NamedTuple):
    """How many passages there are, and how many words they have together."""

    passages: int = 0
    words: int = 0

    @property
    def usual_length(self) -> float:
        """The words of an average passage."""
        return max(1.0, self.words / max(1, self.passages))


class Frequencies(NamedTuple):
    """How often stems occur, among how many passages."""

    stems: dict[str, int]
    totals: PassageTotals

    def rarity(self, stem: str) -> float:
        """How much a stem tells, as BM25 reckons it. One that was not counted is taken to be everywhere."""
        passages = self.totals.passages
        having = min(self.stems.get(stem, passages), passages)
        return max(0.000001, log((passages - having + 0.5) / (having + 0.5)))


class FullText(Protocol):
    """What only the full-text index can say, and only of what the person of the transaction may see."""

    @property
    def comparable(self) -> int:
        """How many passages `best` compares with one another in a few tens of milliseconds."""
        ...

    @property
    def is_exact(self) -> bool:
        """True if `frequencies` are counted to the last passage; they may be reckoned where there are many."""
        ...

    def best(
        self, tx: "Transaction", match: Match, within: SearchBounds, known: "Frequencies", limit: int
    ) -> list[int]:
        """Returns the ids that match best, by how well."""
        ...

    def newest(self, tx: "Transaction", match: Match, within: SearchBounds, limit: int) -> list[int]:
        """Returns the highest ids that match, from the highest down."""
        ...

    def count(self, tx: "Transaction", match: Match, within: SearchBounds, most: int) -> int:
        """Counts what matches, up to `most`."""
        ...

    def totals(self, tx: "Transaction") -> PassageTotals: ...

    def frequencies(self, tx: "Transaction", stems: Sequence[str]) -> dict[str, int]:
        """Counts the passages that each stem is in; a stem that is in none is left out."""
        ...

    def alike(self, tx: "Transaction", first: str, shortest: int, longest: int) -> list[str]:
        """Returns stems that begin like this and have such a length; some may be of notes that are gone."""
        ...

    def beginning(self, tx: "Transaction", first: str, limit: int) -> dict[str, int]:
        """Returns some stems that begin like this, with their frequencies."""
        ...

    def containing(self, tx: "Transaction", text: str, within: SearchBounds, limit: int) -> list[int]:
        """Returns the newest notes in which this very text is, in whatever case."""
        ...

    def prompts(self, tx: "Transaction", words: Sequence[str], *, project: str, limit: int) -> list[int]:
        """Returns the prompts that match best."""
        ...

    def forget(self, tx: "Transaction", stems: Sequence[str]) -> None:
        """Takes those stems out of the vocabulary that are in no passage any more."""
        ...


class Transaction(Protocol):
    """Statements that see one state of the database and take effect together. Parameters are written as `:name`.

    In a person's transaction tables hold only what that person may see, and nothing can be written: the database
    refuses every other statement.
    """

    @property
    def words(self) -> FullText: ...

    @property
    def unlimited(self) -> "Transaction":
        """The same transaction without the limits of a person, for a write that was checked; only where one may write."""
        ...

    def rows(self, sql: str, values: Values = NOTHING) -> list[Row]: ...

    def run(self, sql: str, values: Values = NOTHING) -> int:
        """Runs a statement; returns how many rows it has changed."""
        ...

    def hold(self, name: str) -> None:
        """Waits for other writers that hold this name, as `writing` does for those it is given."""
        ...


class BrokenDatabase:
    """A database that cannot be used: every use of it raises why."""

    place = ""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def ask(self, sql: str, values: Values = NOTHING) -> list[Row]:
        raise self.error

    def reading(self, person: Person = ANYBODY) -> AbstractContextManager[Transaction]:
        raise self.error

    def writing(self, *names: str, person: Person = ANYBODY) -> AbstractContextManager[Transaction]:
        raise self.error

    def erase_traces(self) -> None:
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
    def place(self) -> str:
        """Where it is, in words for people: without a password."""
        ...

    def ask(self, sql: str, values: Values = NOTHING) -> list[Row]:
        """Returns what one statement finds, without limits and with no transaction around it: the quickest way there is."""
        ...

    def reading(self, person: Person = ANYBODY) -> AbstractContextManager[Transaction]:
        """Opens a transaction that sees what a person may see."""
        ...

    def writing(self, *names: str, person: Person = ANYBODY) -> AbstractContextManager[Transaction]:
        """Opens a transaction that may write. Writers that name the same wait for one another; one without names waits for all."""
        ...

    def erase_traces(self) -> None:
        """Removes what was deleted for good from files that keep changes for a while, unless somebody is reading them."""
        ...

    def size(self) -> int:
        """Returns how many bytes it takes."""
        ...

    def problems(self) -> tuple[str, ...]:
        """Returns what is wrong with it, if anything: reads all of it."""
        ...

    def rebuild_index(self) -> None:
        """Makes the full-text index anew from what it is the index of."""
        ...

    def close(self) -> None: ...
