"""Names in the database what an undo may take back: some notes of a batch by their titles, and its projects."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from modicum.memory.engines.database import Transaction
from modicum.memory.tables.sql import id_list
from modicum.memory.undo.model import HOME, BatchRow, NamedNote

MOST_TITLES = 3
MOST_ROWS = 200  # of a batch in the log, of which the projects are told

NOTES = """
SELECT key FROM batch_rows WHERE batch = :id AND kind IN ('note', 'waiting')
GROUP BY key ORDER BY length(key), key LIMIT :limit
"""
TITLES = "SELECT id, title, sync_id FROM notes WHERE id IN"
# What an undo removed, it kept as it was.
GONE = """
SELECT key, before FROM batch_rows WHERE kind = 'note' AND batch IN (:id, :undone_by) AND before IS NOT NULL AND key IN
"""
_PROJECTS = """
SELECT {what} coalesce(n.project, p.project, s.project, g.project) FROM (
  SELECT kind, key, CASE WHEN kind <> 'session' THEN CAST(key AS BIGINT) END AS id FROM batch_rows
  WHERE batch = :id AND kind IN ('note', 'waiting', 'relation', 'prompt', 'session', 'progress')
  ORDER BY kind, key LIMIT :limit
) AS r
LEFT JOIN relations AS e ON r.kind = 'relation' AND e.id = r.id
LEFT JOIN notes AS n ON n.id = CASE WHEN r.kind IN ('note', 'waiting') THEN r.id ELSE e.from_id END
LEFT JOIN prompts AS p ON r.kind = 'prompt' AND p.id = r.id
LEFT JOIN progress AS g ON r.kind = 'progress' AND g.id = r.id
LEFT JOIN sessions AS s ON r.kind = 'session' AND s.id = r.key
"""
PROJECTS = _PROJECTS.format(what="DISTINCT")
PROJECTS_OF_ROWS = _PROJECTS.format(what="r.kind, r.key,")
IMAGES = """
SELECT before FROM batch_rows WHERE batch IN (:id, :undone_by) AND before IS NOT NULL
AND kind IN ('note', 'relation', 'prompt', 'session', 'progress') ORDER BY kind, key LIMIT :limit
"""
ENDS = "SELECT DISTINCT project FROM notes WHERE id IN"


def named_notes(
    tx: Transaction, number: int, undone_by: int = 0, *, tells_gone: bool = True
) -> tuple[NamedNote, ...]:
    """Returns the first notes of a batch in the database as an undo names them; with `tells_gone`, also those that it removed."""
    keys = [int(key) for (key,) in tx.rows(NOTES, {"id": number, "limit": MOST_TITLES})]
    found = {row[0]: NamedNote(*row) for row in tx.rows(f"{TITLES} {id_list(keys)}")}
    gone = [key for key in keys if key not in found]
    found |= _gone_notes(tx.unlimited, gone, number, undone_by) if gone and tells_gone else {}
    return tuple(found[key] for key in keys if key in found)


def _gone_notes(every: Transaction, gone: Iterable[int], number: int, undone_by: int) -> dict[int, NamedNote]:
    keys = ", ".join(f"'{key}'" for key in gone)
    rows = every.rows(f"{GONE} ({keys})", {"id": number, "undone_by": undone_by})
    images = {int(key): json.loads(before) for key, before in rows}
    return {
        key: NamedNote(key, image["title"], image["sync_id"], is_gone=True) for key, image in images.items()
    }


def projects_of(
    tx: Transaction, number: int, undone_by: int = 0, *, tells_gone: bool = True, most: int = MOST_ROWS,
    tells_former: bool = False,
) -> tuple[str, ...]:  # fmt: skip
    """Returns the projects that the first rows of a batch in the database are of, for who may undo it.

    With `tells_gone`, also of rows that it removed; with `tells_former`, also those that rows were of before.
    """
    found = {project for (project,) in tx.rows(PROJECTS, {"id": number, "limit": most})}
    if tells_former or (None in found and tells_gone):
        values = {"id": number, "undone_by": undone_by, "limit": most}
        found |= set(_former(tx, (json.loads(row[0]) for row in tx.unlimited.rows(IMAGES, values))))
    return tuple(sorted(filter(None, found)))


def rows_beyond(every: Transaction, number: int, rows: Sequence[BatchRow], project: str) -> set[str]:
    """Returns the projects of those rows of a batch in the database that an undo in a project would reach in others.

    A row is of the project if it is there, or was before the batch.
    """
    found = every.rows(PROJECTS_OF_ROWS, {"id": number, "limit": 2**62})
    present = {(kind, key): name for kind, key, name in found}
    beyond = set()
    for row in rows:
        former = json.loads(row.before or "{}").get("project", "") if row.kind != HOME else ""
        names = {former, present.get(row.name) or ""} - {""}
        if names and project not in names:
            beyond |= names
    return beyond


def _former(tx: Transaction, images: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yields the projects of what is gone; a relation is of the project of the note that it starts from."""
    ends = []
    for image in images:
        if "from_id" in image:
            ends.append(image["from_id"])
        else:
            yield image["project"]
    yield from (project for (project,) in tx.rows(f"{ENDS} {id_list(ends)}"))
