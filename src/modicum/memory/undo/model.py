"""The model of undo: batches of changes, their rows and notes, which of them were undone, and how they are counted. Pure."""

from collections.abc import Mapping

from modicum.base.named_tuple import NamedTuple
from modicum.memory.names import public_id, public_number

NOTE, REVISION, RELATION, WAITING = "note", "revision", "relation", "waiting"
SESSION, PROMPT, PROGRESS, HOME, KEY = "session", "prompt", "progress", "home", "key"

FOR_GOOD = "delete for good"  # the kind of a batch that cannot be undone
COUNTED = (NOTE, REVISION, RELATION, SESSION, PROMPT, PROGRESS)

RowName = tuple[str, str]  # the kind of a row, and its key


class Batch(NamedTuple):
    """A batch, one change of memory, as an undo plans with it. `source` is the door or hook; `undoes` is another batch."""

    id: int
    at: str
    person: str = ""
    source: str = ""
    kind: str = ""
    undoes: int = 0

    @property
    def is_for_good(self) -> bool:
        """Returns True if no plan of an undo can take the batch back."""
        return self.kind == FOR_GOOD


class BatchRow(NamedTuple):
    """A row that a batch changed, as the plan of an undo needs it: what it was before as JSON, None if the batch made it.

    `content` is its text before, None if that stayed as it was. Of a row that is gone for good, only an empty text is kept.
    """

    kind: str
    key: str
    before: str | None = None
    content: str | None = None

    @property
    def name(self) -> RowName:
        return self.kind, self.key

    @property
    def is_lost(self) -> bool:
        """Returns True if the batch has deleted the row for good, so that no undo has anything to put back."""
        return self.before is None and self.content is not None

    @property
    def unit(self) -> RowName:
        """Returns what a row goes back with in the plan of an undo, or stays with: a revision with its note."""
        return (NOTE, self.key.partition("/")[0]) if self.kind in (REVISION, WAITING) else self.name


class NamedNote(NamedTuple):
    """A note of a batch, with what is needed to name it in the plan of an undo; `is_gone` if it was removed since."""

    id: int
    title: str
    sync_id: str = ""
    is_gone: bool = False

    @property
    def public_id(self) -> str:
        """Returns the public id of the note that an undo names."""
        return public_id(public_number(self.sync_id))


class LoggedBatch(NamedTuple):
    """A batch that an undo may name: how many rows of each kind it changed, some notes of it, its projects, and which batch undid it."""

    batch: Batch
    counts: Mapping[str, int]
    notes: tuple[NamedNote, ...] = ()
    undone_by: int = 0
    projects: tuple[str, ...] = ()


class Reach(NamedTuple):
    """How far an undo may go: into one project (empty: any), and to what other people have, only with `everywhere`."""

    project: str = ""
    everywhere: bool = False


EVERYWHERE = Reach(everywhere=True)


class UndoneBatch(NamedTuple):
    """The result of an undo: the batch that was taken back, as which batch, how much, what was left, and of which projects it was.

    `owners` are other people whose notes went back, `shared` is how many notes a sync has handed to others, and `lost` how
    many were deleted for good by the batch itself, which nothing brings back.
    """

    batch: Batch
    number: int
    counts: Mapping[str, int]
    notes: tuple[NamedNote, ...] = ()
    left: tuple[NamedNote, ...] = ()
    projects: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    shared: int = 0
    lost: int = 0


def counts_of(numbers: Mapping[str, int]) -> dict[str, int]:
    """Returns how many rows of each kind an undo takes back, in one order; without what sync keeps for itself."""
    return {kind: number for kind in COUNTED if (number := numbers.get(kind, 0))}


def undone(undoes: Mapping[int, int]) -> dict[int, int]:
    """Returns the batches that an undo has taken back and none brought again, each with the undo that did.

    `undoes` has each batch that is an undo, with the batch that it took back.
    """
    found: dict[int, int] = {}
    for number in sorted(undoes, reverse=True):  # each is later than what it took back
        if number not in found:
            found.setdefault(undoes[number], number)
    return found
