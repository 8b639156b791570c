"""Projects of memory, use cases for the doors: merge, rename, remove. An unknown project is an error."""

from collections.abc import Sequence

from modicum.base.errors import Remedy
from modicum.memory.model import NotFound, ProjectMove
from modicum.memory.names import project_name
from modicum.memory.store import Store

MOST_NEAR = 3


def merge_projects(store: Store, sources: Sequence[str], into: str) -> ProjectMove:
    """Merges projects into one project for a door; returns how much was moved. Unknown ones are errors."""
    _require(store, sources)
    return store.merge_projects(sources, into)


def rename_project(store: Store, old: str, new: str) -> ProjectMove:
    """Renames a project for a door, to a name that is free; returns how much was moved."""
    _require(store, [old])
    return store.rename_project(old, new)


def remove_project(store: Store, name: str) -> ProjectMove:
    """Removes a project without notes for a door; returns what was removed with the project."""
    _require(store, [name])
    return store.remove_project(name)


def _require(store: Store, names: Sequence[str]) -> None:
    known = {each.name for each in store.projects()}
    for name in map(project_name, names):
        if name not in known and store.progress(name) is None:
            near = [f'"{similar.name}"' for similar in store.similar_projects(name)][:MOST_NEAR]
            remedy = f"did you mean {' or '.join(near)}?" if near else Remedy("project.list")
            raise NotFound(f'there is no project "{name}"', remedy=remedy)
