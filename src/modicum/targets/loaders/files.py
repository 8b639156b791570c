"""The files that AI tools may read in a project: texts, parsed settings and links, as one value. Pure.

Paths are relative to the project's root, with forward slashes: `sub/AGENTS.md`, `../CLAUDE.md` above the root, and
`~/.codex/AGENTS.md` in the home folder.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from posixpath import normpath

from modicum.base.named_tuple import NamedTuple
from modicum.base.value import NOTHING, Value, replace


class ProjectFiles(Value):
    """The instruction files and settings of a project, of the folders above it and of the home folder."""

    texts: Mapping[str, str] = NOTHING
    settings: Mapping[str, object] = NOTHING  # what settings files hold, by path
    links: Mapping[str, str] = NOTHING  # files that are links, and the file that each one means
    is_repository: bool = True
    root: str = ""  # the absolute path of the project, for settings that name files by such paths
    repository: str = ""  # the root of the repository, if it is above the project: `..`, `../..`
    main: str = ""  # of a worktree inside its repository: the root of that one, such as `../../..`

    def with_text(self, path: str, text: str) -> "ProjectFiles":
        """Returns the files with another text for one of them; a link changes the file that it means."""
        return replace(self, texts={**self.texts, self.links.get(path, path): text})

    def with_setting(self, path: str, keys: tuple[str, ...], value: object) -> "ProjectFiles":
        """Returns the files that a loader is told of, with a value set in one of the settings files among them."""
        return replace(
            self, settings={**self.settings, path: _with_value(self.settings.get(path), keys, value)}
        )

    def setting(self, path: str, keys: tuple[str, ...]) -> object:
        """Returns the value at some keys of a settings file that a loader looks into; None if there is none."""
        found = self.settings.get(path)
        for key in keys:
            found = found.get(key) if isinstance(found, Mapping) else None
        return found

    def real(self, path: str) -> str:
        """Returns which of the files that a loader is told of a link means; of any other file the path itself."""
        return self.links.get(path, path)

    def text(self, path: str) -> str | None:
        """Returns the text of one of the files that a loader is told of, or of the file that a link means; None if there is none."""
        return self.texts.get(self.links.get(path, path))


def _with_value(found: object, keys: tuple[str, ...], value: object) -> object:
    if not keys:
        return value
    held = found if isinstance(found, Mapping) else {}
    return {**held, keys[0]: _with_value(held.get(keys[0]), keys[1:], value)}


def joined(folder: str, name: str) -> str:
    """Returns the path of a file in a folder of the project, without `.` and with `..` resolved."""
    if name.startswith(("~/", "/")) or not folder or folder == ".":
        return _tidy(name)
    return _tidy(f"{folder}/{name}")


def _tidy(path: str) -> str:
    if path.startswith("~/"):
        return "~/" + normpath(path[2:])
    return normpath(path)


def folder_of(path: str) -> str:
    """Returns the folder of a project's file that a loader may read; the empty text for the root."""
    return path.rpartition("/")[0]


def is_below(path: str, folder: str) -> bool:
    """Returns True if a file that a loader is told of is in a folder or below it; the empty text is the project's root, `..` the one above."""
    if folder and not folder.endswith(".."):
        return path.startswith(f"{folder}/")
    return not path.startswith(("~/", "/")) and path.count("../") <= folder.count("..")


def first_twins(files: ProjectFiles) -> dict[str, str]:
    """Returns, for each of the files that a loader is told of, the first one that has the same text."""
    first: dict[str, str] = {}
    return {path: first.setdefault(text, path) for path, text in files.texts.items()}


def steps_up(folder: str) -> tuple[str, ...]:
    """Returns the folders from one that is above the project down to the project's root, such as `../..` and `..`."""
    count = folder.count("..")
    return tuple("/".join([".."] * number) for number in range(count, 0, -1))


class SimpleGlob(NamedTuple):
    """A loader's glob with one star at the end of a folder, as most rules have it; it needs no pattern."""

    lead: str
    tail: str
    is_deep: bool  # `**/`: in folders below, too

    def match(self, path: str) -> bool:
        """Returns True if a loader's glob names this path among the files that it is told of."""
        if not (path.startswith(self.lead) and path.endswith(self.tail)):
            return False
        inner = path[len(self.lead) : len(path) - len(self.tail)]
        return len(path) >= len(self.lead) + len(self.tail) and (self.is_deep or "/" not in inner)


@lru_cache(maxsize=256)
def glob_pattern(glob: str) -> re.Pattern[str] | SimpleGlob:
    """Returns a loader's glob as a pattern for paths of the files that it is told of: `*` stays within a folder, `**/` is any number of them."""
    lead, deep, tail = glob.partition("**/*") if "**/*" in glob else glob.partition("*")
    if not set(lead + tail) & set("*?"):
        return SimpleGlob(lead, tail, is_deep=deep == "**/*")
    parts = (_within_folder(part) for part in glob.split("**/"))
    return re.compile(r"\A" + "(?:.*/)?".join(parts) + r"\Z", re.DOTALL)


def _within_folder(glob: str) -> str:
    return ".*".join(map(_in_name, glob.split("**")))


def _in_name(glob: str) -> str:
    return "[^/]*".join(re.escape(piece).replace(r"\?", "[^/]") for piece in glob.split("*"))
