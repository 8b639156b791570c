"""The interface of a database: what every engine (SQLite, PostgreSQL) offers to the store."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from math import log

from modicum.base.named_tuple import NamedTuple
from modicum.base.typing_names import Any, Protocol
from modicum.memory.people.access import ANYBODY, Person

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.memory.model import StoreProblem

Row = tuple[Any, ...]
Values = Mapping[str, object]

NOTHING: Values = {}


class Match(NamedTuple):
    """A full-text condition that any database engine can run: any stem or any two pairs, and all phrases and marks."""

    stems: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    marks: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()

    @property
    def scored_stems(self) -> tuple[str, ...]:
        """Returns the stems by which a database engine scores a match; of phrases, their words."""
        words = (word for phrase in self.phrases for word in phrase)
        return tuple(dict.fromkeys((*self.stems, *self.pairs) or words))


class SearchBounds(NamedTuple):
    """The bounds of a full-text search that any database engine can run: a highest id, a span of time, a project."""

    upto: int
    since: str = ""
    until: str = ""
    project: str = ""


class PassageTotals(NamedTuple):
    """The number of passages in an engine's full-text index, and of all their words."""

    passages: int = 0
    words: int = 0

    @property
    def usual_length(self) -> float:
        """Returns the number of words of an average passage in an engine's full-text index."""
        return max(1.0, self.words / max(1, self.passages))


class Frequencies(NamedTuple):
    """How many passages of an engine's database each stem occurs in, and how many passages there are."""

    stems: dict[str, int]
    totals: PassageTotals

    def rarity(self, stem: str) -> float:
        """Returns the BM25 weight of a stem by its frequency in an engine's index; uncounted ones weigh least."""
        passages = self.totals.passages
        having = min(self.stems.get(stem, passages), passages)
        return max(0.000001, log((passages - having + 0.5) / (having + 0.5)))


class FullText(Protocol):
    """The interface of an engine's full-text index; finds only what the person of the database transaction may see."""

    @property
    def comparable(self) -> int:
        """Returns how many passages `best` of this database engine can compare in a few tens of milliseconds."""

    @property
    def is_exact(self) -> bool:
        """Returns True if this database engine counts `frequencies` exactly, False if it may estimate them."""

    def best(
        self, tx: "Transaction", match: Match, within: SearchBounds, known: "Frequencies", limit: int
    ) -> list[int]:
        """Returns the ids of the best matches in the full-text index of a database engine, best first."""

    def newest(self, tx: "Transaction", match: Match, within: SearchBounds, limit: int) -> list[int]:
        """Returns the highest ids that match in the full-text index of a database engine, highest first."""

    def count(self, tx: "Transaction", match: Match, within: SearchBounds, most: int) -> int:
        """Counts the matches in the full-text index of a database engine, up to `most`."""

    def totals(self, tx: "Transaction") -> PassageTotals: ...

    def frequencies(self, tx: "Transaction", stems: Sequence[str]) -> dict[str, int]:
        """Counts the passages of an engine's index that each stem is in; leaves out a stem that is in none."""

    def alike(self, tx: "Transaction", first: str, shortest: int, longest: int) -> list[str]:
        """Returns the stems with this beginning and length in an engine's index; some may be of deleted notes."""

    def beginning(self, tx: "Transaction", first: str, limit: int) -> dict[str, int]:
        """Returns some stems with this beginning in an engine's index, with their frequencies."""

    def vector_product(self, tx: "Transaction") -> str:
        """Returns SQL for the product of `v.vector` and the numbers `:asked`, if this database engine can compare vectors."""

    def containing(self, tx: "Transaction", text: str, within: SearchBounds, limit: int) -> list[int]:
        """Returns the ids of the newest notes in which a database engine finds exactly this text, in any case."""

    def prompts(self, tx: "Transaction", words: Sequence[str], *, project: str, limit: int) -> list[int]:
        """Returns the ids of the prompts that match best in the full-text index of a database engine."""

    def forget(self, tx: "Transaction") -> None:
        """Removes the stems that no passage has any more from the vocabulary of an engine's index."""

    def changing(self, tx: "Transaction", number: int) -> AbstractContextManager[None]:
        """Lets so many passages of an engine's index change in one go: words that leave go in the end, if that is quicker."""


class Transaction(Protocol):
    """The interface of a database transaction: SQL with `:name` parameters, on one state, effective together.

    In a person's transaction tables hold only what that person may see, and nothing can be written: the database
    refuses every other statement.
    """

    @property
    def words(self) -> FullText: ...

    @property
    def unlimited(self) -> "Transaction":
        """Returns the same database transaction without a person's limits, for a checked write."""

    def rows(self, sql: str, values: Values = NOTHING) -> list[Row]: ...

    def run(self, sql: str, values: Values = NOTHING) -> int:
        """Runs an SQL statement in the database; returns the number of rows changed."""

    def hold(self, name: str) -> None:
        """Waits for other writers of the database that hold this name, as `writing` does for its names."""


class BrokenDatabase:
    """A database that cannot be used: every method raises the reason."""

    place = ""
    is_shared = False

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

    def problems(self) -> "tuple[StoreProblem, ...]":
        raise self.error

    def rebuild_index(self) -> None:
        raise self.error

    def close(self) -> None: ...


class Database(Protocol):
    """The interface of an open database for many threads; writers wait for each other and never fail."""

    @property
    def place(self) -> str:
        """Returns where the database is, in words for people and without a password."""

    @property
    def is_shared(self) -> bool:
        """Returns True if the database serves several machines, False if it is a file of this one."""

    def ask(self, sql: str, values: Values = NOTHING) -> list[Row]:
        """Returns the rows of one SQL statement on the database, quickly: without limits or a transaction."""

    def reading(self, person: Person = ANYBODY) -> AbstractContextManager[Transaction]:
        """Opens a database transaction that only reads, and sees what a person may see."""

    def writing(self, *names: str, person: Person = ANYBODY) -> AbstractContextManager[Transaction]:
        """Opens a database transaction that may write; waits for writers with the same name, or for all."""

    def erase_traces(self) -> None:
        """Removes hard-deleted data from the change files of the database, unless they are being read."""

    def size(self) -> int:
        """Returns the size of the database in bytes."""

    def problems(self) -> "tuple[StoreProblem, ...]":
        """Reads the whole database and returns what is wrong with it, if anything."""

    def rebuild_index(self) -> None:
        """Rebuilds the full-text index of a database engine, from the tables that it indexes."""

    def close(self) -> None: ...
