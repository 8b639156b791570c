"""The audit table in the database: who saved, changed and deleted what."""

from collections.abc import Mapping, Sequence

from modicum.base.named_tuple import NamedTuple
from modicum.memory.engines.database import Transaction
from modicum.memory.model import PERSONAL, Listing, Note, Query
from modicum.memory.names import project_name, public_ids, public_name
from modicum.memory.people.access import Person
from modicum.memory.tables.sql import id_list, insert, make_cursor, read_cursor

NOTE, PROMPT, SESSION = "note", "prompt", "session"
PROJECT, PROGRESS, TOKEN = "project", "progress", "token"
MOST = 1_000


class AuditAction(NamedTuple):
    """An action for the audit table: what somebody did to which item. It holds no text of the item."""

    action: str
    kind: str
    item: str
    project: str = ""
    owner: str = ""  # of what nobody else may see


class AuditRecord(NamedTuple):
    """A record of the audit table: an action, who did it and when; `title` is the note's title now, `item` its public id."""

    id: int
    at: str
    person: str
    action: str
    kind: str
    item: str
    project: str = ""
    title: str = ""


ADD = insert("audit", ("at", "person", *AuditAction._fields))
# Title and public id are looked up by number: what is not a note has none.
LIST = """
SELECT id, at, person, action, kind, item, project FROM audit WHERE id < :below {conditions} ORDER BY id DESC LIMIT :limit
"""
NOTES = "SELECT id, title, public_id FROM notes WHERE id IN"


def of_note(action: str, note: Note) -> AuditAction:
    return AuditAction(action, NOTE, str(note.id), note.project, note.owner if note.scope == PERSONAL else "")


def record(tx: Transaction, person: Person, now: str, *actions: AuditAction) -> None:
    """Records actions in the audit table, if the person has a name: a lone user of a file has none."""
    for action in actions if person.name else ():
        named = action._replace(item=public_name(action.item))
        tx.run(ADD, {"at": now, "person": person.name, **named._asdict()})


def entries(tx: Transaction, query: Query, person: str = "") -> Listing[AuditRecord]:
    """Lists the records of the audit table, the latest first; all, or of a project or person."""
    limit = min(query.limit, MOST)
    if limit <= 0:
        return Listing()
    below = int(read_cursor(query.cursor, "audit", int)[0]) if query.cursor else 2**62
    filters = {"project": project_name(query.project), "person": person.strip()}
    conditions = " ".join(f"AND {name} = :{name}" for name, value in filters.items() if value)
    rows = tx.rows(LIST.format(conditions=conditions), {**filters, "below": below, "limit": limit + 1})
    numbers = sorted({int(row[5]) for row in rows if row[4] == NOTE})
    known = {number: told for number, *told in tx.rows(f"{NOTES} {id_list(numbers)}")}
    names = public_ids({number: public for number, (_, public) in known.items()})
    found = [AuditRecord(*row) for row in rows[:limit]]
    items = tuple(_of_today(each, known, names) if each.kind == NOTE else each for each in found)
    return Listing(items, make_cursor("audit", items[-1].id) if len(rows) > limit else "")


def _of_today(
    record: AuditRecord, known: Mapping[int, Sequence[str]], names: Mapping[int, str]
) -> AuditRecord:
    """The record with the public id and the title that the note has now; of one that is gone, with its number."""
    number = int(record.item)
    title = known[number][0] if number in known else ""
    return record._replace(item=names.get(number, f"#{number}"), title=title)
