"""Reads the keys of a folder: from the files of git and of the project; git itself is asked for one thing, the root commit.

This imports next to nothing, for hooks.
"""

import os
from collections.abc import Mapping
from contextlib import suppress

from modicum.base.paths import (
    CONFIG_FILE,
    PROJECT_FOLDER,
    PROJECT_VARIABLES,
    folders_of,
    home_of,
    nearest_root,
    origin_address,
    read_text,
    shared_git_folder,
)
from modicum.memory.names import project_name
from modicum.memory.projects.keys import WITHIN, FolderKeys, origin_key

MACHINE_FILE = "machine"
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


def folder_keys(folder: str, environment: Mapping[str, str]) -> FolderKeys:
    """Reads the keys of the project that a folder is in, all but the root commit; the environment may name a project instead."""
    named = next((word for name in PROJECT_VARIABLES if (word := environment.get(name, "").strip())), "")
    home, machine = home_of(environment), machine_of(folders_of(environment)[1])
    root = nearest_root(folder, home) or folder
    top = nearest_root(root, home, (".git",))
    within = os.path.relpath(root, top).replace(os.sep, "/") if top and top != root else ""
    origin = origin_key(_absolute(origin_address(top), top), machine) if top else ""
    declared = declared_name(root)
    begin = origin or f"{_base(os.path.dirname(top or root))}/{_base(top or root)}"
    address = f"{begin}/{within}" if within else begin
    owner, _, own = address.rpartition("/")
    return FolderKeys(
        project_name(declared or own),
        address if declared and origin else owner,
        declared,
        f"{origin}{WITHIN}{within}" if origin and within else origin,
        place=f"{machine}:{os.path.realpath(root)}" if machine else "",
        clone=_clone_at(top) if top else "",
        is_cloned=bool(top) and _is_cloned(top),
        named=named,
    )


def git_root_of(folder: str, environment: Mapping[str, str]) -> tuple[str, str]:
    """Returns the folder of the git repository around a folder, and the path of its project in it; both "" if there is none."""
    home = home_of(environment)
    root = nearest_root(folder, home) or folder
    top = nearest_root(root, home, (".git",))
    return top, "" if top in ("", root) else os.path.relpath(root, top).replace(os.sep, "/")


def root_commit(folder: str, environment: Mapping[str, str]) -> str:
    """Asks git for the root key of a folder's project: the first commit of its history; "" if nobody can tell."""
    top, within = git_root_of(folder, environment)
    if not top or os.path.exists(os.path.join(shared_git_folder(top), "shallow")):
        return ""
    from pathlib import Path

    from modicum.base.errors import ModicumError
    from modicum.base.git import git_in

    git = git_in(Path(top), environment)
    with suppress(ModicumError):
        found = git.run("rev-list", "--max-parents=0", "HEAD").split() if git else []
        if found:
            return f"{found[-1]}{WITHIN}{within}" if within else found[-1]
    return ""


def declared_name(root: str) -> str:
    """Returns the name that the project's config file declares; "" if it declares none."""
    file = os.path.join(root, PROJECT_FOLDER, CONFIG_FILE)
    text = read_text(file)
    line = next((line for line in text.splitlines() if line.startswith("project:")), "")
    if not line:
        return ""
    word = line.partition(":")[2].strip()
    if word and _PLAIN.issuperset(word):
        return project_name(word)
    from modicum.base.config import parse_config  # YAML takes its time, and a plain name needs none

    return project_name(parse_config(text, file).get("project", ""))


def machine_of(data: str) -> str:
    """Returns the id of this machine for keys of places, which is made once and kept in the data folder."""
    path = os.path.join(data, MACHINE_FILE)
    if found := read_text(path).strip():
        return found[:32]
    with suppress(OSError):
        os.makedirs(data, mode=0o700, exist_ok=True)
        with open(path, "x", encoding="ascii") as file:
            file.write(os.urandom(8).hex())
    return read_text(path).strip()[:32]


def _base(path: str) -> str:
    return os.path.basename(path) or path


def _absolute(address: str, top: str) -> str:
    return os.path.normpath(os.path.join(top, address)) if address.startswith(".") else address


def _clone_at(top: str) -> str:
    """What tells this clone from another in its place: git writes this file once, and nobody changes it."""
    with suppress(OSError, ValueError):
        found = os.stat(os.path.join(shared_git_folder(top), "description"))
        return f"{found.st_mtime_ns:x}.{found.st_ino:x}"
    return ""


def _is_cloned(top: str) -> bool:
    first = read_text(os.path.join(shared_git_folder(top), "logs", "HEAD")).partition("\n")[0]
    return first.partition("\t")[2].startswith("clone:")
