"""The tables of a sync: its projects, agreed states, marked changes, the outbox, and known chunks."""

import os
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple

from modicum.memory.engines.database import Transaction
from modicum.memory.model import PERSONAL
from modicum.memory.sync.chunks import canonical_json, edge_ends, record_of, stored_state, stored_text
from modicum.memory.sync.state import EDGE, NOTE, SyncState, parts_by

EDGES = "edges"  # a mark: the edges that leave a note may have changed
INTO = "into"  # a mark: the wordings of a note belong to the one that it was made part of

ENROL = "INSERT INTO sync_homes (project, machine) VALUES (:home, :machine) ON CONFLICT (project) DO NOTHING"
MACHINE = "SELECT machine FROM sync_homes WHERE project = :home"
TRUSTED = "SELECT machine FROM sync_machines WHERE home = :home"
TRUST = """
INSERT INTO sync_machines (home, machine) VALUES (:home, :machine) ON CONFLICT (home, machine) DO NOTHING
"""
DISTRUST = "DELETE FROM sync_machines WHERE home = :home AND machine = :machine"
SPOKEN = """
SELECT 1 FROM sync_states WHERE home = :home AND kind = 'note' AND state LIKE :word
UNION ALL SELECT 1 FROM sync_machines WHERE home = :home AND machine = :machine LIMIT 1
"""
FORGET_CHUNKS = "DELETE FROM sync_chunks WHERE home = :home"

_MARK = "INSERT INTO sync_changes (home, kind, key) SELECT :home,"
_ONCE = "ON CONFLICT (home, kind, key) DO NOTHING"
_MINE = "AND (:me = '' OR owner = :me)"
_NEW = """
AND NOT EXISTS (SELECT 1 FROM sync_states WHERE kind = :kind AND key = sync_id AND home = :home)
"""
MARK = f"INSERT INTO sync_changes (home, kind, key) VALUES (:home, :kind, :key) {_ONCE}"  # noqa: S608 - our own words
MARK_SESSIONS = f"{_MARK} 'session', id FROM sessions WHERE project = :home {_ONCE}"
MARK_NOTES = f"{_MARK} 'note', sync_id FROM notes WHERE project = :home {_ONCE}"
MARK_PERSONAL = (
    f"{_MARK} :kind, sync_id FROM notes WHERE project = :home AND scope = :scope {_MINE} {_NEW} {_ONCE}"
)
MARK_PROMPTS = f"{_MARK} :kind, sync_id FROM prompts WHERE project = :home {_MINE} {_NEW} {_ONCE}"
# A prompt or a relation is shown by who said so.
MARK_TOLD = f"{_MARK} kind, key FROM sync_states WHERE home = :home AND kind IN ('prompt', 'edge') {_ONCE}"
MARK_EDGES_TO = f"""
{_MARK} 'edges', o.sync_id FROM relations r JOIN notes o ON o.id = r.from_id WHERE r.to_id = :id {_ONCE}
"""
MARKED = "SELECT kind, key FROM sync_changes WHERE home = :home ORDER BY kind DESC, key LIMIT :limit"
COUNT_MARKED = "SELECT count(*) FROM sync_changes WHERE home = :home"
CLEAR = "DELETE FROM sync_changes WHERE home = :home AND kind = :kind AND key = :key"

GET = "SELECT state FROM sync_states WHERE kind = :kind AND key = :key AND home = :home"
PUT = """
INSERT INTO sync_states (kind, key, home, one, other, state) VALUES (:kind, :key, :home, :one, :other, :state)
ON CONFLICT (kind, key, home) DO UPDATE SET state = excluded.state
"""
EDGES_OF = """
SELECT key, state FROM sync_states WHERE home = :home AND kind = 'edge' AND one = :key
UNION SELECT key, state FROM sync_states WHERE home = :home AND kind = 'edge' AND other = :key
"""
EDGES_FROM = "SELECT key, state FROM sync_states WHERE home = :home AND kind = 'edge' AND one = :key"
FORGET_EDGES = "DELETE FROM sync_states WHERE home = :home AND kind = 'edge' AND (one = :key OR other = :key)"
ALL_STATES = """
SELECT kind, key, state FROM sync_states WHERE home = :home AND (kind, key) > (:kind, :key)
ORDER BY kind, key LIMIT :limit
"""

QUEUE = "INSERT INTO sync_outbox (home, kind, key, record) VALUES (:home, :kind, :key, :record)"
QUEUED = "SELECT id, record FROM sync_outbox WHERE home = :home ORDER BY id LIMIT :limit"
UNQUEUE = "DELETE FROM sync_outbox WHERE id = :id"
UNQUEUE_KEY = "DELETE FROM sync_outbox WHERE home = :home AND kind = :kind AND key = :key"
COUNT_QUEUED = "SELECT kind, key FROM sync_outbox WHERE home = :home"

CHUNKS = "SELECT chunk FROM sync_chunks WHERE home = :home"
ADD_CHUNK = (
    "INSERT INTO sync_chunks (home, chunk) VALUES (:home, :chunk) ON CONFLICT (home, chunk) DO NOTHING"
)


MOVE_HOME = """
UPDATE sync_homes SET project = :new WHERE project = :old
AND NOT EXISTS (SELECT 1 FROM sync_homes AS other WHERE other.project = :new)
"""
MOVE_REST = tuple(
    f"UPDATE sync_{table} SET home = :new WHERE home = :old"  # noqa: S608 - our own words
    for table in ("states", "changes", "outbox", "chunks", "machines")
)


class SyncChoices(NamedTuple):
    """The choices of a sync: whether prompts and personal notes are sent, and who runs it."""

    prompts: bool = False
    personal: bool = False
    me: str = ""  # where there is one person, nobody has a name and all is theirs

    def owns(self, owner: str) -> bool:
        return self.me in ("", owner)


class SyncTransaction(NamedTuple):
    """A transaction on the tables of a sync: the project that is shared, the time, and what may be sent."""

    tx: Transaction
    home: str
    now: str
    latest: str  # the last time that is shown of what comes from elsewhere
    choices: SyncChoices = SyncChoices()
    trusted: Set[str] = frozenset()  # the machines that a person here has confirmed

    def state(self, kind: str, key: str) -> SyncState:
        rows = self.tx.rows(GET, {"kind": kind, "key": key, "home": self.home})
        return stored_state(kind, key, rows[0][0]) if rows else SyncState(kind, key)

    def keep(self, state: SyncState) -> None:
        one, other = edge_ends(state.key)[:2] if state.kind == EDGE else ("", "")
        values = {"kind": state.kind, "key": state.key, "home": self.home, "one": one, "other": other}
        self.tx.run(PUT, {**values, "state": stored_text(state)})

    def send(self, state: SyncState) -> None:
        """Queues a state in the outbox table of the sync, unless it is empty."""
        for machine, part in parts_by(state) if not state.empty else ():
            record = canonical_json({**record_of(part), **({"by": machine} if machine else {})})
            self.tx.run(QUEUE, {"home": self.home, "kind": state.kind, "key": state.key, "record": record})

    def mark(self, kind: str, key: str) -> None:
        self.tx.run(MARK, {"home": self.home, "kind": kind, "key": key})

    def clear(self, kind: str, key: str) -> None:
        self.tx.run(CLEAR, {"home": self.home, "kind": kind, "key": key})

    def edges(self, key: str) -> list[SyncState]:
        """Returns the agreed states of the relations from and to a note, from the tables of the sync."""
        rows = self.tx.rows(EDGES_OF, {"home": self.home, "key": key})
        return [stored_state(EDGE, edge, text) for edge, text in rows]

    def edges_from(self, key: str) -> list[SyncState]:
        """Returns the agreed states of the relations that lead from a note, from the tables of the sync."""
        rows = self.tx.rows(EDGES_FROM, {"home": self.home, "key": key})
        return [stored_state(EDGE, edge, text) for edge, text in rows]


def enrol(tx: Transaction, home: str, choices: SyncChoices) -> None:
    """Adds a project to the tables of the sync; the first time, everything of it is marked as changed."""
    values = {"home": home, "machine": f"m-{os.urandom(5).hex()}"}
    if tx.run(ENROL, values):
        tx.run(MARK_SESSIONS, {"home": home})
        tx.run(MARK_NOTES, {"home": home})
    values = {"home": home}
    if choices.personal:
        tx.run(MARK_PERSONAL, {**values, "kind": NOTE, "scope": PERSONAL, "me": choices.me})
    if choices.prompts:
        tx.run(MARK_PROMPTS, {**values, "kind": "prompt", "me": choices.me})


def machine_of_home(tx: Transaction, home: str) -> str:
    """Returns the name of this machine in the sync of a project, from the tables; "" before the first sync."""
    return "".join(name for (name,) in tx.rows(MACHINE, {"home": home}))


def trusted_machines(tx: Transaction, home: str) -> frozenset[str]:
    return frozenset(name for (name,) in tx.rows(TRUSTED, {"home": home}))


def has_spoken(tx: Transaction, home: str, machine: str) -> bool:
    """Returns True if anything in the tables of the sync is the word of a machine, or it is confirmed."""
    values = {"home": home, "word": f"%{machine}%", "machine": machine}
    return bool(tx.rows(SPOKEN, values))


def set_trust(tx: Transaction, home: str, machine: str, *, trusted: bool) -> None:
    """Keeps in the tables of the sync that a person has confirmed a machine, or no longer does; all is looked at again then."""
    tx.run(TRUST if trusted else DISTRUST, {"home": home, "machine": machine})
    tx.run(FORGET_CHUNKS, {"home": home})
    tx.run(MARK_NOTES, {"home": home})
    tx.run(MARK_SESSIONS, {"home": home})
    tx.run(MARK_TOLD, {"home": home})


def move(tx: Transaction, old: str, new: str) -> None:
    """Renames a project in the tables of the sync, unless one with the new name is there already."""
    if tx.run(MOVE_HOME, {"old": old, "new": new}):
        for sql in MOVE_REST:
            tx.run(sql, {"old": old, "new": new})


def marked(tx: Transaction, home: str, limit: int, *, together: int) -> list[tuple[str, str]]:
    """Returns the kinds and keys of some marked changes from the tables of the sync, sessions first.

    Of what goes into other notes, so many come together: many may go into one.
    """
    found = tx.rows(MARKED, {"home": home, "limit": limit})
    if found and found[0][0] == INTO:
        found = tx.rows(MARKED, {"home": home, "limit": together})
    return [(kind, key) for kind, key in found]


def known_chunks(tx: Transaction, home: str) -> set[str]:
    return {chunk for (chunk,) in tx.rows(CHUNKS, {"home": home})}


def add_chunk(tx: Transaction, home: str, chunk: str) -> None:
    tx.run(ADD_CHUNK, {"home": home, "chunk": chunk})


def queued(tx: Transaction, home: str, limit: int) -> list[tuple[int, str]]:
    return [(number, record) for number, record in tx.rows(QUEUED, {"home": home, "limit": limit})]


def unqueue(tx: Transaction, numbers: Iterable[int]) -> None:
    for number in numbers:
        tx.run(UNQUEUE, {"id": number})


def states_after(tx: Transaction, home: str, last: Sequence[str], limit: int) -> list[SyncState]:
    """Returns some agreed states from the tables of the sync: those after `last`."""
    values = {"home": home, "kind": last[0], "key": last[1], "limit": limit}
    return [stored_state(kind, key, text) for kind, key, text in tx.rows(ALL_STATES, values)]
