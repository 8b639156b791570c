"""What a folder's first use writes down, for tests that save notes by the name of its project."""

from collections.abc import Mapping
from pathlib import Path

from modicum.memory.projects.folder import folder_keys, root_commit
from modicum.memory.store import Store

NOBODY: Mapping[str, str] = {}


def enter_folder(store: Store, folder: Path, environment: Mapping[str, str] = NOBODY) -> str:
    """Writes down the keys of a folder, and returns the id of its project."""
    keys = folder_keys(str(folder), environment)
    return store.enter_project(store.find_project(keys, lambda: root_commit(str(folder), environment)))


def with_origin(folder: Path, address: str) -> Path:
    """A folder that git takes for a repository with this origin."""
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    (folder / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {address}\n')
    return folder
