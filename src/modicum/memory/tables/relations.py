"""Edges between notes, and what lies along them."""

from modicum.memory.engines.database import Transaction
from modicum.memory.model import DEEPEST_GRAPH, Neighbour, Note, NotFound, Refused, Relation
from modicum.memory.names import public_name
from modicum.memory.tables import notes
from modicum.memory.tables.sql import first, insert, select

DEFAULT_DEPTH = 2
MOST_NEIGHBOURS = 500

FIELDS = Relation._fields
ADD = insert(
    "relations", FIELDS[1:], "ON CONFLICT (from_id, to_id, type) DO NOTHING RETURNING", ", ".join(FIELDS)
)
GET = "SELECT from_id FROM relations WHERE id = :id"
REMOVE = "DELETE FROM relations WHERE id = :id"

# Two seeks instead of one OR, so that each has its index.
AROUND = " UNION ALL ".join(
    select(FIELDS, "relations", "WHERE", side) for side in ("from_id = :id", "to_id = :id")
)


def relate(tx: Transaction, relation: Relation) -> Relation:
    """A new edge between two notes that are there."""
    if relation.from_id == relation.to_id:
        raise Refused("a note cannot be related to itself", remedy="give two different ids")
    for number in (relation.from_id, relation.to_id):
        notes.require(tx, number)
    relation = relation._replace(type=public_name(relation.type))
    added = first(tx.rows(ADD, relation._asdict()), Relation)
    if added is None:
        known = f"#{relation.from_id} → #{relation.to_id} ({relation.type})"
        raise Refused(
            f"the relation is there already: {known}", remedy="use another type, or leave it as it is"
        )
    return added


def unrelate(tx: Transaction, number: int) -> None:
    seen = tx.rows(GET, {"id": number})  # what somebody may not see is not theirs to remove
    if not seen or not tx.run(REMOVE, {"id": number}):
        raise NotFound(f"relation {number} not found", remedy="look at the note to see its relations")


def relations(tx: Transaction, number: int) -> tuple[Relation, ...]:
    """The edges of a note, those that lead away first."""
    found = [Relation(*row) for row in tx.rows(AROUND, {"id": number})]
    return tuple(sorted(found, key=lambda relation: (relation.from_id != number, relation.id)))


def graph(tx: Transaction, number: int, depth: int) -> tuple[Neighbour, ...]:
    """What is connected in either direction, the nearest first; nothing that was deleted is passed through."""
    notes.require(tx, number)
    depth = min(depth, DEEPEST_GRAPH) if depth > 0 else DEFAULT_DEPTH
    reached: list[Neighbour] = []
    seen, edge = {number}, [number]
    for level in range(1, depth + 1):
        step = [each for start in edge for each in _next(tx, start, level, seen)]
        reached += step[: MOST_NEIGHBOURS - len(reached)]
        edge = [each.note.id for each in step]
    return tuple(reached)


def _next(tx: Transaction, start: int, level: int, seen: set[int]) -> list[Neighbour]:
    found = []
    for relation in relations(tx, start):
        outgoing = relation.from_id == start
        other = relation.to_id if outgoing else relation.from_id
        if other not in seen and (live := _live(tx, other)):
            seen.add(other)
            found.append(Neighbour(live, level, relation, outgoing))
    return found


def _live(tx: Transaction, number: int) -> Note | None:
    return first(tx.rows(notes.GET_LIVE, {"id": number}), Note)
