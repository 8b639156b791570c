"""Transfers archives from and to the database: reads everything into one, and adds what is new in one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any, TypeVar

from modicum.base.errors import Remedy
from modicum.memory.engines.database import Database, Transaction
from modicum.memory.model import (
    Archive,
    Imported,
    Note,
    Progress,
    Prompt,
    Relation,
    Revision,
    Session,
    Unusable,
)
from modicum.memory.names import MOST_AMOUNT, public_line, public_name
from modicum.memory.projects.keys import NamedProject, ProjectKey
from modicum.memory.projects.rows import LOCK, local_ids
from modicum.memory.redact import redact, redact_inside
from modicum.memory.tables import lists, notes, sessions
from modicum.memory.tables.progress import redacted
from modicum.memory.tables.sql import insert, select

BATCH = 200  # per transaction, so that an import never keeps others waiting for long

ADD_SESSION = insert("sessions", (*Session._fields, "told_by"), "ON CONFLICT (id) DO NOTHING")
ADD_RELATION = insert("relations", Relation._fields[1:], "ON CONFLICT (from_id, to_id, type) DO NOTHING")
ADD_REVISION = insert("revisions", Revision._fields, "ON CONFLICT (note_id, number) DO NOTHING")
ADD_PROGRESS = insert("progress", Progress._fields[1:], "ON CONFLICT (project, namespace) DO NOTHING")

Value = TypeVar("Value")
Record = TypeVar("Record", Session, Note, Prompt, Relation, Revision, Progress)
Ids = dict[int, int]  # the id in the archive, and here
Writing = Callable[[], AbstractContextManager[Transaction]]


def export(
    tx: Transaction, *, now: str, projects: tuple[NamedProject, ...] = (), keys: tuple[ProjectKey, ...] = ()
) -> Archive:
    """Transfers everything in the database into an archive, also deleted notes, but nothing of the inbox."""
    return Archive(
        exported_at=now,
        sessions=_all(tx, Session, "sessions", "ORDER BY started_at, id"),
        notes=_all(
            tx, Note, "notes", "WHERE NOT EXISTS (SELECT 1 FROM waiting WHERE note_id = notes.id) ORDER BY id"
        ),
        prompts=_all(tx, Prompt, "prompts", "ORDER BY id"),
        relations=_all(tx, Relation, "relations", "ORDER BY id"),
        revisions=_all(tx, Revision, "revisions", "ORDER BY note_id, number"),
        progress=_all(tx, Progress, "progress", "ORDER BY id"),
        projects=projects,
        keys=keys,
    )


def _all(tx: Transaction, kind: Callable[..., Value], table: str, order: str) -> tuple[Value, ...]:
    fields: Sequence[str] = kind._fields  # type: ignore[attr-defined]  # a NamedTuple
    return tuple(kind(*row) for row in tx.rows(select(fields, table, order)))


_NAMES = {
    "sessions": ("id", "project", "namespace"),
    "notes": ("session_id", "type", "tool_name", "author", "owner", "project", "topic_key", "namespace"),
    "prompts": ("session_id", "project", "namespace", "owner"),
    "relations": ("type",),
    "revisions": ("type", "tool_name"),
    "progress": ("project", "namespace"),
    "projects": ("id", "name", "owner"),
    "keys": ("kind", "value", "project"),
}


def prepared(archive: Archive, *, latest: str) -> Archive:
    """Returns an archive ready for transfer into the database: clean names, and no time later than `latest`.

    What is dated far ahead would be the newest for ever.
    """
    parts: dict[str, Any] = {
        name: tuple(_prepared(row, fields, latest) for row in getattr(archive, name))
        for name, fields in _NAMES.items()
    }
    placed = (row._replace(directory=public_line(row.directory)) for row in parts["sessions"])
    parts["sessions"] = tuple(placed)
    return archive._replace(**parts)


def placed(database: Database, archive: Archive) -> Archive:
    """Returns an archive for transfer with the ids that its projects have in a database; makes those that are new."""
    if not archive.projects:
        return archive
    with database.writing(LOCK) as tx:
        return _with_projects(archive, local_ids(tx, archive.projects, archive.keys))


def _with_projects(archive: Archive, ids: Mapping[str, str]) -> Archive:
    parts: dict[str, Any] = {
        name: tuple(row._replace(project=ids.get(row.project, row.project)) for row in getattr(archive, name))
        for name in ("sessions", "notes", "prompts", "progress")
    }
    return archive._replace(**parts)


def stamped(archive: Archive, origin: str) -> Archive:
    """Returns an archive ready for transfer, with one origin on every note."""
    return archive._replace(
        notes=tuple(notes.said_by(note, origin)._replace(pinned_by="") for note in archive.notes)
    )


def _prepared(row: Record, fields: Sequence[str], latest: str) -> Record:
    kept: dict[str, Any] = {field: public_name(getattr(row, field)) for field in fields}
    kept |= {field: min(value, latest) for field, value in row._asdict().items() if field.endswith("_at")}
    return row._replace(**kept)


def batches(items: Sequence[Value]) -> Iterator[tuple[Value, ...]]:
    """Yields the items of an archive in groups, one for each transaction of a transfer."""
    rest = iter(items)
    while batch := tuple(islice(rest, BATCH)):
        yield batch


def take_in(
    archive: Archive,
    writing: Writing,
    tell: Callable[[int], None],
    at_end: Callable[[Transaction], None],
    origin: str,
) -> Imported:
    """Transfers an archive that comes from an origin into the database in short transactions; `at_end` gets the last one.

    If the database fails half-way, the error says how many notes came in before.
    """
    came = Imported()
    try:
        for some in _taken_in(archive, writing, tell, at_end, origin):
            came = sum_of((came, some))
    except Unusable as error:
        if any(came):
            raise _half_way(error, came.notes, len(archive.notes)) from error
        raise
    return came


def _half_way(error: Unusable, came: int, offered: int) -> Unusable:
    return Unusable(
        f"after {came:,} of {offered:,} notes no more came in: {error.message}",
        remedy=Remedy("import.undo", first=str(error.remedy)),
    )


def _taken_in(
    archive: Archive,
    writing: Writing,
    tell: Callable[[int], None],
    at_end: Callable[[Transaction], None],
    origin: str,
) -> Iterator[Imported]:
    """Yields, after each transaction, how much it has added."""
    ids: Ids = {}
    for batch in batches(archive.sessions):
        with writing() as tx:
            added = add_sessions(tx.unlimited, batch, origin)
        yield added
    for number, some in enumerate(batches(archive.notes)):
        entries = [entry_of(note) for note in some]
        with writing() as tx:
            added = add_notes(tx.unlimited, entries, ids)
        yield added
        tell(number * BATCH + len(some))
    for prompts in batches(archive.prompts):
        with writing() as tx:
            added = add_prompts(tx.unlimited, prompts)
        yield added
    with writing() as tx:
        added = add_rest(tx.unlimited, archive, _seen(tx, ids))
        at_end(tx)
    yield added


def _seen(tx: Transaction, ids: Ids) -> Ids:
    """The ids of the notes that a person may see: others are not theirs to relate or to revise."""
    if tx.unlimited is tx:
        return ids
    return {old: new for old, new in ids.items() if lists.get(tx, new, deleted=True)}


def add_sessions(tx: Transaction, batch: Sequence[Session], origin: str) -> Imported:
    """Transfers the sessions of an archive that the database lacks, as told by an origin; their notes are counted anew."""
    cleaned = (
        session._replace(notes=0, active_at=session.started_at, summary=redact_inside(session.summary))
        for session in batch
    )
    rows = ({**session._asdict(), "told_by": origin} for session in cleaned)
    return Imported(sessions=sum(tx.run(ADD_SESSION, row) for row in rows))


def add_notes(tx: Transaction, batch: Sequence[notes.NoteRow], ids: Ids) -> Imported:
    """Transfers the notes of an archive that the database lacks, with their own ids if free; fills `ids`."""
    added = 0
    for entry in batch:
        new = entry.note
        known = tx.rows("SELECT id FROM notes WHERE sync_id = :sync_id", {"sync_id": new.sync_id})
        if known:
            ids[new.id] = known[0][0]
            continue
        taken = _unfit(new.id) or tx.rows("SELECT 1 FROM notes WHERE id = :id", {"id": new.id})
        _ensure(tx, new.session_id, new.project, new.created_at)
        ids[new.id] = notes.add(tx, entry._replace(note=new._replace(id=0) if taken else new))
        added += 1
    return Imported(notes=added)


def _unfit(number: int) -> bool:
    """Whether an id is too large to keep: later ones count on from the highest, and must not come to an end."""
    return not 1 <= number <= MOST_AMOUNT


def add_prompts(tx: Transaction, batch: Sequence[Prompt]) -> Imported:
    """Transfers the prompts of an archive that the database lacks."""
    added = 0
    for prompt in batch:
        if tx.rows("SELECT 1 FROM prompts WHERE sync_id = :sync_id", {"sync_id": prompt.sync_id}):
            continue
        _ensure(tx, prompt.session_id, prompt.project, prompt.created_at)
        taken = _unfit(prompt.id) or tx.rows("SELECT 1 FROM prompts WHERE id = :id", {"id": prompt.id})
        values = prompt._replace(content=redact_inside(prompt.content))._asdict()
        tx.rows(sessions.ADD_PROMPT if taken else sessions.ADD_PROMPT_AS, values)
        added += 1
    return Imported(prompts=added)


def add_rest(tx: Transaction, archive: Archive, ids: Ids) -> Imported:
    """Transfers the relations, revisions and progress documents of an archive that the database lacks."""
    relations = (
        relation._replace(
            from_id=ids[relation.from_id], to_id=ids[relation.to_id], note=redact(relation.note)
        )
        for relation in archive.relations
        if relation.from_id in ids and relation.to_id in ids
    )
    revisions = (
        revision._replace(note_id=ids[revision.note_id])
        for revision in archive.revisions
        if revision.note_id in ids
    )
    return Imported(
        relations=sum(tx.run(ADD_RELATION, relation._asdict()) for relation in relations),
        revisions=sum(tx.run(ADD_REVISION, _clean(revision)._asdict()) for revision in revisions),
        progress=sum(tx.run(ADD_PROGRESS, _public(document)._asdict()) for document in archive.progress),
    )


_SEEN = {
    "sessions": "SELECT 1 FROM sessions WHERE id = :id",
    "notes": "SELECT 1 FROM notes WHERE sync_id = :sync_id",
    "prompts": "SELECT 1 FROM prompts WHERE sync_id = :sync_id",
    "progress": "SELECT 1 FROM progress WHERE project = :project AND namespace = :namespace",
}
_RELATED = "SELECT 1 FROM relations WHERE from_id = :from_id AND to_id = :to_id AND type = :type"
_REVISED = "SELECT 1 FROM revisions WHERE note_id = :note_id AND number = :number"


def preview(tx: Transaction, archive: Archive) -> Imported:
    """Returns how much the transfer of an archive would add to the database; changes nothing."""
    new = {
        name: sum(not tx.rows(sql, item._asdict()) for item in getattr(archive, name))
        for name, sql in _SEEN.items()
    }
    ids = {each.id: _number_of(tx, each.sync_id) for each in archive.notes}
    relations = (
        each._replace(from_id=ids[each.from_id], to_id=ids[each.to_id])
        for each in archive.relations
        if each.from_id in ids and each.to_id in ids
    )
    revisions = (
        each._replace(note_id=ids[each.note_id]) for each in archive.revisions if each.note_id in ids
    )
    return Imported(
        relations=sum(not tx.rows(_RELATED, each._asdict()) for each in relations),
        revisions=sum(not tx.rows(_REVISED, each._asdict()) for each in revisions),
        **new,
    )


def differing(tx: Transaction, archive: Archive) -> int:
    """Counts the notes of an archive that the database has with another text, so that no transfer brings them."""
    sql = "SELECT title, content FROM notes WHERE sync_id = :sync_id"
    found = ((each, tx.rows(sql, {"sync_id": each.sync_id})) for each in archive.notes)
    return sum(tuple(_cleaned(each))[_TEXT] != rows[0] for each, rows in found if rows)


_TEXT = slice(Note._fields.index("title"), Note._fields.index("content") + 1)


def _number_of(tx: Transaction, sync_id: str) -> int:
    rows = tx.rows("SELECT id FROM notes WHERE sync_id = :sync_id", {"sync_id": sync_id})
    return int(rows[0][0]) if rows else 0


def _clean(revision: Revision) -> Revision:
    return revision._replace(title=redact(revision.title), content=redact(revision.content))


def _public(document: Progress) -> Progress:
    return document._replace(content=redacted(document.content))


def _ensure(tx: Transaction, key: str, project: str, at: str) -> None:
    sessions.ensure_session(tx, key, project, "", now=at, known=False)


def entry_of(note: Note) -> notes.NoteRow:
    """Returns a note of an archive as a row for the transfer into the database, without secrets."""
    return notes.entry_of(_cleaned(note))


def _cleaned(note: Note) -> Note:
    return note._replace(title=redact(note.title), content=redact(note.content))


def sum_of(parts: Sequence[Imported]) -> Imported:
    """Adds up the counts of several parts of a transfer."""
    return Imported(*(sum(column) for column in zip(*parts, strict=True)))
