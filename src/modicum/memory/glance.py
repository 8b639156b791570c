"""A quick look at memory for a session that begins: four statements on one connection, and no store around them."""

import os

import apsw

from modicum.memory.lines import Noted, Recalled

PATIENCE_MILLISECONDS = 500

_NOTE = "SELECT id, type, title FROM observations WHERE deleted_at = ''"

# Pins are few, and only their own index is to be used: without statistics no database knows that.
PINNED = f"""
{_NOTE} AND pinned = 1 AND (coalesce(project, '') = :project OR coalesce(scope, '') = 'global')
ORDER BY created_at DESC, id DESC LIMIT :limit
"""
RECENT = f"{_NOTE} AND project = :project ORDER BY created_at DESC, id DESC LIMIT :limit"
TOTAL = "SELECT coalesce(sum(count), 0) FROM tallies WHERE kind = 'observation' AND project = :project"

# Of the latest sessions only: a project may have thousands without a summary.
SUMMARY = """
SELECT summary, active_at FROM (
  SELECT summary, active_at FROM sessions WHERE project = :project ORDER BY active_at DESC, id DESC LIMIT 50
) WHERE summary <> '' LIMIT 1
"""


def glance(path: str, project: str, *, limit: int) -> Recalled:
    """What memory has for a project; nothing if there is no memory yet."""
    if not os.path.exists(path):  # noqa: PTH110 - pathlib takes 12 ms to import
        return Recalled()
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.set_busy_timeout(PATIENCE_MILLISECONDS)
        return _read(connection, {"project": project, "limit": limit})
    finally:
        connection.close()


def _read(connection: apsw.Connection, values: dict[str, object]) -> Recalled:
    pinned = [Noted(*row) for row in connection.execute(PINNED, values)]
    known = {noted.id for noted in pinned}
    recent = (Noted(*row) for row in connection.execute(RECENT, values))
    summary = next(iter(connection.execute(SUMMARY, values)), ("", ""))[0]
    ((total,),) = connection.execute(TOTAL, values)
    return Recalled(
        tuple(pinned), tuple(noted for noted in recent if noted.id not in known), summary, int(total)
    )
