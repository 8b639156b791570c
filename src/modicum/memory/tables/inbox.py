"""The inbox in the database: notes that wait for a person, which nothing else reads."""

from modicum.base.errors import Remedy
from modicum.memory.engines.database import Transaction
from modicum.memory.filters.model import normal
from modicum.memory.model import Listing, Note, NotFound, Query, Saved, SaveOutcome, WaitingNote
from modicum.memory.tables import notes
from modicum.memory.tables.sessions import ensure_session
from modicum.memory.tables.sql import (
    Condition,
    ListedTable,
    condition,
    first,
    insert,
    listing,
    select,
)

# The plus keeps databases from looking up every note in the inbox: few notes wait, and those are looked up instead.
_WAITING = "waiting JOIN notes ON id = +note_id"
_TABLE = ListedTable(select((*notes.FIELDS, "reason", "said_by"), _WAITING))
ADD = insert("waiting", ("note_id", "reason", "said_by"))
IS_WAITING = select(("1",), "waiting", "WHERE note_id = :id")
SAME = """
SELECT id FROM notes JOIN waiting ON note_id = id
WHERE hash = :hash AND project = :project AND title = :title AND (scope <> 'personal' OR owner = :owner) LIMIT 1
"""


def save(
    tx: Transaction, entry: notes.NoteRow, reason: str, said_by: int, *, now: str, known_session: bool
) -> Saved:
    """Saves a prepared note in the inbox of the database; the same note is there once."""
    new = entry.note
    ensure_session(tx, new.session_id, new.project, new.namespace, now=now, known=known_session)
    if same := tx.rows(SAME, {**new._asdict(), **entry.beside}):
        return Saved(same[0][0], SaveOutcome.INBOX)
    stamped = new._replace(last_seen_at=now, created_at=now, updated_at=now, deleted_at=now)
    number = notes.add(tx, entry._replace(note=stamped))
    tx.run(ADD, {"note_id": number, "reason": reason, "said_by": said_by})
    return Saved(number, SaveOutcome.INBOX)


def waiting(tx: Transaction, query: Query) -> Listing[WaitingNote]:
    """Lists the notes in the inbox of the database, newest first."""
    query = normal(query)
    return listing(tx, _TABLE, _read, condition(query), query)


def get(tx: Transaction, number: int) -> WaitingNote | None:
    """Returns a note in the inbox of the database by its id, or None."""
    return first(tx.rows(f"{_TABLE.start} WHERE note_id = :id", {"id": number}), _read)


def count(tx: Transaction, query: Query) -> int:
    """Counts the notes in the inbox of the database."""
    where: Condition = condition(normal(query))
    ((number,),) = tx.rows(select(("count(*)",), _WAITING, "WHERE", where.text), where.values)
    return int(number)


def require(tx: Transaction, number: int) -> None:
    """Raises NotFound if no such note is in the inbox of the database."""
    if not tx.rows(IS_WAITING, {"id": number}):
        raise NotFound(f"note #{number} does not wait in the inbox", remedy=Remedy("inbox.list"))


def _read(*row: object) -> WaitingNote:
    size = len(notes.FIELDS)
    return WaitingNote(Note(*row[:size]), *row[size:])  # type: ignore[arg-type]  # as the columns are
