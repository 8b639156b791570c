"""Queries the brief of a new session: six SQL statements on one connection, without a store, for hooks."""

import os

import apsw

from modicum.memory.brief.lines import Brief, BriefNote
from modicum.memory.origins import LEADING, SCRIPT
from modicum.memory.projects.keys import FolderKeys
from modicum.memory.projects.rows import having_notes, look, meant, named, only_one

PATIENCE_MILLISECONDS = 500
NO_PROJECT = "\n"  # no project is called so

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from modicum.memory.projects.rows import AskRoot

    Rows = Callable[[str, Mapping[str, object]], Iterable[tuple[Any, ...]]]

_FIELDS = "id, type, title, public_id, origin, pinned_by, created_at"
# What scripts say is found when it is looked for; nobody is told it unasked.
_NOTE = f"SELECT {_FIELDS} FROM notes WHERE deleted_at = '' AND {LEADING}"  # noqa: S608 - our own words

# Pins are few, and only their own index is to be used: without statistics no database knows that.
PINNED = f"""
{_NOTE} AND pinned = 1 AND (coalesce(project, '') = :project OR coalesce(scope, '') = 'global')
ORDER BY pinned_by <> '', created_at DESC, id DESC LIMIT :limit
"""
# What looks like junk is left out. So many of the newest are looked at, however many of them are such.
AMONG = 4
RECENT = f"""
SELECT {_FIELDS} FROM (
  SELECT {_FIELDS}, standing FROM notes WHERE deleted_at = '' AND {LEADING} AND project = :project
  ORDER BY created_at DESC, id DESC LIMIT {AMONG} * :limit
) AS newest WHERE standing = 0 ORDER BY created_at DESC, id DESC LIMIT :limit
"""  # noqa: S608 - ours
TOTAL = "SELECT coalesce(sum(count), 0) FROM tallies WHERE kind = 'note' AND project = :project"

# Among the latest that wait, whatever their project: however many there are, a hook looks at no more.
# The plus keeps databases from looking up every note instead.
MOST_WAITING = 100
WAITING = f"""
SELECT count(*) FROM (SELECT note_id FROM waiting ORDER BY note_id DESC LIMIT {MOST_WAITING}) AS latest
JOIN notes ON id = +note_id WHERE project = :project
"""  # noqa: S608 - ours

# Of the latest sessions only: a project may have thousands without a summary.
SUMMARY = f"""
SELECT summary, active_at FROM (
  SELECT summary, active_at, told_by FROM sessions WHERE project = :project ORDER BY active_at DESC, id DESC LIMIT 50
) AS latest WHERE summary <> '' AND told_by <> '{SCRIPT}' AND told_by NOT LIKE 'sync:%' LIMIT 1
"""  # noqa: S608 - our own words
# Many agents never say that a session ends, and then its summary is only in the note that was saved as such.
NOTED_SUMMARY = f"""
SELECT content, created_at FROM notes
WHERE deleted_at = '' AND {LEADING} AND project = :project AND type = 'session_summary' AND origin NOT LIKE 'sync:%' AND coalesce(scope, '') <> 'personal'
ORDER BY created_at DESC, id DESC LIMIT 1
"""  # noqa: S608 - our own words


def read_brief(
    path: str, keys: FolderKeys, *, limit: int, person: str = "", ask_root: "AskRoot" = str
) -> Brief:
    """Queries a database file, without a store, for the brief of a folder's project as a person may see it."""
    if not os.path.exists(path):
        return Brief()
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.set_busy_timeout(PATIENCE_MILLISECONDS)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)  # else what has a limit is compiled twice
        project, others = _project_in(connection.execute, keys, person, ask_root)
        rows = _seen_by(connection, person) if person else connection.execute
        return recalled(rows, project, limit)._replace(elsewhere=having_notes(rows, others))
    finally:
        connection.close()


def _project_in(
    rows: "Rows", keys: FolderKeys, person: str, ask_root: "AskRoot"
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The project of a folder, and those that it may mean if that has no notes."""
    if keys.named:
        return only_one(named(rows, keys.named), keys.named), ()
    found = look(rows, keys, person, ask_root, whole=False)
    return found.id or NO_PROJECT, meant(rows, found)


def _seen_by(connection: apsw.Connection, name: str) -> "Rows":
    from modicum.memory.engines.sqlite_people import FOR_BRIEF, PersonConnection
    from modicum.memory.people.access import Person

    seen, person = PersonConnection(connection, all_projects=True, tables=FOR_BRIEF), Person(name)
    return lambda sql, values: seen.rows(person, sql, values)


def recalled(rows: "Rows", project: str, limit: int) -> Brief:
    """Queries a database of either engine for the brief of a project; `rows` runs an SQL statement."""
    named: dict[str, object] = {"project": project}
    some: dict[str, object] = {**named, "limit": limit}
    pinned = [BriefNote(*row) for row in rows(PINNED, some)]
    known = {noted.id for noted in pinned}
    recent = tuple(noted for row in rows(RECENT, some) if (noted := BriefNote(*row)).id not in known)
    summaries = (next(iter(rows(sql, named)), ("", "")) for sql in (SUMMARY, NOTED_SUMMARY))
    summary = max(summaries, key=lambda row: row[1])[0]
    ((total,),), ((waiting,),) = rows(TOTAL, named), rows(WAITING, named)
    return Brief(tuple(pinned), recent, summary, int(total), int(waiting))
