"""The edges between notes as a list: newest first, of a project, with what they connect."""

from typing import NamedTuple

from modicum.memory.engines.database import Transaction
from modicum.memory.names import project_name

_EDGES = """
FROM relations AS r JOIN notes AS a ON a.id = r.from_id JOIN notes AS b ON b.id = r.to_id
WHERE (:project = '' OR a.project = :project OR b.project = :project) AND r.created_at >= :since
"""
LISTED = f"""
SELECT r.id, r.type, r.created_at, a.sync_id, a.title, b.sync_id, b.title {_EDGES}
ORDER BY r.id DESC LIMIT :limit OFFSET :offset
"""
ONE = f"SELECT r.id, r.type, r.created_at, a.sync_id, a.title, b.sync_id, b.title {_EDGES} AND r.id = :id"
COUNTED = f"SELECT r.type, count(*) {_EDGES} GROUP BY r.type ORDER BY r.type"


class Judgment(NamedTuple):
    """An edge with the titles at its ends."""

    id: int
    type: str
    created_at: str
    from_sync_id: str
    from_title: str
    to_sync_id: str
    to_title: str


def listed(
    tx: Transaction, project: str = "", since: str = "", *, limit: int = 50, offset: int = 0
) -> tuple[Judgment, ...]:
    values = {"project": project_name(project), "since": since, "limit": limit, "offset": offset}
    return tuple(Judgment(*row) for row in tx.rows(LISTED, values))


def one(tx: Transaction, number: int) -> Judgment | None:
    rows = tx.rows(ONE, {"project": "", "since": "", "id": number})
    return Judgment(*rows[0]) if rows else None


def counted(tx: Transaction, project: str = "", since: str = "") -> dict[str, int]:
    """How many edges there are of each type."""
    return dict(tx.rows(COUNTED, {"project": project_name(project), "since": since}))
