"""Notes in the database: saves, changes, deletes, restores and pins them."""

import os

from modicum.base.named_tuple import NamedTuple
from modicum.memory.engines.database import Transaction
from modicum.memory.gate import alikes
from modicum.memory.model import (
    DEFAULT_TYPE,
    Changes,
    Note,
    NoteDraft,
    NotFound,
    Refused,
    Revision,
    Saved,
    SaveOutcome,
)
from modicum.memory.names import (
    default_session,
    project_name,
    public_name,
    public_number,
    scope_name,
    topic_name,
)
from modicum.memory.origins import SCRIPT, rights_of
from modicum.memory.redact import REDACTED
from modicum.memory.tables.batches import forget_note
from modicum.memory.tables.sessions import ensure_session
from modicum.memory.tables.sql import assign, first, insert, select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.memory.find.index import IndexText

FIELDS = Note._fields
LIVE = "deleted_at = ''"
_KEPT = (*FIELDS[1:], "hash", "standing")
_NEXT_POSITION = "(SELECT coalesce(max(position), 0) + 1 FROM notes WHERE session_id = :session_id)"

GET = select(FIELDS, "notes", "WHERE id = :id")
GET_LIVE = select(FIELDS, "notes", "WHERE id = :id AND deleted_at = ''")

AFTER = select(FIELDS, "notes", "WHERE id > :id AND deleted_at = '' ORDER BY id LIMIT :limit")

_ADDED = (*_KEPT, "public_id", "position")
ADD = insert("notes", _ADDED, "RETURNING id").replace(":position", _NEXT_POSITION)
ADD_AS = insert("notes", ("id", *_ADDED), "RETURNING id").replace(":position", _NEXT_POSITION)
CHANGE = f"UPDATE notes SET {assign(_KEPT)} WHERE id = :id"  # noqa: S608 - from our own field names

SAME_TOPIC = """
SELECT id, content, title, coalesce(type, '') FROM notes
WHERE topic_key = :topic_key AND project = :project AND scope = :scope AND namespace = :namespace
  AND deleted_at = '' AND topic_key <> '' AND (scope <> 'personal' OR owner = :owner)
ORDER BY updated_at DESC, id DESC LIMIT 1
"""

# By the hash, which says most: `coalesce` keeps the databases from the other indexes.
SAME_NOW = """
SELECT id FROM notes
WHERE hash = :hash AND project = :project AND coalesce(created_at, '') >= :window AND deleted_at = ''
  AND coalesce(scope, '') = :scope AND coalesce(type, '') = :type AND title = :title
  AND coalesce(namespace, '') = :namespace AND (scope <> 'personal' OR owner = :owner)
ORDER BY id DESC LIMIT 1
"""

SAME_EVER = """
SELECT id FROM notes
WHERE hash = :hash AND project = :project AND deleted_at = '' AND (scope <> 'personal' OR owner = :owner) LIMIT 1
"""

# What a script has said and then somebody else says, too, is no longer a script's word alone.
SEEN_AGAIN = f"""
UPDATE notes SET duplicate_count = duplicate_count + 1, last_seen_at = :now, updated_at = :now,
  origin = CASE WHEN origin = '{SCRIPT}' THEN :origin ELSE origin END WHERE id = :id
"""  # noqa: S608 - our own words

KEEP_REVISION = """
INSERT INTO revisions (note_id, number, type, title, content, tool_name, saved_at)
SELECT id, revision_count, type, title, content, tool_name, updated_at FROM notes WHERE id = :id
ON CONFLICT (note_id, number) DO NOTHING
"""

REVISIONS = select(Revision._fields, "revisions", "WHERE note_id = :id ORDER BY note_id DESC, number DESC")

ADD_PASSAGE = """
INSERT INTO passages (id, project, audience, title, marks, length, traits, telling, body)
SELECT id, project, :audience, :title, :marks, :length, :traits, :telling, :body FROM notes WHERE id = :id
"""

REMOVE_PASSAGE = "DELETE FROM passages WHERE id = :id"
HIDE = "UPDATE notes SET deleted_at = :now, updated_at = :now WHERE id = :id AND deleted_at = ''"
SHOW = "UPDATE notes SET deleted_at = '', updated_at = :now WHERE id = :id AND deleted_at <> ''"
STOP_WAITING = "DELETE FROM waiting WHERE note_id = :id"
REMOVE = "DELETE FROM notes WHERE id = :id"


def hash_of(content: str) -> int:
    """Returns the hash of a note's content in the database, 64 bits of SHA-256: case and blanks make no difference."""
    from hashlib import sha256  # loads OpenSSL, which only a save needs

    digest = sha256(" ".join(content.split()).lower().encode()).digest()
    return int.from_bytes(digest[:8], signed=True)


def mint(kind: str) -> str:
    """Returns a new id for a note or other row in the database, unique over all machines."""
    return f"{kind}-{os.urandom(8).hex()}"


class NoteRow(NamedTuple):
    """A note as a row in the database, with what is kept beside it."""

    note: Note
    beside: dict[str, int]  # columns that follow from the note
    passage: "IndexText"
    keys: tuple[int, ...]  # by which others that are alike are found


def entry_of(note: Note) -> NoteRow:
    from modicum.memory.find.index import index_text
    from modicum.memory.gate.sameness import keys_of

    passage = index_text(note)
    return NoteRow(note, beside(note), passage, keys_of(note, passage.body))


def beside(note: Note) -> dict[str, int]:
    """Returns the columns of the table of notes that follow from a note: they go into every row that is written of it."""
    from modicum.memory.gate.standing import standing_of

    return {"hash": hash_of(note.content), "standing": standing_of(note)}


def prepare(draft: NoteDraft, *, owner: str = "", origin: str = "") -> NoteRow:
    """Prepares a draft as a row for the table of notes: redacted, names normalised. Call it before locking."""
    from modicum.memory.redact import redact

    content, title = redact(draft.content), redact(draft.title)
    _check_content(draft.content, content)
    draft = NoteDraft(*map(public_name, draft._replace(title="", content="")))
    project = project_name(draft.project)
    note = Note(
        id=0,
        sync_id=mint("obs"),
        session_id=draft.session_id or default_session(project),
        type=draft.type.strip() or DEFAULT_TYPE,
        title=title or headline(content),
        content=content,
        tool_name=draft.tool_name,
        author=draft.author,
        project=project,
        scope=scope_name(draft.scope),
        topic_key=topic_name(draft.topic_key),
        namespace=draft.namespace.strip(),
        owner=owner,
        origin=origin,
    )
    return entry_of(note)


def _check_content(given: str, left: str) -> None:
    """Refuses what cannot be kept: nothing, or nothing but secrets."""
    if any(map(str.isalnum, left.replace(REDACTED, ""))) or (left and REDACTED not in left):
        return
    if not given.strip():
        raise Refused(
            "there is nothing to save: the content is empty", remedy="say what is worth knowing later"
        )
    raise Refused(
        "there is nothing to save: nothing is left without what is private or looks like a secret",
        remedy="say where the secret is kept, never the secret itself",
    )


def headline(content: str) -> str:
    """Returns the title that the table of notes keeps for a note whose text has none."""
    from modicum.text.snippets import snippet

    return snippet(content, 60)


def save(tx: Transaction, entry: NoteRow, *, now: str, window: str, known_session: bool = False) -> Saved:
    """Saves a prepared note in the database: as a revision of its topic, a repetition, or a new note."""
    new = entry.note
    ensure_session(tx, new.session_id, new.project, new.namespace, now=now, known=known_session)
    if same := repeated(tx, entry, window=window):
        tx.run(SEEN_AGAIN, {"id": same, "now": now, "origin": new.origin})
        return Saved(same, SaveOutcome.DUPLICATE)
    if new.topic_key and (topics := tx.rows(SAME_TOPIC, new._asdict())):
        return Saved(_revise(tx, topics[0][0], entry, now=now), SaveOutcome.UPDATED)
    stamped = new._replace(last_seen_at=now, created_at=now, updated_at=now)
    return Saved(add(tx, entry._replace(note=stamped)), SaveOutcome.CREATED)


def repeated(tx: Transaction, entry: NoteRow, *, window: str) -> int:
    """Returns the number of the note in the database that a prepared one repeats word for word, 0 if it repeats none.

    Without a topic, it is one that was saved in the window, whatever its case and blanks; with a topic, it is the note of
    that topic, to the letter.
    """
    new = entry.note
    if new.topic_key:
        topics = tx.rows(SAME_TOPIC, new._asdict())
        return int(topics[0][0]) if topics and topics[0][1:] == (new.content, new.title, new.type) else 0
    same = tx.rows(SAME_NOW, {**new._asdict(), **entry.beside, "window": window})
    return int(same[0][0]) if same else 0


def add(tx: Transaction, entry: NoteRow) -> int:
    """Adds a note to the database as it is, with its own id if it has one; returns the id."""
    new = entry.note
    values = {**new._asdict(), **entry.beside, "public_id": public_number(new.sync_id)}
    ((number,),) = tx.rows(ADD_AS if new.id else ADD, values)
    if not new.deleted_at:
        _index(tx, entry._replace(note=new._replace(id=number)))
    return int(number)


def said_by(note: Note, origin: str) -> Note:
    """Returns a note for the table with the origin of its words; those of a script lose a pin that was given to others."""
    return note._replace(origin=origin, pinned=note.pinned if rights_of(origin).leads else 0)


def lock_of(number: int) -> str:
    """Returns the name to lock in the database while a row of the table of notes is changed, so that no change is lost."""
    return f"note {number}"


def locks_of(number: int, changes: Changes) -> tuple[str, ...]:
    """Returns the names to lock in the database for changes of rows in the table of notes; none means all rows."""
    elsewhere = changes._replace(title=None, content=None)
    return () if any(value is not None for value in elsewhere) else (lock_of(number),)


def _revise(tx: Transaction, number: int, entry: NoteRow, *, now: str) -> int:
    tx.hold(lock_of(number))
    old, new = require(tx, number), entry.note
    changed = old._replace(type=new.type, title=new.title, content=new.content, tool_name=new.tool_name)
    changed = changed._replace(author=new.author or old.author, last_seen_at=now)
    changed = said_by(changed, new.origin)
    _replace(tx, entry._replace(note=changed), now=now)
    return number


def _replace(tx: Transaction, entry: NoteRow, *, now: str) -> Note:
    old = entry.note
    tx.run(KEEP_REVISION, {"id": old.id})
    changed = old._replace(revision_count=old.revision_count + 1, updated_at=now)
    tx.run(CHANGE, {**changed._asdict(), **entry.beside})
    reword(tx, entry._replace(note=changed))
    return changed


def reword(tx: Transaction, entry: NoteRow) -> None:
    """Puts the new words of a row of the table of notes into the index; takes those of a deleted row out."""
    _leave_index(tx, entry.note.id)
    if not entry.note.deleted_at:
        _index(tx, entry)


def _index(tx: Transaction, entry: NoteRow) -> None:
    from modicum.memory.find.index import audience_of, marks_of

    note = entry.note
    values = {"id": note.id, "audience": audience_of(note), "marks": marks_of(note)}
    tx.run(ADD_PASSAGE, {**entry.passage._asdict(), **values})
    alikes.add(tx, note.id, entry.keys)


def _leave_index(tx: Transaction, number: int) -> None:
    tx.run(REMOVE_PASSAGE, {"id": number})
    alikes.remove(tx, number)


def update(
    tx: Transaction, number: int, changes: Changes, *, now: str, owner: str = "", origin: str = ""
) -> Note:
    """Changes a note in the database, as a new revision, and returns it; one without owner gets `owner`.

    What is worded anew gets the `origin`.
    """
    given = {name: value for name, value in changes._asdict().items() if value is not None}
    if not given:
        raise Refused("there is nothing to change", remedy="give at least one field")
    changed = Note(**{**require(tx, number)._asdict(), **_cleaned(given)})
    changed = changed._replace(owner=changed.owner or owner)
    if {"title", "content"} & given.keys():
        changed = said_by(changed, origin)
    return _replace(tx, entry_of(changed), now=now)


def rehome(tx: Transaction, number: int, project: str) -> None:
    """Moves a note in the database into a project; its text and history stay as they are."""
    entry = entry_of(require(tx, number)._replace(project=project))
    tx.run(CHANGE, {**entry.note._asdict(), **entry.beside})
    reword(tx, entry)


def _cleaned(given: dict[str, str]) -> dict[str, str]:
    from modicum.memory.redact import redact

    cleaners = {
        "title": redact,
        "content": redact,
        "project": project_name,
        "scope": scope_name,
        "topic_key": topic_name,
    }
    cleaned = {name: cleaners.get(name, public_name)(value).strip() for name, value in given.items()}
    empty = [name for name in ("title", "content", "type") if cleaned.get(name) == ""]
    if empty:
        raise Refused(f"the {empty[0]} would be empty", remedy="leave it out to keep it, or delete the note")
    return cleaned


def require(tx: Transaction, number: int) -> Note:
    """Returns a note in the database that is not deleted; raises NotFound if there is none."""
    found = first(tx.rows(GET_LIVE, {"id": number}), Note)
    if found is None:
        raise NotFound(f"note #{number} not found", remedy="search for it, or restore it if it was deleted")
    return found


def history(tx: Transaction, number: int) -> tuple[Revision, ...]:
    """Returns all revisions of a note in the database, also of a deleted one; the present one first."""
    found = first(tx.rows(GET, {"id": number}), Note)
    if found is None:
        raise NotFound(f"note #{number} not found", remedy="search for it")
    present = Revision(
        number,
        found.revision_count,
        found.type,
        found.title,
        found.content,
        found.tool_name,
        found.updated_at,
    )
    return (present, *(Revision(*row) for row in tx.rows(REVISIONS, {"id": number})))


def delete(tx: Transaction, number: int, *, hard: bool, now: str) -> bool:
    """Deletes a note in the database; returns False if there is none. Unless `hard`, it can be restored."""
    if hard:
        return _remove(tx, number)
    changed = tx.run(HIDE, {"id": number, "now": now})
    if changed:
        _leave_index(tx, number)
    return bool(changed)


def _remove(tx: Transaction, number: int) -> bool:
    """Removes a note with its history, and its words from the vocabulary."""
    removed = bool(tx.run(REMOVE, {"id": number}))
    if removed:
        forget_note(tx, number)
        tx.words.forget(tx)
    return removed


def restore(tx: Transaction, number: int, *, now: str) -> Note:
    """Restores a deleted note in the database and returns it; raises NotFound if there is none, Refused if it is not deleted."""
    if not tx.run(SHOW, {"id": number, "now": now}):
        note = require(tx, number)
        raise Refused(
            f'{note.public_id} "{note.title}" is not deleted', remedy="there is nothing to bring back"
        )
    tx.run(STOP_WAITING, {"id": number})
    found = require(tx, number)
    _index(tx, entry_of(found))
    return found


def reindex(tx: Transaction, after: int, limit: int) -> int:
    """Puts some rows of the table of notes into the index anew, those after an id; returns the last one's id, or 0."""
    rows = tx.rows(AFTER, {"id": after, "limit": limit})
    for row in rows:
        _leave_index(tx, row[0])
        _index(tx, entry_of(Note(*row)))
    return int(rows[-1][0]) if rows else 0


def capture(tx: Transaction, entry: NoteRow, *, now: str, known_session: bool) -> int | None:
    """Inserts a learning into the table of notes and returns its id; None if its project has it already."""
    new = entry.note
    if tx.rows(SAME_EVER, {**entry.beside, "project": new.project, "owner": new.owner}):
        return None
    return save(tx, entry, now=now, window=now, known_session=known_session).id
