"""What can be done with memory beside reading it as a page: opening it, keeping a note, looking at one."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from modicum.config import Config
from modicum.errors import ModicumError
from modicum.memory.access import Person
from modicum.memory.database import Database
from modicum.memory.model import (
    Draft,
    Neighbour,
    NotFound,
    Observation,
    Outcome,
    Query,
    Relation,
    Revision,
    Saved,
)
from modicum.memory.names import project_name
from modicum.memory.redact import REDACTED, redact
from modicum.memory.store import Store
from modicum.places import MEMORY_FILE, POSTGRES

if TYPE_CHECKING:
    from modicum.memory.migrating import Copied

FILE = MEMORY_FILE
STORE = "modicum.store"  # in the scope of a request: the store as its caller may see it
RELATED = 2


class Kept(NamedTuple):
    """A note that was saved: what became of it, a topic under which the next one could replace it, and remarks."""

    saved: Saved
    suggested_topic: str = ""
    remarks: tuple[str, ...] = ()


class Look(NamedTuple):
    """One observation with all that hangs on it."""

    observation: Observation
    relations: tuple[Relation, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    history: tuple[Revision, ...] = ()


class Project(NamedTuple):
    """The project around a folder, and how it was found."""

    name: str
    folder: str
    root: str
    source: str


def current_project(folder: str = "") -> Project:
    """The project that a folder is in; without one, the folder that we were started in."""
    from contextlib import suppress
    from pathlib import Path

    from modicum.config import find_root
    from modicum.places import PROJECT_FOLDER, repository_of

    inside = Path(folder) if folder else Path.cwd()
    root, source = inside, "dir_basename"
    # A folder that is named relative to somewhere else cannot be looked around in, nor one that cannot be.
    with suppress(OSError):
        root = find_root(inside, Path.home()) if inside.is_absolute() else inside
        marks = ((PROJECT_FOLDER, "config"), (".git", "git_root")) if inside.is_absolute() else ()
        source = next((word for mark, word in marks if (root / mark).exists()), source)
    remote = repository_of(str(root)) if inside.is_absolute() else ""
    return Project(
        project_name(remote or root.name), str(inside), str(root), "git_remote" if remote else source
    )


def open_store(config: Config) -> Store:
    """The memory of this user, or of the team."""
    return Store(open_database(config.database or str(config.data / FILE)), who=Person(config.person))


def open_database(place: str) -> Database:
    """A database by its URL, or a file by its path."""
    if place.startswith(POSTGRES):
        from modicum.memory.postgres import PostgresDatabase

        return PostgresDatabase(place)
    from modicum.memory.sqlite import SqliteDatabase

    if "://" in place and not place.startswith("sqlite://"):
        kind = place.partition("://")[0]
        raise ModicumError(
            f'memory cannot be on "{kind}"', remedy="give a postgresql:// URL or the path of a file"
        )
    return SqliteDatabase(place.removeprefix("sqlite://"))


def migrate(
    source: str, target: str, *, owner: str, begin: Callable[[int], None], tell: Callable[[int], None]
) -> tuple["Copied", ...]:
    """Copy a store; `begin` hears how much there is to do, and `tell` how much was done just now."""
    from modicum.memory import migrating

    if not source.startswith(POSTGRES) and not Path(source.removeprefix("sqlite://")).exists():
        raise ModicumError(
            f"{source}: there is no such file", remedy="give the path of a memory.db, or a URL"
        )
    with closing(open_database(source)) as old, closing(open_database(target)) as new:
        if old.place == new.place and source == target:
            raise ModicumError("the source is the target", remedy="give two different ones")
        begin(migrating.total(old))
        return migrating.migrate(old, new, owner=owner, tell=tell)


def save(store: Store, draft: Draft) -> Kept:
    """Keep a note, and say what its author should know of it."""
    from modicum.memory.topics import suggest_topic

    saved = store.save(draft)
    topic = "" if draft.topic_key else suggest_topic(draft.type, draft.title, draft.content)
    return Kept(saved, topic, _remarks(store, draft, saved))


def look(store: Store, number: int, *, depth: int = 0) -> Look:
    """An observation, whole, with its relations, its earlier wordings, and what is connected to it up to a depth."""
    found = store.get(number)
    if found is None:
        raise NotFound(
            f"observation #{number} not found", remedy="search for it, or restore it if it was deleted"
        )
    neighbours = store.graph(number, depth) if depth else ()
    return Look(found, store.relations(number), neighbours, store.history(number))


def _remarks(store: Store, draft: Draft, saved: Saved) -> tuple[str, ...]:
    name = project_name(draft.project)
    remarks = []
    if any(redact(text).count(REDACTED) > text.count(REDACTED) for text in (draft.title, draft.content)):
        remarks.append("What is private or looks like a secret was taken out.")
    if name != draft.project:
        remarks.append(f'The project "{draft.project}" is kept as "{name}".')
    if name and saved.outcome is Outcome.CREATED and store.count(Query(project=name)) == 1:
        near = [similar.name for similar in store.similar_projects(name) if similar.name != name]
        remarks += [f'"{name}" is a new project. Did you mean "{near[0]}"?'] if near else []
    return tuple(remarks)
