"""States in the database: read from rows, and written to them."""

from modicum.memory.model import Note, Prompt, Relation, Revision, Session
from modicum.memory.sync.chunks import edge_ends
from modicum.memory.sync.local import LIVE, NO_EDGE, NO_END, earlier, shown
from modicum.memory.sync.state import SyncState
from modicum.memory.sync.tables import SyncTransaction
from modicum.memory.tables import notes, sessions
from modicum.memory.tables.sql import assign, first, insert, select

NOTE = select(notes.FIELDS, "notes", "WHERE sync_id = :key")
REVISIONS = select(Revision._fields, "revisions", "WHERE note_id = :id ORDER BY number")
FORGET_REVISIONS = "DELETE FROM revisions WHERE note_id = :id"
ADD_REVISION = insert("revisions", Revision._fields)
RENAME = "UPDATE notes SET sync_id = :fresh WHERE id = :id"
HIDE = "UPDATE notes SET deleted_at = :now WHERE id = :id AND deleted_at = ''"
SESSION_ROW = (
    f"UPDATE sessions SET {assign(('namespace', 'started_at', 'ended_at', 'summary'))} WHERE id = :id"  # noqa: S608
)
ACTIVE = """
UPDATE sessions SET active_at = coalesce(
  (SELECT max(created_at) FROM notes WHERE session_id = :id AND deleted_at = ''), started_at
) WHERE id = :id
"""
PROMPT = select(Prompt._fields, "prompts", "WHERE sync_id = :key")
REMOVE_PROMPT = "DELETE FROM prompts WHERE sync_id = :key"
NUMBER = """
SELECT o.id FROM notes o JOIN sync_states s ON s.kind = 'note' AND s.key = o.sync_id AND s.home = :home
WHERE o.sync_id = :key
"""
PUT_RELATION = insert(
    "relations",
    Relation._fields[1:],
    "ON CONFLICT (from_id, to_id, type) DO UPDATE SET note = excluded.note, created_at = excluded.created_at",
)
REMOVE_RELATION = "DELETE FROM relations WHERE from_id = :from_id AND to_id = :to_id AND type = :type"
LEAVING = f"""
SELECT o.sync_id, {", ".join(f"r.{name}" for name in Relation._fields)}
FROM relations r JOIN notes o ON o.id = r.to_id
JOIN sync_states s ON s.kind = 'note' AND s.key = o.sync_id AND s.home = :home
WHERE r.from_id = :id
"""  # noqa: S608 - from our own field names
SAME_TOPIC = """
SELECT o.sync_id FROM notes o JOIN sync_states s ON s.kind = 'note' AND s.key = o.sync_id AND s.home = :project
WHERE o.topic_key = :topic_key AND o.project = :project AND o.scope = :scope AND o.namespace = :namespace
  AND o.deleted_at = '' AND o.topic_key <> ''
"""


def note_row(desk: SyncTransaction, key: str) -> Note | None:
    return first(desk.tx.rows(NOTE, {"key": key}), Note)


def revisions_of(desk: SyncTransaction, number: int) -> list[Revision]:
    return [Revision(*row) for row in desk.tx.rows(REVISIONS, {"id": number})]


def session_row(desk: SyncTransaction, key: str) -> Session | None:
    return sessions.get(desk.tx, key)


def prompt_row(desk: SyncTransaction, key: str) -> Prompt | None:
    return first(desk.tx.rows(PROMPT, {"key": key}), Prompt)


def show_note(desk: SyncTransaction, state: SyncState, row: Note | None, past: list[Revision]) -> int:
    """Make the row say what the state says; touches nothing if it does already."""
    new = Note(0, state.key, "", "", "", "", project=desk.home, owner=desk.wishes.me)
    wanted = shown(state, row or new)
    wanted = wanted._replace(id=_put_note(desk, wanted, row))
    revisions = earlier(state, number=wanted.id)
    if revisions != tuple(past):
        desk.tx.run(FORGET_REVISIONS, {"id": wanted.id})
        for each in revisions:
            desk.tx.run(ADD_REVISION, each._asdict())
    return wanted.id


def _put_note(desk: SyncTransaction, wanted: Note, row: Note | None) -> int:
    if wanted == row:
        return row.id
    sessions.ensure_session(
        desk.tx, wanted.session_id, desk.home, wanted.namespace, now=wanted.created_at, known=False
    )
    entry = notes.entry_of(wanted)
    if row is None:
        return notes.add(desk.tx, entry)
    if wanted.session_id != row.session_id:
        desk.tx.run(HIDE, {"id": row.id, "now": desk.now})  # so that the sessions count right
    desk.tx.run(notes.CHANGE, {**wanted._asdict(), "hash": entry.hash})
    notes.reword(desk.tx, entry)
    return row.id


def bury_note(desk: SyncTransaction, row: Note | None) -> None:
    if row:
        desk.tx.run(notes.REMOVE, {"id": row.id})


def show_session(desk: SyncTransaction, state: SyncState, row: Session | None) -> None:
    """Make the session say what the state says; one that holds something here stays."""
    started_at = state.least["started_at"][0]
    if row is None:
        row = Session(state.key, desk.home, started_at=started_at, active_at=started_at)
        sessions.start(desk.tx, row)
    mine = row.project == desk.home
    ended_at, summary = state.value("end", NO_END) if mine else (row.ended_at, row.summary)
    namespace = state.value("namespace", LIVE)[0] if mine else row.namespace
    wanted = row._replace(started_at=started_at, ended_at=ended_at, summary=summary, namespace=namespace)
    if wanted != row:
        desk.tx.run(SESSION_ROW, wanted._asdict())
        desk.tx.run(ACTIVE, {"id": state.key})


def holds_something(desk: SyncTransaction, key: str) -> bool:
    return any(desk.tx.rows(sessions.USES, {"id": key})[0])


def remove_session(desk: SyncTransaction, key: str) -> None:
    desk.tx.run(sessions.REMOVE, {"id": key})


def show_prompt(desk: SyncTransaction, state: SyncState) -> None:
    created_at, session_id, namespace, content = state.least["prompt"]
    sessions.ensure_session(desk.tx, session_id, desk.home, namespace, now=created_at, known=False)
    prompt = Prompt(0, state.key, session_id, content, desk.home, namespace, created_at, desk.wishes.me)
    desk.tx.rows(sessions.ADD_PROMPT, prompt._asdict())


def leaving(desk: SyncTransaction, number: int) -> dict[tuple[str, str], Relation]:
    """The edges from a note to notes that are shared, by the key of those and their type."""
    rows = desk.tx.rows(LEAVING, {"id": number, "home": desk.home})
    return {(key, rest[3]): Relation(*rest) for key, *rest in rows}


def ends_here(desk: SyncTransaction, edge: str) -> tuple[int, int, str] | None:
    """The ids of the notes that an edge connects, if both are here and shared."""
    one, other, kind = edge_ends(edge)
    found = [desk.tx.rows(NUMBER, {"key": key, "home": desk.home}) for key in (one, other)]
    return (found[0][0][0], found[1][0][0], kind) if all(found) and one != other else None


def show_edge(desk: SyncTransaction, state: SyncState) -> None:
    """Make the relation be there or not, as the state says, once both notes are here."""
    ends = ends_here(desk, state.key)
    if ends is None:
        return
    present, note, created_at = state.value("edge", NO_EDGE)
    relation = Relation(0, *ends, note, created_at)
    desk.tx.run(PUT_RELATION if present else REMOVE_RELATION, relation._asdict())


def same_topic(desk: SyncTransaction, row: Note) -> list[str]:
    """The shared notes that have the topic of this one."""
    return [key for (key,) in desk.tx.rows(SAME_TOPIC, row._replace(project=desk.home)._asdict())]
