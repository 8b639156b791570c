"""Finds notes by meaning: compares the vector of a question with those of the notes that a person may see."""

import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from modicum.memory.engines.database import Row, Transaction
from modicum.memory.find.likeness import NEAREST, NOTHING_ALIKE, Likeness, Near, likeness, without_names
from modicum.memory.model import Query
from modicum.memory.people.access import Person
from modicum.memory.tables import vectors

if TYPE_CHECKING:
    from numpy import int8, int64
    from numpy.typing import NDArray

_MOST_KEPT = 4  # sets of vectors, each of one person and query
_BLOCK = 8192  # vectors that are compared at a time


class Embedder(Protocol):
    """The interface of a sentence model, as finding by meaning needs it: it makes vectors of texts."""

    @property
    def name(self) -> str:
        """Returns the name of the model, as meaning is compared only between vectors of one model."""
        ...

    def embed(self, text: str) -> bytes:
        """Returns the vector for the meaning of a text, a signed byte for each number; of the same text always the same."""
        ...


class _Key(NamedTuple):
    """What decides which vectors somebody sees: the state of memory, the person, and what is asked for."""

    version: int
    person: Person
    query: Query


class NoteVectors(NamedTuple):
    """The vectors of some notes in memory, to compare their meaning: the ids in order, and a row of numbers for each."""

    numbers: "NDArray[int64]"
    rows: "NDArray[int8]"


class Meaning:
    """Compares questions with notes by meaning. Keeps the vectors it has read until memory changes. Thread-safe."""

    def __init__(self, model: Embedder) -> None:
        self.model = model
        self._kept: OrderedDict[_Key, NoteVectors] = OrderedDict()
        self._lock = threading.Lock()

    def near(self, version: int, person: Person) -> Near:
        """Returns the function that finds notes by meaning for a person, in this or a later state of memory."""
        return partial(self._near, version, person)

    def _near(
        self,
        version: int,
        person: Person,
        tx: Transaction,
        text: str,
        query: Query,
        names: Collection[str],
        upto: int,
    ) -> Likeness:
        asked = without_names(text, names)
        if not asked:
            return NOTHING_ALIKE
        key = _Key(version, person, query._replace(limit=0, cursor=""))
        return likeness(self._nearest(tx, key, self.model.embed(asked), upto))

    def _nearest(self, tx: Transaction, key: _Key, asked: bytes, upto: int) -> list[tuple[int, int]]:
        if product := tx.words.vector_product(tx):
            numbers = ",".join(str(byte - 256 if byte > 127 else byte) for byte in asked)
            values = {"model": self.model.name, "asked": f"[{numbers}]", "upto": upto, "limit": NEAREST}
            return vectors.compare(tx, product, key.query, values)
        return nearest(self._vectors(tx, key), asked, upto)

    def _vectors(self, tx: Transaction, key: _Key) -> NoteVectors:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        read = note_vectors(vectors.scan(tx, self.model.name, key.query))
        with self._lock:
            for old in [each for each in self._kept if each.version != key.version]:
                del self._kept[old]
            self._kept[key] = read
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return read


def note_vectors(rows: Sequence[Row]) -> NoteVectors:
    """Returns vectors of notes, ready to compare their meaning; the rows have their ids in order."""
    import numpy as np

    numbers = np.array([number for number, _ in rows], dtype=np.int64)
    whole = np.frombuffer(b"".join(vector for _, vector in rows), dtype=np.int8)
    return NoteVectors(numbers, whole.reshape(len(rows), -1) if rows else whole.reshape(0, 1))


def nearest(among: NoteVectors, asked: bytes, upto: int, most: int = NEAREST) -> list[tuple[int, int]]:
    """Finds the notes nearest in meaning to a vector; returns ids and products, the nearest first, then by id.

    The products are whole numbers below 2^24, which a float of 32 bits holds exactly: no order of adding changes them.
    """
    import numpy as np

    end = int(np.searchsorted(among.numbers, upto, side="right"))
    if not end:
        return []
    wanted = np.frombuffer(asked, dtype=np.int8).astype(np.float32)
    starts = range(0, end, _BLOCK)
    blocks = [among.rows[at : min(at + _BLOCK, end)].astype(np.float32) @ wanted for at in starts]
    products = np.concatenate(blocks).astype(np.int64)
    order = np.lexsort((among.numbers[:end], -products))[:most]
    return [(int(among.numbers[at]), int(products[at])) for at in order]
