"""Notes use cases for the doors: open the memory, save a note, look at one note, migrate the store."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from modicum.base.config import Config
from modicum.base.errors import ModicumError, Remedy, WrongUsage
from modicum.base.near_words import nearest
from modicum.base.paths import MEMORY_FILE, POSTGRES
from modicum.memory.brief.lines import visible
from modicum.memory.engines.database import Database
from modicum.memory.gate.standing import LOW, doubt_about, standing_of
from modicum.memory.model import (
    RELATES_TO,
    RELATION_TYPES,
    REPLACES,
    RESTATES,
    Neighbour,
    Note,
    NoteDraft,
    NotFound,
    Refused,
    Relation,
    Revision,
    Saved,
    SaveOutcome,
)
from modicum.memory.names import (
    ALL_LETTERS,
    clip,
    project_name,
    public_ids,
    public_line,
    public_number,
    public_range,
)
from modicum.memory.origins import is_program
from modicum.memory.people.access import person_named
from modicum.memory.redact import REDACTED
from modicum.memory.sections import TITLE, title_of
from modicum.memory.store import Store
from modicum.text.snippets import snippet

if TYPE_CHECKING:
    from modicum.memory.engines.copy import TableCopy
    from modicum.memory.undo.model import NamedNote

FILE = MEMORY_FILE
STORE = "modicum.store"  # in the scope of a request: the store as its caller may see it
RELATED = 2
LONGEST_TOLD = 60  # bytes of a name in a remark
LONGEST_NUMBER = 18  # digits
INBOX = "inbox"  # the setting of the gate by which all that agents save waits for a person
ALL_WAIT = "all notes of agents wait here first"
SAY_MORE = "say what later sessions should know: what, where, why"
_LINKED = {
    RESTATES: "Kept; {} says nearly the same: relate or merge them.",
    REPLACES: "Kept; it comes before {}, which it seems to replace: relate them (supersedes), or delete that one.",
}
MOST_TOLD = 10  # notes that a name fits


class SavedNote(NamedTuple):
    """A note that a door has saved: what became of the note, a suggested topic key, and remarks."""

    note: Note
    saved: Saved
    suggested_topic: str = ""
    remarks: tuple[str, ...] = ()


class NoteDetails(NamedTuple):
    """One note for the doors, with its relations, earlier wordings and connected notes."""

    note: Note
    relations: tuple[Relation, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    history: tuple[Revision, ...] = ()


class CurrentProject(NamedTuple):
    """The current project for new notes, detected from a folder, and how it was detected."""

    name: str
    folder: str
    root: str
    source: str


def current_project(folder: str = "") -> CurrentProject:
    """Returns the project that notes from a folder belong to; without a folder, the working folder's."""
    from contextlib import suppress
    from pathlib import Path

    from modicum.base.config import find_root
    from modicum.base.paths import PROJECT_FOLDER, repository_of

    inside = Path(folder) if folder else Path.cwd()
    root, source = inside, "dir_basename"
    # A folder that is named relative to somewhere else cannot be looked around in, nor one that cannot be.
    with suppress(OSError):
        root = find_root(inside, Path.home()) if inside.is_absolute() else inside
        marks = ((PROJECT_FOLDER, "config"), (".git", "git_root")) if inside.is_absolute() else ()
        source = next((word for mark, word in marks if (root / mark).exists()), source)
    remote = repository_of(str(root)) if inside.is_absolute() else ""
    return CurrentProject(
        project_name(remote or root.name), str(inside), str(root), "git_remote" if remote else source
    )


def open_store(config: Config, source: str = "") -> Store:
    """Opens the store with the notes of this user or of the team, as the config says, for a door."""
    database = open_database(config.database or str(config.data / FILE))
    return Store(database, who=person_named(config.person), source=source)


def open_database(place: str) -> Database:
    """Opens a database of notes for a door: PostgreSQL by its URL, or a SQLite file by its path."""
    if place.startswith(POSTGRES):
        from modicum.memory.engines.postgres import PostgresDatabase

        return PostgresDatabase(place)
    from modicum.memory.engines.sqlite import SqliteDatabase

    if "://" in place and not place.startswith("sqlite://"):
        kind = place.partition("://")[0]
        raise ModicumError(
            f'memory cannot be on "{kind}"', remedy="give a postgresql:// URL or the path of a file"
        )
    return SqliteDatabase(place.removeprefix("sqlite://"))


def migrate(
    source: str, target: str, *, owner: str, begin: Callable[[int], None], tell: Callable[[int], None]
) -> tuple["TableCopy", ...]:
    """Copies a store to another database, for a door; `begin` hears the total number of notes, `tell` the progress."""
    from modicum.memory.engines import copy

    if not source.startswith(POSTGRES) and not Path(source.removeprefix("sqlite://")).exists():
        raise ModicumError(
            f"{source}: there is no such file", remedy="give the path of a memory.db, or a URL"
        )
    with closing(open_database(source)) as old, closing(open_database(target)) as new:
        if old.place == new.place and source == target:
            raise ModicumError("the source is the target", remedy="give two different ones")
        begin(copy.total(old))
        return copy.migrate(old, new, owner=owner, tell=tell)


def save(
    store: Store, draft: NoteDraft, config: Config | None = None, *, known_session: bool = False
) -> SavedNote:
    """Saves a note for a door, with remarks for its author; an agent's waits in the inbox where the config says so.

    The session must be known, or is created.
    """
    from modicum.memory.topics import topic_of

    if not draft.title.strip():
        raise Refused(
            "there is nothing to save: the title is empty", remedy="say in a few words what it is about"
        )
    waits = config is not None and config.gate == INBOX and is_program(store.origin)
    if waits and not store.repeats(draft):
        saved = store.save_waiting(draft, ALL_WAIT, known_session=known_session)
    else:
        saved = store.save(draft, known_session=known_session)
    note, of_project = store.kept(saved.id)
    topic = "" if draft.topic_key else topic_of(draft.type, note.title, note.content)
    is_first = of_project == 1 and saved.outcome is SaveOutcome.CREATED
    remarks = (*_advice(store, note, saved), *_remarks(store, draft, note, is_first=is_first))
    return SavedNote(note, saved, topic, remarks)


def suggest_topic_key(kind: str, title: str, content: str) -> str:
    """Suggests to whoever saves a note at a door a topic key, under which later notes on the same matter become revisions."""
    from modicum.memory.topics import suggest_topic

    return suggest_topic(kind, title, content)


def find_note(store: Store, name: int | str, *, deleted: bool = False) -> Note:
    """Returns the note of memory that a door was told: by its public id or the first letters of it, or by its number, as in `#42`.

    Letters count among what the person may see. Where they fit several notes, one that is `deleted`, or is not, goes first.
    """
    word = str(name).strip().removeprefix("note:").lower()
    found = _named(store, word)
    fitting = [note for note in found if bool(note.deleted_at) == deleted] or found
    if not fitting:
        told = f"#{word}" if word.isdigit() else word
        raise NotFound(f"there is no note {clip(told, LONGEST_TOLD)}", remedy=Remedy("note.find"))
    if len(fitting) > 1:
        raise Refused(_several(word, fitting), remedy="give more of its letters")
    return fitting[0]


def delete_notes(store: Store, notes: Iterable[Note], *, hard: bool = False) -> tuple[Note, ...]:
    """Deletes notes for a door, all or none, and returns them; one that is deleted already is an error.

    `hard` deletes for good, also what is deleted already.
    """
    return store.delete_all([note.id for note in notes], hard=hard)


def note_numbers(store: Store, names: Iterable[str]) -> list[int]:
    """Returns the numbers of several notes of memory that a door was told; a number is taken as it is, whether there is such a note or not."""
    words = [name.strip().removeprefix("#") for name in names]
    plain = [word.isascii() and word.isdigit() and len(word) <= LONGEST_NUMBER for word in words]
    return [
        int(word) if known else find_note(store, word).id for word, known in zip(words, plain, strict=True)
    ]


def _named(store: Store, word: str) -> tuple[Note, ...]:
    number = word.removeprefix("#")
    if number.isascii() and number.isdigit():
        return tuple(filter(None, [store.get(int(number[:LONGEST_NUMBER]), deleted=True)]))
    ends = public_range(word)
    if ends is None:
        remedy = "give its id, such as n-7kq2m4, or its number, such as 42"
        raise ModicumError(f'"{clip(public_line(word), LONGEST_TOLD)}" is no note', remedy=remedy)
    return store.of_public_id(*ends)


def _several(word: str, found: Sequence[Note]) -> str:
    names = public_ids({note.id: public_number(note.sync_id) for note in found}, ALL_LETTERS)
    told = [f'{names[note.id]} "{title_of(note)}"' for note in found[:MOST_TOLD]]
    more = f" and {len(found) - MOST_TOLD} more" if len(found) > MOST_TOLD else ""
    return f"{len(found)} notes begin with {word}: {', '.join(told)}{more}"


def with_title(note: "Note | NamedNote") -> str:
    """Returns the name of a saved or changed note as every door's confirmation has it, public id and title: `n-7kq2m4 "Use WAL"`."""
    return f'{note.public_id} "{visible(snippet(note.title, TITLE))}"'


def note_fields(note: Note) -> dict[str, Any]:
    """Returns a note as doors write it as JSON: `id` is its public id, `number` the one that it has in this memory."""
    return {**note._asdict(), "id": note.public_id, "number": note.id, "pinned": bool(note.pinned)}


def relation_fields(store: Store, relations: Iterable[Relation]) -> list[dict[str, Any]]:
    """Returns relations of notes as doors write them as JSON: both ends by their public ids."""
    edges = [*relations]
    names = store.names(end for edge in edges for end in (edge.from_id, edge.to_id))
    return [edge._asdict() | {"from_id": names[edge.from_id], "to_id": names[edge.to_id]} for edge in edges]


def look(store: Store, number: int, *, depth: int = 0) -> NoteDetails:
    """Returns one note for a door, whole: its relations, earlier wordings, and connected notes to a depth."""
    found = store.get(number)
    if found is None:
        raise NotFound(f"note #{number} not found", remedy="search for it, or restore it if it was deleted")
    neighbours = store.graph(number, depth) if depth else ()
    return NoteDetails(found, store.relations(number), neighbours, store.history(number))


def _advice(store: Store, note: Note, saved: Saved) -> tuple[str, ...]:
    """What a note's author may want to do about it, in one line at most: it is kept in any case."""
    if saved.outcome is SaveOutcome.INBOX:
        return (f"It waits in the inbox until a person accepts it: {ALL_WAIT}.",)
    if saved.linked:
        return (_LINKED[saved.relation].format(store.names([saved.linked])[saved.linked]),)
    if standing_of(note) == LOW:
        return (f"Kept, but last in search: {doubt_about(note.content)} ({SAY_MORE}).",)
    return ()


def _remarks(store: Store, draft: NoteDraft, note: Note, *, is_first: bool) -> tuple[str, ...]:
    name = project_name(draft.project)
    remarks = []
    pairs = ((draft.title, note.title), (draft.content, note.content))
    if any(kept.count(REDACTED) > given.count(REDACTED) for given, kept in pairs):
        remarks.append("What is private or looks like a secret was taken out.")
    if name != draft.project:
        given = clip(public_line(draft.project), LONGEST_TOLD)
        remarks.append(f'The project "{given}" is kept as "{clip(name, LONGEST_TOLD)}".')
    if is_first and not store.project_origins(name):  # a repository says itself which project it is
        near = [similar.name for similar in store.similar_projects(name) if similar.name != name]
        remarks += [f'"{name}" is a new project. Did you mean "{near[0]}"?'] if near else []
    return tuple(remarks)


def relate(
    store: Store, one: int, other: int, kind: str = "", *, note: str = "", both: bool = False
) -> tuple[Relation, ...]:
    """Connects two notes for a door of ours; refuses a type that is not one of the known ones."""
    return store.relate(one, other, relation_type(kind), note=note, both=both)


def relation_type(text: str) -> str:
    """Returns the type of relation that somebody at a door means for two notes, without one `relates_to`; refuses unknown ones."""
    kind = text.strip().lower().replace("-", "_").replace(" ", "_") or RELATES_TO
    if kind not in RELATION_TYPES:
        near = nearest(kind, RELATION_TYPES)
        remedy = f'did you mean "{near}"?' if near else f"use one of: {', '.join(RELATION_TYPES)}"
        raise WrongUsage(f'"{clip(text.strip(), LONGEST_TOLD)}" is no type of relations', remedy=remedy)
    return kind


def unrelate(store: Store, one: int, other: int, kind: str = "") -> tuple[Relation, ...]:
    """Removes, for a door, the relations between two notes, all or those of a type; returns them."""
    ends = {one, other}
    found = tuple(
        edge
        for edge in store.relations(one)
        if {edge.from_id, edge.to_id} == ends and edge.type == (kind.strip() or edge.type)
    )
    if not found:
        names = store.names((one, other))
        raise NotFound(
            f"{names[one]} and {names[other]} have no such relation",
            remedy="show a note to see its relations",
        )
    store.unrelate(*(edge.id for edge in found))
    return found
