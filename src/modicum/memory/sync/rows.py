"""Reads and writes the rows of notes, sessions, prompts and relations for a sync, as their states say."""

from modicum.memory.model import Note, Prompt, Relation, Revision, Session
from modicum.memory.origins import SYNC
from modicum.memory.sync.chunks import canonical_json, edge_ends
from modicum.memory.sync.local import (
    LIVE,
    NO_END,
    bounded,
    claim_type,
    edge_to_show,
    revisions_of_state,
    row_of_state,
    shown_claim,
)
from modicum.memory.sync.state import HELD, SyncState, is_trusted
from modicum.memory.sync.tables import SyncTransaction
from modicum.memory.tables import notes, sessions
from modicum.memory.tables.sql import assign, first, insert, select

# What waits in the inbox is nobody else's yet.
NOTE = select(
    notes.FIELDS,
    "notes",
    "WHERE sync_id = :key AND NOT EXISTS (SELECT 1 FROM waiting WHERE note_id = notes.id)",
)
REVISIONS = select(Revision._fields, "revisions", "WHERE note_id = :id ORDER BY number")
FORGET_REVISION = "DELETE FROM revisions WHERE note_id = :note_id AND number = :number"
ADD_REVISION = insert("revisions", Revision._fields)
RENAME = "UPDATE notes SET sync_id = :fresh, public_id = :public_id WHERE id = :id"
HIDE = "UPDATE notes SET deleted_at = :now WHERE id = :id AND deleted_at = ''"
SESSION_ROW = (
    f"UPDATE sessions SET {assign(('namespace', 'started_at', 'ended_at', 'summary'))} WHERE id = :id"  # noqa: S608 (names of our columns)
)
TOLD_BY = "UPDATE sessions SET told_by = :told_by WHERE id = :id AND told_by <> :told_by"
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
RELATION = select(
    Relation._fields, "relations", "WHERE from_id = :from_id AND to_id = :to_id AND type = :type"
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


def note_row(sync: SyncTransaction, key: str) -> Note | None:
    return first(sync.tx.rows(NOTE, {"key": key}), Note)


def revisions_of(sync: SyncTransaction, number: int) -> list[Revision]:
    return [Revision(*row) for row in sync.tx.rows(REVISIONS, {"id": number})]


def session_row(sync: SyncTransaction, key: str) -> Session | None:
    return sessions.get(sync.tx, key)


def prompt_row(sync: SyncTransaction, key: str) -> Prompt | None:
    return first(sync.tx.rows(PROMPT, {"key": key}), Prompt)


def show_note(sync: SyncTransaction, state: SyncState, row: Note | None, past: list[Revision]) -> int:
    """Writes the rows of a note and its history as its sync state says; returns the id of the note."""
    new = Note(0, state.key, "", "", "", "", project=sync.home, owner=sync.choices.me)
    wanted = row_of_state(state, row or new, latest=sync.latest, trusted=sync.trusted)
    wanted = wanted._replace(id=_put_note(sync, wanted, row))
    revisions = revisions_of_state(state, past, number=wanted.id, latest=sync.latest)
    held = {*past}
    kept = {*revisions}
    for each in past:
        if each not in kept:
            sync.tx.run(FORGET_REVISION, each._asdict())
    for each in revisions:
        if each not in held:
            sync.tx.run(ADD_REVISION, each._asdict())
    return wanted.id


def _put_note(sync: SyncTransaction, wanted: Note, row: Note | None) -> int:
    if wanted == row:
        return row.id
    sessions.ensure_session(
        sync.tx, wanted.session_id, sync.home, wanted.namespace, now=wanted.created_at, known=False
    )
    entry = notes.entry_of(wanted)
    if row is None:
        return notes.add(sync.tx, entry)
    if wanted.session_id != row.session_id:
        sync.tx.run(HIDE, {"id": row.id, "now": sync.now})  # so that the sessions count right
    sync.tx.run(notes.CHANGE, {**wanted._asdict(), **entry.beside})
    notes.reword(sync.tx, entry)
    return row.id


def remove_note(sync: SyncTransaction, row: Note | None, *, can_come_back: bool) -> None:
    """Removes the row of a note; with `can_come_back`, an undo has it for as long as batches are kept."""
    if row and can_come_back:
        sync.tx.run(notes.REMOVE, {"id": row.id})
        sync.tx.words.forget(sync.tx)
    elif row:
        notes.delete(sync.tx, row.id, hard=True, now=sync.now)


def show_session(sync: SyncTransaction, state: SyncState, row: Session | None) -> None:
    """Writes the row of a session as its sync state says."""
    started_at = bounded(state.least["started_at"][0], sync.latest, row.started_at if row else "")
    if row is None:
        row = Session(state.key, sync.home, started_at=started_at, active_at=started_at)
        sessions.start(sync.tx, row)
    mine = row.project == sync.home
    ended_at, summary = state.value("end", NO_END) if mine else (row.ended_at, row.summary)
    ended_at = bounded(ended_at, sync.latest, row.ended_at)
    namespace = state.value("namespace", LIVE)[0] if mine else row.namespace
    wanted = row._replace(started_at=started_at, ended_at=ended_at, summary=summary, namespace=namespace)
    if wanted != row:
        sync.tx.run(SESSION_ROW, wanted._asdict())
        sync.tx.run(ACTIVE, {"id": state.key})
    if mine and state.by:
        told_by = SYNC if is_trusted(state.by.get("end", ""), sync.trusted) else f"{SYNC}:unconfirmed"
        sync.tx.run(TOLD_BY, {"id": state.key, "told_by": told_by})


def holds_something(sync: SyncTransaction, key: str) -> bool:
    return any(sync.tx.rows(sessions.USES, {"id": key})[0])


def remove_session(sync: SyncTransaction, key: str) -> None:
    sync.tx.run(sessions.REMOVE, {"id": key})


def show_prompt(sync: SyncTransaction, state: SyncState) -> None:
    created_at, session_id, namespace, content = state.least["prompt"]
    created_at = bounded(created_at, sync.latest)
    sessions.ensure_session(sync.tx, session_id, sync.home, namespace, now=created_at, known=False)
    prompt = Prompt(0, state.key, session_id, content, sync.home, namespace, created_at, sync.choices.me)
    sync.tx.rows(sessions.ADD_PROMPT, prompt._asdict())


def leaving(sync: SyncTransaction, number: int) -> dict[tuple[str, str], Relation]:
    """Returns the rows of relations from a note to shared notes, by the other's sync key and the type."""
    rows = sync.tx.rows(LEAVING, {"id": number, "home": sync.home})
    return {(key, rest[3]): Relation(*rest) for key, *rest in rows}


def ends_here(sync: SyncTransaction, edge: str) -> tuple[int, int, str] | None:
    """Returns the row ids of a synced relation's two notes and its type; None unless both are shared here."""
    one, other, kind = edge_ends(edge)
    found = [sync.tx.rows(NUMBER, {"key": key, "home": sync.home}) for key in (one, other)]
    return (found[0][0][0], found[1][0][0], kind) if all(found) and one != other else None


def relation_row(sync: SyncTransaction, ends: tuple[int, int, str], known: SyncState) -> Relation | None:
    """Returns the row of a synced relation: the one that counts, or else the one that tells of a claim."""
    one, other, kind = ends
    for each in dict.fromkeys((kind, claim_type(kind, shown_claim(known)))):
        found = sync.tx.rows(RELATION, {"from_id": one, "to_id": other, "type": each})
        if found:
            return Relation(*found[0])
    return None


def show_edge(sync: SyncTransaction, state: SyncState) -> SyncState:
    """Adds, changes or removes the row of a relation as its sync state says, if both notes are here; returns the state as it is shown."""
    ends = ends_here(sync, state.key)
    if ends is None:
        return state._replace(by={})
    row = relation_row(sync, ends, state)
    who, (present, note, created_at) = edge_to_show(state, sync.trusted)
    at = bounded(created_at, sync.latest, row.created_at if row else "")
    wanted = Relation(0, *ends[:2], claim_type(ends[2], who), note, at)
    types = {ends[2], claim_type(ends[2], shown_claim(state))}
    for kind in types - ({wanted.type} if present else set()):
        sync.tx.run(REMOVE_RELATION, wanted._replace(type=kind)._asdict())
    if present and (row is None or row._replace(id=0) != wanted):
        sync.tx.run(PUT_RELATION, wanted._asdict())
    return state._replace(by={HELD: canonical_json([who, note])} if present else {})


def same_topic(sync: SyncTransaction, row: Note) -> list[str]:
    """Returns the sync keys of all rows of shared notes that have the topic of this one."""
    return [key for (key,) in sync.tx.rows(SAME_TOPIC, row._replace(project=sync.home)._asdict())]
