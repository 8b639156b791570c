"""Pairs of notes in the database that a person should look at: two that contradict each other, two with the same text."""

from collections.abc import Sequence

from modicum.memory.engines.database import Transaction
from modicum.memory.model import PERSONAL, Note, NotePair
from modicum.memory.names import project_name
from modicum.memory.origins import UNCLAIMED
from modicum.memory.spec_topics import is_spec_note
from modicum.memory.tables import notes
from modicum.memory.tables.sql import id_list, select

CONTRADICTING = """
SELECT r.from_id, r.to_id, r.id FROM relations AS r
JOIN notes AS a ON a.id = r.from_id AND a.deleted_at = ''
JOIN notes AS b ON b.id = r.to_id AND b.deleted_at = ''
WHERE r.type = 'contradicts' AND (:project = '' OR a.project = :project OR b.project = :project)
ORDER BY r.id DESC LIMIT :limit
"""

# From the index of hashes alone, without a look at the notes; whom they are for is compared afterwards.
SAME_TEXT = """
SELECT max(id), min(id) FROM notes WHERE deleted_at = '' AND id > :after {project}
GROUP BY hash, project HAVING count(*) > 1 ORDER BY max(id) DESC LIMIT :limit
"""

LATEST = "SELECT coalesce(max(id), 0) FROM notes"
# What memory itself thinks of two notes settles nothing.
RELATED = f"""
SELECT from_id, to_id FROM relations WHERE from_id IN {{numbers}} AND to_id IN {{numbers}}
AND type NOT IN ('restates', 'replaces') AND {UNCLAIMED}
"""  # noqa: S608 - our own words


def contradicting(tx: Transaction, project: str, limit: int) -> tuple[NotePair, ...]:
    """Returns the pairs of notes in the database of which one contradicts the other, the latest first."""
    rows = tx.rows(CONTRADICTING, {"project": project_name(project), "limit": limit})
    return _pairs(tx, [(one, other, relation) for one, other, relation in rows])


def same_text(tx: Transaction, project: str, limit: int, *, newest: int = 0) -> tuple[NotePair, ...]:
    """Returns pairs of notes in the database with the same text in one project; none that are related already, or kept by specs.

    `newest` looks only at so many of the newest notes.
    """
    name = project_name(project)
    clause = "AND coalesce(project, '') = :project" if name else ""  # so that no other index is used
    # Those that were settled are among them, and are taken out afterwards.
    values = {"limit": 4 * limit, "after": _before_newest(tx, newest), **({"project": name} if name else {})}
    rows = [(one, other) for one, other in tx.rows(SAME_TEXT.format(project=clause), values)]
    pairs = _pairs(tx, [(*pair, 0) for pair in unrelated(tx, rows)])
    return tuple(pair for pair in pairs if _are_duplicates(pair.newer, pair.older))[:limit]


def _before_newest(tx: Transaction, newest: int) -> int:
    ((latest,),) = tx.rows(LATEST)
    return int(latest) - newest if newest else 0


def _are_duplicates(one: Note, other: Note) -> bool:
    """Whether two notes with the same text are for the same people, and neither is kept by specs."""
    if is_spec_note(one) or is_spec_note(other):
        return False
    return one.scope == other.scope and (one.scope != PERSONAL or one.owner == other.owner)


def unrelated(tx: Transaction, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Returns those of some pairs of notes in the database between which there is no relation."""
    known = _related(tx, {number for pair in pairs for number in pair})
    return [pair for pair in pairs if frozenset(pair) not in known]


def _related(tx: Transaction, numbers: set[int]) -> set[frozenset[int]]:
    if not numbers:
        return set()
    return {frozenset(row) for row in tx.rows(RELATED.format(numbers=id_list(sorted(numbers))))}


def _pairs(tx: Transaction, found: list[tuple[int, int, int]]) -> tuple[NotePair, ...]:
    wanted = id_list(sorted({number for pair in found for number in pair[:2]}))
    by_id = {row[0]: Note(*row) for row in tx.rows(select(notes.FIELDS, "notes", "WHERE id IN", wanted))}
    return tuple(
        NotePair(by_id[max(one, other)], by_id[min(one, other)], relation)
        for one, other, relation in found
        if one in by_id and other in by_id
    )
