"""Vectors of notes in the database: what each note means as 384 small numbers; writes, reads and counts them."""

from collections.abc import Iterable
from typing import NamedTuple

from modicum.memory.engines.database import Row, Transaction, Values
from modicum.memory.model import Query
from modicum.memory.tables.sql import of_hits, select

# Only of what the note still says: it may have been changed while its vector was made.
ADD = """
INSERT INTO vectors (id, model, vector)
SELECT id, :model, :vector FROM notes
WHERE id = :id AND deleted_at = '' AND hash = :hash AND title = :title AND author = :author
ON CONFLICT (id) DO UPDATE SET model = excluded.model, vector = excluded.vector
"""
_WITHOUT = """
WHERE deleted_at = '' AND NOT EXISTS (SELECT 1 FROM vectors AS v WHERE v.id = notes.id AND v.model = :model)
"""
_MISSING = ("id", "title", "author", "hash", "session_id", "substr(content, 1, :most)")
MISSING = select(_MISSING, "notes", _WITHOUT, "ORDER BY id LIMIT :limit")
COUNT_MISSING = select(["count(*)"], "notes", _WITHOUT)
COUNT = "SELECT count(*) FROM vectors WHERE model = :model"
_LIVE = "notes AS n JOIN vectors AS v ON v.id = n.id WHERE v.model = :model AND n.deleted_at = ''"
SPEAKERS = """
SELECT DISTINCT author FROM notes WHERE session_id = :session AND deleted_at = '' AND author <> ''
"""


class Unembedded(NamedTuple):
    """A note in the database that has no vector yet: its words, and what tells whether they still hold."""

    id: int
    title: str
    author: str
    hash: int
    session_id: str
    content: str


def missing(tx: Transaction, model: str, limit: int, most: int) -> list[Unembedded]:
    """Returns notes in the database without a vector, the first ids first, with so many characters of their text."""
    rows = tx.rows(MISSING, {"model": model, "limit": limit, "most": most})
    return [Unembedded(*row) for row in rows]


def count_missing(tx: Transaction, model: str) -> int:
    """Counts the notes in the database that have no vector of this model."""
    return int(tx.rows(COUNT_MISSING, {"model": model})[0][0])


def count(tx: Transaction, model: str) -> int:
    """Counts the vectors of this model in the database."""
    return int(tx.rows(COUNT, {"model": model})[0][0])


def put(tx: Transaction, model: str, made: Iterable[tuple[Unembedded, bytes]]) -> int:
    """Writes vectors into the database; leaves out notes that were changed meanwhile. Returns how many it wrote."""
    return sum(tx.run(ADD, {**note._asdict(), "model": model, "vector": vector}) for note, vector in made)


def speakers(tx: Transaction, session: str) -> list[str]:
    """Returns the authors of a session's notes in the database, whose names no vector is made of."""
    return [name for (name,) in tx.rows(SPEAKERS, {"session": session})]


def scan(tx: Transaction, model: str, query: Query) -> list[Row]:
    """Returns the ids and vectors of all notes in the database that a query asks for, by id."""
    where = of_hits(query)
    # A note that is deleted has no vector: without a condition the notes need not be looked at.
    among = f"{_LIVE} AND {where.text}" if where.clauses else "vectors AS v WHERE v.model = :model"
    return tx.rows(select(["v.id", "v.vector"], among, "ORDER BY v.id"), {**where.values, "model": model})


def compare(tx: Transaction, product: str, query: Query, values: Values) -> list[tuple[int, int]]:
    """Returns ids and products of the notes whose vectors come nearest to one, as the database reckons it."""
    where = of_hits(query)
    rest = ("AND", where.text, "AND v.id <= :upto ORDER BY 2 DESC, 1 LIMIT :limit")
    rows = tx.rows(select(["v.id", product], _LIVE, *rest), {**where.values, **values})
    return [(number, int(value)) for number, value in rows]
