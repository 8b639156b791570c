"""Relations between notes in the database: adds, removes and lists them, and follows them as a graph."""

from collections.abc import Sequence
from typing import NamedTuple

from modicum.memory.engines.database import Transaction
from modicum.memory.model import DEEPEST_GRAPH, Neighbour, Note, NotFound, Refused, Relation
from modicum.memory.names import project_name, public_name
from modicum.memory.tables import notes
from modicum.memory.tables.sql import first, id_list, insert, select

DEFAULT_DEPTH = 2
MOST_NEIGHBOURS = 500

FIELDS = Relation._fields
ADD = insert(
    "relations", FIELDS[1:], "ON CONFLICT (from_id, to_id, type) DO NOTHING RETURNING", ", ".join(FIELDS)
)
GET = "SELECT from_id FROM relations WHERE id = :id"
REMOVE = "DELETE FROM relations WHERE id = :id"

_BETWEEN = """
FROM relations AS r JOIN notes AS a ON a.id = r.from_id JOIN notes AS b ON b.id = r.to_id
WHERE (:project = '' OR a.project = :project OR b.project = :project) AND r.created_at >= :since
"""
_TITLED = f"SELECT r.id, r.type, r.created_at, a.sync_id, a.title, b.sync_id, b.title {_BETWEEN}"
TITLED = f"{_TITLED} ORDER BY r.id DESC LIMIT :limit OFFSET :offset"
TITLED_ONE = f"{_TITLED} AND r.id = :id"
COUNTED = f"SELECT r.type, count(*) {_BETWEEN} GROUP BY r.type ORDER BY r.type"

# Two seeks instead of one OR, so that each has its index.
AROUND = " UNION ALL ".join(
    select(FIELDS, "relations", "WHERE", side) for side in ("from_id = :id", "to_id = :id")
)


DISPUTES = f"""
SELECT {", ".join(FIELDS)} FROM relations WHERE to_id IN {{some}} AND (
  (type = 'contradicts' AND from_id IN {{some}})
  OR (type IN ('supersedes', 'replaces') AND EXISTS (SELECT 1 FROM notes WHERE id = from_id AND deleted_at = ''))
) ORDER BY id
"""  # noqa: S608 - our own fields


class TitledRelation(NamedTuple):
    """A relation in the database with the titles of the notes at its ends."""

    id: int
    type: str
    created_at: str
    from_sync_id: str
    from_title: str
    to_sync_id: str
    to_title: str


def every(tx: Transaction) -> tuple[Relation, ...]:
    """Lists all relations in the database, oldest first."""
    return tuple(Relation(*row) for row in tx.rows(select(FIELDS, "relations", "ORDER BY id")))


def disputes(tx: Transaction, numbers: Sequence[int]) -> tuple[Relation, ...]:
    """Lists the relations in the database by which some of these notes contradict others of them, or are replaced by any note."""
    some = id_list(numbers)
    return tuple(Relation(*row) for row in tx.rows(DISPUTES.format(some=some)))


def relate(tx: Transaction, relation: Relation) -> Relation:
    """Adds a relation between two existing notes to the database; refuses one that is there already."""
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
    """Removes a relation from the database; raises NotFound if there is none."""
    if not tx.run(REMOVE, {"id": number}):
        raise NotFound(f"relation {number} not found", remedy="look at the note to see its relations")


def relations(tx: Transaction, number: int) -> tuple[Relation, ...]:
    """Returns the relations of a note in the database, those that lead away from it first."""
    found = [Relation(*row) for row in tx.rows(AROUND, {"id": number})]
    return tuple(sorted(found, key=lambda relation: (relation.from_id != number, relation.id)))


def graph(tx: Transaction, number: int, depth: int) -> tuple[Neighbour, ...]:
    """Follows relations in either direction; returns the connected, undeleted notes, nearest first."""
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


def titled(
    tx: Transaction, project: str = "", since: str = "", *, limit: int = 50, offset: int = 0
) -> tuple[TitledRelation, ...]:
    """Lists relations in the database with titles, newest first; of a project, those with an end in it."""
    values = {"project": project_name(project), "since": since, "limit": limit, "offset": offset}
    return tuple(TitledRelation(*row) for row in tx.rows(TITLED, values))


def titled_one(tx: Transaction, number: int) -> TitledRelation | None:
    """Returns the relation with an id in the database, with titles, or None."""
    return first(tx.rows(TITLED_ONE, {"project": "", "since": "", "id": number}), TitledRelation)


def counted(tx: Transaction, project: str = "", since: str = "") -> dict[str, int]:
    """Counts the relations of each type in the database."""
    return dict(tx.rows(COUNTED, {"project": project_name(project), "since": since}))
