"""Looks at what a repository has, for lint: its files and folders, and the commands that its manifests name."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from modicum.base.bounded import read_bounded
from modicum.base.config import Config
from modicum.base.git import git_in
from modicum.text.rules.repository.manifests import MANIFESTS, CommandNames, commands_in, together
from modicum.text.rules.repository.mentions import PATH, Mention
from modicum.text.rules.repository.missing import RepositoryContent

MOST_FILES = 200_000
MOST_MANIFESTS = 200
_SECONDS = 20
_PASSED_OVER = {".git", "node_modules", "__pycache__", ".venv", "venv"}


def repository_content(config: Config, mentions: Iterable[Mention]) -> RepositoryContent:
    """Returns, for lint, what a repository has; a mentioned path counts as there if it is on the disk, or ignored by git."""
    files = set(_tracked(config) or _walked(config.root))
    named = {each.name.rstrip("/") for each in mentions if each.kind == PATH}
    present = {path for path in named if _exists(config.root, path)}
    ignored = _ignored(config, sorted(named - files - present))
    folders = {parent.as_posix() for path in files for parent in PurePosixPath(path).parents}
    paths = frozenset(files | folders | present | ignored) - {"."}
    return RepositoryContent(paths, together(_commands(config.root, files)))


def _exists(root: Path, path: str) -> bool:
    try:
        return (root / path).exists()
    except (OSError, ValueError):  # no file can have such a name
        return False


def _commands(root: Path, files: Iterable[str]) -> Iterator[CommandNames]:
    manifests = sorted(path for path in files if path.rpartition("/")[2] in MANIFESTS)
    for path in manifests[:MOST_MANIFESTS]:
        try:
            text = read_bounded(root / path).decode("utf-8", "replace")
        except OSError:
            continue
        if found := commands_in(path, text):
            yield found


def _tracked(config: Config) -> list[str]:
    """The files that git knows or would add; none without git or a repository."""
    told = _git(config, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return [path for path in told.split("\0") if path]


def _ignored(config: Config, paths: list[str]) -> set[str]:
    """The paths that git would ignore: what is made by a build, or kept private, need not be there."""
    asked = "\0".join(name for path in paths for name in (path, f"{path}/"))
    told = _git(config, "check-ignore", "-z", "--stdin", "--no-index", given=asked) if paths else ""
    return {path.rstrip("/") for path in told.split("\0") if path}


def _git(config: Config, *arguments: str, given: str = "") -> str:
    git = git_in(config.root, config.environment) if (config.root / ".git").exists() else None
    if git is None:
        return ""
    told = git.answer(*arguments, given=given.encode("utf-8", "surrogateescape"), seconds=_SECONDS)
    return told.decode("utf-8", "surrogateescape")


def _walked(root: Path) -> Iterator[str]:
    """The files below a folder that is no repository, at most a bounded number."""
    count = 0
    for here, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in _PASSED_OVER]
        inner = os.path.relpath(here, root).replace(os.sep, "/")
        for name in (*files, *folders):
            yield name if inner == "." else f"{inner}/{name}"
            count += 1
            if count >= MOST_FILES:
                return
