"""Runs an undo in the database: puts the rows of a batch back as they were, as far as nobody changed them since."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from modicum.base.errors import Remedy
from modicum.memory.engines.database import Transaction
from modicum.memory.model import Note, NotFound, Refused
from modicum.memory.names import public_number
from modicum.memory.people.access import Person
from modicum.memory.sync import tables as sync_tables
from modicum.memory.tables import batches, lists, notes, sessions
from modicum.memory.tables.sql import assign, insert
from modicum.memory.undo.model import (
    COUNTED,
    EVERYWHERE,
    HOME,
    KEY,
    NOTE,
    PROGRESS,
    PROMPT,
    RELATION,
    REVISION,
    SESSION,
    WAITING,
    Batch,
    BatchRow,
    NamedNote,
    Reach,
    RowName,
    UndoneBatch,
    counts_of,
    undone,
)
from modicum.memory.undo.names import projects_of
from modicum.memory.undo.plan import changed_since, things_of
from modicum.memory.undo.reach import SYNCED, SeenRows, check_reach, shared_notes

Image = dict[str, Any]

TABLES = {
    SESSION: "sessions",
    NOTE: "notes",
    REVISION: "revisions",
    WAITING: "waiting",
    RELATION: "relations",
    PROMPT: "prompts",
    PROGRESS: "progress",
    KEY: "project_keys",
}
KEYS = {REVISION: ("note_id", "number"), WAITING: ("note_id",)}
# What refers to other rows goes before them and comes back after them; a session goes last of all, if nothing is in it.
REMOVED = (KEY, RELATION, REVISION, WAITING, PROGRESS, PROMPT, NOTE)
RESTORED = (HOME, SESSION, NOTE, REVISION, WAITING, RELATION, PROMPT, PROGRESS, KEY)

# What another row, which came later, keeps from coming back.
TAKEN = {
    NOTE: "SELECT 1 FROM notes WHERE sync_id = :sync_id AND id <> :id",
    PROMPT: "SELECT 1 FROM prompts WHERE sync_id = :sync_id AND id <> :id",
    PROGRESS: "SELECT 1 FROM progress WHERE project = :project AND namespace = :namespace AND id <> :id",
    KEY: "SELECT 1 FROM project_keys WHERE kind = :kind AND value = :value AND project = :project AND id <> :id",
    RELATION: """
    SELECT 1 FROM relations WHERE from_id = :from_id AND to_id = :to_id AND type = :type AND id <> :id
    UNION ALL SELECT 1 WHERE (SELECT count(*) FROM notes WHERE id IN (:from_id, :to_id)) < 2
    """,
    REVISION: "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM notes WHERE id = :note_id)",
    WAITING: "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM notes WHERE id = :note_id)",
}
TEXT = ("type", "title", "content", "tool_name")
# What the index of a note does not depend on.
UNINDEXED: Image = {
    "pinned": 0,
    "revision_count": 0,
    "duplicate_count": 0,
    "last_seen_at": "",
    "updated_at": "",
}


MOST_LOOKED_AT = 2_000  # rows of a batch by which it is said to be of a project
MOST_PASSED = 200  # batches of other projects that are passed over in search of one of this one


class RolledBack(Exception):  # noqa: N818 - says what happens
    """Ends the transaction of an undo that only tries."""


def chosen(
    tx: Transaction, every: Transaction, person: Person, number: int, *, kind: str, since: str, project: str
) -> Batch:
    """Chooses the batch that a run of undo takes back: the one named, or a person's latest of any kind or of one.

    With a project, the latest that changed anything there, or nothing in any project; by `every` row that it changed.
    """
    if number:
        named = batches.get(tx, number, since)
        if named is None:
            raise NotFound(f"there is no batch {number}", remedy=Remedy("batch.list"))
        return named
    passed = sorted(undone(batches.undos(tx)))
    for _ in range(MOST_PASSED):
        found = batches.latest(tx, since, person=person.name, kind=kind, passed=passed)
        if found is None:
            break
        projects = projects_of(every, found.id, tells_former=True, most=MOST_LOOKED_AT) if project else ()
        if not projects or project in projects:
            return found
        passed.append(found.id)
    what = f"no {kind}" if kind else "nothing"
    where = f" in {project}" if project else ""
    raise NotFound(f"there is {what} to undo{where}", remedy=Remedy("batch.list"))


def take_back(
    tx: Transaction, batch: Batch, person: Person, *, now: str, within: Reach = EVERYWHERE
) -> UndoneBatch:
    """Undoes a batch in the database: returns what went back, and what was left since others changed it later.

    It names and counts only what the person may see. Refuses a batch that goes beyond the reach.
    """
    every = tx.unlimited
    undoes = batches.undos(every)
    _check(batch, undone(undoes))
    rows = batches.rows_of(every, batch.id)
    lost = {row.unit for row in rows if row.is_lost}
    kept = changed_since(rows, batches.later_batches(every, batch.id), undoes)
    wanted = [row for row in rows if row.unit not in kept | lost]
    seen = SeenRows(tx, person, batch.id, wanted)
    shared = shared_notes(every, wanted)
    projects = projects_of(tx, batch.id, most=len(rows), tells_gone=not person.is_limited)
    owners = check_reach(tx, batch, person, wanted, within)
    restorer = Restorer(every, person, now, wanted)
    titles = restorer.titles()
    restorer.run()
    kept |= restorer.left
    things = [each for each in things_of(row for row in wanted if row.unit not in kept) if seen.has(each)]
    return UndoneBatch(
        batch,
        0,
        counts_of(Counter(kind for kind, _ in things)),
        tuple(titles[key] for kind, key in things if kind == NOTE and key in titles),
        _named(tx, kept),
        projects,
        owners,
        sum(seen.has((NOTE, key)) for key in shared),
        sum(kind in COUNTED for kind, _ in lost),
    )


def _check(batch: Batch, gone: dict[int, int]) -> None:
    if batch.is_for_good:
        raise Refused("what was deleted for good cannot come back", remedy=Remedy("batch.list"))
    if batch.id in gone:
        again = Remedy("batch.undo", id=str(gone[batch.id]))
        raise Refused(f"batch {batch.id} was taken back already", remedy=again)


def _named(tx: Transaction, units: set[RowName]) -> tuple[NamedNote, ...]:
    """The notes among the units that the person may see."""
    numbers = sorted(int(key) for kind, key in units if kind == NOTE)
    found = (lists.get(tx, number, deleted=True) for number in numbers)
    return tuple(NamedNote(note.id, note.title, note.sync_id) for note in found if note)


class Restorer:
    """Puts the rows of a batch back for an undo; `left` are those that had to stay."""

    def __init__(self, tx: Transaction, person: Person, now: str, rows: Sequence[BatchRow]) -> None:
        self.tx, self.person, self.now, self.rows = tx, person, now, rows
        self.left: set[RowName] = set()
        self.shared: set[RowName] = set()  # notes that a sync knows: they go on, and not back

    def titles(self) -> dict[str, NamedNote]:
        """Returns the notes that the undo is about to change, as they are called now, or were when there were any."""
        found: dict[str, NamedNote] = {}
        for row in self.rows:
            if row.kind in (NOTE, WAITING) and row.key not in found:
                current = self._note(int(row.key))
                image: Image = current._asdict() if current else json.loads(row.before or "{}")
                name = image.get("title", ""), image.get("sync_id", "")
                found[row.key] = NamedNote(int(row.key), *name)
        return found

    def run(self) -> None:
        """Puts the rows of the undo back."""
        with self.tx.words.changing(self.tx, sum(row.kind in (NOTE, PROMPT) for row in self.rows)):
            self._run()

    def _run(self) -> None:
        self.shared = {row.name for row in self.rows if row.kind == NOTE and self._is_shared(int(row.key))}
        for kind in REMOVED:
            self._each(kind, self._remove, made=True)
        for kind in RESTORED:
            self._each(kind, self._restore, made=False)
        self._each(SESSION, self._remove_session, made=True)
        self.tx.words.forget(self.tx)

    def _each(self, kind: str, do: Callable[[BatchRow], None], *, made: bool) -> None:
        for row in self.rows:
            if row.kind == kind and (row.before is None) == made and not self._is_kept(row):
                do(row)

    def _is_kept(self, row: BatchRow) -> bool:
        """Whether a revision belongs to a note that goes on: what it said stays in its history."""
        return row.kind == REVISION and row.unit in self.shared

    def _note(self, number: int) -> Note | None:
        return lists.get(self.tx, number, deleted=True)

    def _is_shared(self, number: int) -> bool:
        note = self._note(number)
        return note is not None and bool(self.tx.rows(SYNCED, {"kind": NOTE, "key": note.sync_id}))

    def _remove(self, row: BatchRow) -> None:
        if row.kind == NOTE and (note := self._note(int(row.key))):
            self.person.check(note.project, note.scope)
            if row.name in self.shared:
                notes.delete(self.tx, note.id, hard=False, now=self.now)
                return
        columns = KEYS.get(row.kind, ("id",))
        values = dict(zip(columns, map(int, row.key.split("/")), strict=True))
        self.tx.run(f"DELETE FROM {TABLES[row.kind]} WHERE {_same(columns)}", values)  # noqa: S608 - our own names

    def _remove_session(self, row: BatchRow) -> None:
        if any(self.tx.rows(sessions.USES, {"id": row.key})[0]):
            self.left.add(row.unit)
        else:
            self.tx.run(sessions.REMOVE, {"id": row.key})

    def _restore(self, row: BatchRow) -> None:
        image: Image = json.loads(row.before or "{}")
        if row.kind == HOME:
            sync_tables.move(self.tx, row.key, image["project"])
            return
        if row.content is not None:
            image["content"] = row.content
        if "project" in image:
            self.person.check(image["project"], image.get("scope", ""))
        if row.kind in TAKEN and self.tx.rows(TAKEN[row.kind], image):
            self.left.add(row.unit)
        elif row.kind == NOTE:
            self._restore_note(row, image)
        else:
            self._put(row.kind, image)

    def _restore_note(self, row: BatchRow, image: Image) -> None:
        current = self._note(int(row.key))
        if current is None:
            self._put(NOTE, image)
        elif row.name in self.shared:
            self._go_on(current, image)
        else:
            self.person.check(current.project, current.scope)
            self._put(NOTE, image)
        note = self._note(int(row.key))
        if note and (current is None or note._replace(**UNINDEXED) != current._replace(**UNINDEXED)):
            notes.reword(self.tx, notes.entry_of(note))

    def _go_on(self, current: Note, image: Image) -> None:
        """Gives a shared note its former state as a change of now, which the next sync hands on as the newest."""
        wanted = current._replace(**{name: image[name] for name in Note._fields if name in image})
        worded = any(getattr(wanted, name) != getattr(current, name) for name in TEXT)
        if worded:
            self.tx.run(notes.KEEP_REVISION, {"id": current.id})
        wanted = wanted._replace(
            sync_id=current.sync_id,
            session_id=current.session_id,
            revision_count=current.revision_count + worded,
            duplicate_count=current.duplicate_count,
            last_seen_at=current.last_seen_at,
            updated_at=self.now,
            deleted_at=self.now if wanted.deleted_at else "",
        )
        self.tx.run(notes.CHANGE, {**wanted._asdict(), **notes.beside(wanted)})

    def _put(self, kind: str, image: Image) -> None:
        """Writes a row as it was, in the place of the one with its key or as a new one."""
        table, columns = TABLES[kind], KEYS.get(kind, ("id",))
        if self.tx.rows(f"SELECT 1 FROM {table} WHERE {_same(columns)}", image):  # noqa: S608 - our own names
            fields = [name for name in image if name not in columns]
            self.tx.run(f"UPDATE {table} SET {assign(fields)} WHERE {_same(columns)}", image)  # noqa: S608 - our own names
            return
        if kind in (NOTE, PROMPT):
            sessions.ensure_session(
                self.tx, image["session_id"], image["project"], "", now=image["created_at"], known=False
            )
            if self.tx.rows(SYNCED, {"kind": kind, "key": image["sync_id"]}):
                # The others know it as deleted for good: it comes back as another one.
                image = _renamed(kind, image)
        extra = {"active_at": image["started_at"]} if kind == SESSION else {}
        row = {**image, **extra}
        self.tx.run(insert(table, tuple(row)), row)


def _renamed(kind: str, image: Image) -> Image:
    if kind == PROMPT:
        return {**image, "sync_id": notes.mint("prompt")}
    name = notes.mint("obs")
    return {**image, "sync_id": name, "public_id": public_number(name)}


def _same(columns: Sequence[str]) -> str:
    return " AND ".join(f"{name} = :{name}" for name in columns)
