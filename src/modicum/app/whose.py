"""Whose notes these are: which project of memory a door asks about, by the reader's folder or by a name that was given."""

from collections.abc import Sequence
from contextlib import suppress

from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.memory.model import Refused
from modicum.memory.projects.folder import folder_keys, root_commit
from modicum.memory.projects.keys import FolderKeys, keys_in
from modicum.memory.projects.rows import Look, only_one
from modicum.memory.store import Store

EVERY_PROJECT = "*"


def project_of(store: Store, config: Config, name: str = "", *, writing: bool = False) -> str:
    """Returns the project for a door: the one named, or else the one that the reader's folder is in.

    `writing` makes the project of a folder that memory does not know yet.
    """
    keys = keys_of(config)
    word = name.strip() or keys.named
    return (
        project_named(store, word)
        if word
        else _of_folder(store, keys, look_of(store, config), writing=writing)
    )


def keys_of(config: Config) -> FolderKeys:
    """Returns the keys of the folder that the user of a door is in."""
    return folder_keys(str(config.here or config.root), config.environment)


def look_of(store: Store, config: Config) -> Look:
    """Looks up, for a door, which project of memory the folder of its user belongs to, and which others have a key of it."""
    folder = str(config.here or config.root)
    return store.find_project(keys_of(config), lambda: root_commit(folder, config.environment))


def project_named(store: Store, word: str, *, writing: bool = False) -> str:
    """Returns the project with a name, for a door; refuses a name that several have, and lists them with their owners.

    Hooks that use a server name their project by the keys of its folder.
    """
    if keys := keys_in(word):
        if keys.name:
            return _of_folder(store, keys, store.find_project(keys, lambda: ""), writing=writing)
        raise Refused("the folder has no name", remedy="name a project")
    return only_one(store.projects_named(word), word)


def _of_folder(store: Store, keys: FolderKeys, seen: Look, *, writing: bool) -> str:
    if not seen.id:
        return store.enter_project(seen) if writing else store.free_project(keys)
    if seen.new:
        # A folder that has got another key is found by that, too, from now on: no reason to fail where nothing can be written.
        with suppress(ModicumError):
            store.enter_project(seen)
    return seen.id


def parse_project(
    store: Store, config: Config | None, word: str, default: str = "", *, writing: bool = False
) -> str:
    """Returns the project that a word at a door names: "*" gives "" (all); no word gives the default, or the folder's."""
    named = word.strip() or default
    if named == EVERY_PROJECT:
        return ""
    if config is None:
        return project_named(store, named, writing=writing) if named else ""
    return project_of(store, config, named, writing=writing)


def projects_meant(store: Store, config: Config | None, word: str = "") -> tuple[str, ...]:
    """Returns the projects that the folder of a door's user may mean, if its own has no notes; none where one is named."""
    if config is None or word.strip() or keys_of(config).named:
        return ()
    return store.projects_meant(look_of(store, config))


def meant_line(projects: Sequence[str]) -> str:
    """Returns one line for a door that names the projects that a folder may mean, and how it joins one; "" for none."""
    if not projects:
        return ""
    named = " or ".join(f'"{each}"' for each in projects)
    return f"Notes of this folder may be in project {named}: modicum memory projects join {projects[0]}"
