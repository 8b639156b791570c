"""Lists notes in the database without a search: recent, pinned, of a session, a timeline; and counts them."""

from collections.abc import Iterable

from modicum.memory.engines.database import Database, Transaction
from modicum.memory.filters.model import NOTE, TALLIED, ItemKind, given_in, normal
from modicum.memory.model import (
    Context,
    Listing,
    Note,
    ProjectStats,
    Query,
    Stats,
    Timeline,
)
from modicum.memory.names import project_name, public_name
from modicum.memory.origins import LEADING
from modicum.memory.tables import notes, sessions
from modicum.memory.tables.sql import (
    VERSION,
    Condition,
    ListedTable,
    condition,
    id_list,
    listing,
    select,
    unindexed,
)

_SELECT = select(notes.FIELDS, "notes")
_BY_TIME = ListedTable(_SELECT)
_DELETED = ListedTable(_SELECT, at="deleted_at")
_GONE = "deleted_at <> '' AND NOT EXISTS (SELECT 1 FROM waiting WHERE note_id = id)"

BEFORE = "AND (created_at, id) < (:created_at, :id) ORDER BY created_at DESC, id DESC LIMIT :limit"
AFTER = "AND (created_at, id) > (:created_at, :id) ORDER BY created_at, id LIMIT :limit"
# The usual session of a project is named alike on several machines: what is beside a note in it is of the same project.
_BESIDE = "WHERE session_id = :session_id AND (project = :project OR substr(session_id, 1, 11) <> 'manual-save') AND deleted_at = ''"

_OF_IT = "WHERE session_id = :session_id AND deleted_at = '' AND (substr(session_id, 1, 11) <> 'manual-save' OR project = (SELECT project FROM sessions WHERE id = :session_id))"
OF_SESSION = " ".join((_SELECT, _OF_IT, "ORDER BY created_at, id LIMIT :limit"))

OF_PUBLIC_ID = f"{_SELECT} WHERE public_id BETWEEN :least AND :greatest ORDER BY public_id, id LIMIT :limit"
PUBLIC_IDS = "SELECT id, public_id FROM notes WHERE id IN"
MOST_ALIKE = 50  # notes whose public ids begin alike

PROJECTS = """
SELECT project,
  sum(CASE kind WHEN 'note' THEN count ELSE 0 END),
  sum(CASE kind WHEN 'session' THEN count ELSE 0 END),
  sum(CASE kind WHEN 'prompt' THEN count ELSE 0 END),
  coalesce((SELECT max(created_at) FROM notes WHERE project = tallies.project AND deleted_at = ''), '')
FROM tallies GROUP BY project HAVING sum(count) > 0
"""

TYPES = """
SELECT type, sum(count) FROM tallies WHERE kind = 'note' AND (:project = '' OR project = :project)
GROUP BY type HAVING sum(count) > 0 ORDER BY sum(count) DESC, type
"""

FOLDERS = (
    "SELECT DISTINCT directory FROM sessions WHERE project = :project AND directory <> '' ORDER BY directory"
)


def recent(tx: Transaction, query: Query) -> Listing[Note]:
    """Lists notes in the database, newest first."""
    return recent_notes(tx, normal(query))


def recent_notes(tx: Transaction, query: Query) -> Listing[Note]:
    """Lists notes in the database, newest first, for a query whose names are normalised already."""
    return listing(tx, _BY_TIME, Note, _live(query), query)


def pinned(tx: Transaction, query: Query) -> Listing[Note]:
    """Lists the pinned notes in the database, newest first."""
    query = normal(query)
    # Pins are few, and only their own index is to be used: without statistics no database knows that.
    where = unindexed(condition(query), always=(notes.LIVE, "pinned = 1", LEADING))
    return listing(tx, _BY_TIME, Note, where, query)


def deleted(tx: Transaction, query: Query) -> Listing[Note]:
    """Lists the deleted notes in the database, the latest first; what waits in the inbox is not among them."""
    query = normal(query)
    return listing(tx, _DELETED, Note, unindexed(condition(query), always=(_GONE,)), query)


def _live(query: Query) -> Condition:
    return condition(query, always=(notes.LIVE,))


def of_session(tx: Transaction, key: str, limit: int) -> tuple[Note, ...]:
    """Lists the notes of a session in the database, oldest first."""
    rows = tx.rows(OF_SESSION, {"session_id": public_name(key), "limit": limit})
    return tuple(Note(*row) for row in rows)


def context(
    tx: Transaction,
    query: Query,
    beside: Query,
    *,
    sessions_limit: int,
    prompts_limit: int,
    pinned_limit: int,
) -> Context:
    """Lists from the tables the context of a new session: notes and pinned notes; `beside` them sessions and prompts."""
    pins = pinned(tx, query._replace(limit=pinned_limit, cursor="")).items
    return Context(
        sessions=sessions.recent(tx, beside._replace(limit=sessions_limit, cursor="")).items,
        prompts=sessions.recent_prompts(tx, beside._replace(limit=prompts_limit, cursor="")).items,
        notes=recent(tx, query).items,
        pinned=tuple(sorted(pins, key=lambda note: note.pinned_by != "")),  # one's own come first
    )


def timeline(tx: Transaction, number: int, *, before: int, after: int) -> Timeline:
    """Lists a note with the notes before and after it in its session, from the database."""
    focus = notes.require(tx, number)
    session = sessions.get(tx, focus.session_id)
    return Timeline(
        focus,
        _beside(tx, focus, BEFORE, before)[::-1],
        _beside(tx, focus, AFTER, after),
        session,
        session.notes if session else 1,
    )


def _beside(tx: Transaction, focus: Note, side: str, limit: int) -> tuple[Note, ...]:
    rows = tx.rows(" ".join((_SELECT, _BESIDE, side)), {**focus._asdict(), "limit": max(0, limit)})
    return tuple(Note(*row) for row in rows)


def count(tx: Transaction, query: Query, kind: ItemKind = NOTE) -> int:
    """Counts what the lists of the database have for a query, from the tallies wherever possible."""
    query = normal(query)
    if {each.name for each in given_in(query)} <= TALLIED[kind]:
        where, counted = condition(query, kind, always=("kind = :kind",)), "coalesce(sum(count), 0)"
        sql = select((counted,), "tallies", "WHERE", where.text)
        ((number,),) = tx.rows(sql, {**where.values, "kind": str(kind)})
        return int(number)
    where = condition(query, kind, always=(notes.LIVE,) if kind is NOTE else ())
    ((number,),) = tx.rows(select(("count(*)",), f"{kind}s", "WHERE", where.text), where.values)
    return int(number)


def stats(tx: Transaction) -> Stats:
    """Counts what the lists of all sessions, notes and prompts in the database would show, from the tallies."""
    projects = [ProjectStats(*row) for row in tx.rows(PROJECTS)]
    named = [project for project in projects if project.name and project.notes]
    named.sort(key=lambda project: project.latest_at, reverse=True)
    return Stats(
        sessions=sum(project.sessions for project in projects),
        notes=sum(project.notes for project in projects),
        prompts=sum(project.prompts for project in projects),
        projects=tuple(project.name for project in named),
    )


def projects(tx: Transaction) -> tuple[ProjectStats, ...]:
    """Lists every project that has anything in the database, the one with most notes first."""
    found = [ProjectStats(*row) for row in tx.rows(PROJECTS)]
    found = [project._replace(directories=_folders(tx, project.name)) for project in found]
    return tuple(sorted(found, key=lambda project: (-project.notes, project.name)))


def _folders(tx: Transaction, project: str) -> tuple[str, ...]:
    return tuple(folder for (folder,) in tx.rows(FOLDERS, {"project": project}))


def types(tx: Transaction, project: str) -> dict[str, int]:
    """Counts the notes of each type in the database, of a project or of all; the most frequent type first."""
    return {kind: int(number) for kind, number in tx.rows(TYPES, {"project": project_name(project)})}


def version(database: Database) -> int:
    """Returns a number of the database that changes with every change of its notes, for cached lists."""
    ((number,),) = database.ask(VERSION)
    return int(number)


def of_public_id(tx: Transaction, least: int, greatest: int) -> tuple[Note, ...]:
    """Lists the notes in the database, deleted ones too, whose public ids are within two numbers."""
    values = {"least": least, "greatest": greatest, "limit": MOST_ALIKE}
    return tuple(Note(*row) for row in tx.rows(OF_PUBLIC_ID, values))


def public_numbers(tx: Transaction, numbers: Iterable[int]) -> dict[int, int]:
    """Returns the public ids, as numbers, of the notes with these ids that are in the database."""
    return dict(tx.rows(f"{PUBLIC_IDS} {id_list(numbers)}"))


def get(tx: Transaction, number: int, *, deleted: bool) -> Note | None:
    """Returns a note in the database by its id, or None; a deleted one only with `deleted`."""
    rows = tx.rows(notes.GET if deleted else notes.GET_LIVE, {"id": number})
    return Note(*rows[0]) if rows else None
