"""Projects of memory, use cases for the doors: merge, rename, remove, join. An unknown project is an error."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from modicum.app.whose import look_of, project_named
from modicum.base.config import Config
from modicum.base.errors import Remedy
from modicum.memory.model import NotFound, ProjectMove
from modicum.memory.store import Store

MOST_NEAR = 3


class JoinedProject(NamedTuple):
    """A project that a folder was joined to, as it is shown, and how much came with the folder."""

    name: str
    moved: ProjectMove


def merge_projects(store: Store, sources: Sequence[str], into: str) -> ProjectMove:
    """Merges projects into one project for a door; returns how much was moved. Unknown ones are errors."""
    return store.merge_projects(_require(store, sources), project_named(store, into))


def rename_project(store: Store, old: str, new: str) -> ProjectMove:
    """Renames a project for a door, to a name that is free; returns how much was moved."""
    (found,) = _require(store, [old])
    return store.rename_project(found, new)


def remove_project(store: Store, name: str) -> ProjectMove:
    """Removes a project without notes for a door; returns what was removed with the project."""
    (found,) = _require(store, [name])
    return store.remove_project(found)


def join_project(store: Store, config: Config, name: str) -> JoinedProject:
    """Joins the folder of a door's user to a project of memory, with the notes that were saved in the folder.

    From then on every folder with one of its keys belongs to that project, too.
    """
    (found,) = _require(store, [name])
    seen = look_of(store, config)
    moved = store.join_project(seen, found)
    return JoinedProject(store.shown_projects().get(found, found), moved)


def _require(store: Store, names: Sequence[str]) -> list[str]:
    """Returns the projects with these names; refuses one that there is not."""
    known = {each.name for each in store.projects()}
    return [_known(store, known, project_named(store, name)) for name in names]


def _known(store: Store, known: Collection[str], name: str) -> str:
    if name in known or store.progress(name) is not None:
        return name
    near = [f'"{similar.name}"' for similar in store.similar_projects(name)][:MOST_NEAR]
    remedy = f"did you mean {' or '.join(near)}?" if near else Remedy("project.list")
    raise NotFound(f'there is no project "{name}"', remedy=remedy)
