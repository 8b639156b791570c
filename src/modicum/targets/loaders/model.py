"""The model of a loader: the files that an AI tool reads at its start, in order, with conditions and limits. Pure."""

import re
from collections.abc import Iterable

from modicum.base.value import Value

FOLDERS = ("home", "root", "folder", "between", "down", "up", "parent", "above")
OUTSIDE = ("folder", "above", "none")
ORDERS = ("folders", "names", "paths")
PICKS = ("all", "first", "filled", "name")
IMPORTS = ("none", "behind", "inline", "after")
LINKS = ("once", "apart", "none")
IMPORTED_ONCE = ("run", "file", "chain", "below")
DROPS = ("front-matter", "comments", "all-comments", "twins", "copies")
SETTING_FOLDERS = ("folder", "root", "down", "above")
UNITS = ("bytes", "chars")


class SettingKey(Value):
    """A value in a tool's settings on which its loader depends: the files that may hold it, and its keys there.

    `folders`: where the files are, if not at home: in the `folder` that the tool is started in, in the `root`, in all
    folders `down` from the root of a repository, or so without one (`above`). Later files win over earlier ones, or lists are put together (`merge`).
    """

    paths: tuple[str, ...]
    keys: tuple[str, ...]
    folders: str = "folder"
    merge: bool = False


class ReadCondition(Value):
    """A condition of a loader: a key in a file's front matter that decides if it is read at the start, or only later.

    Of several conditions the first whose key is there decides.
    """

    key: str
    always: tuple[str, ...] = ()  # the values with which the file is read at the start
    absent: bool = True  # a file without the key may be read at the start


class ReadRule(Value):
    """One rule of a loader: which files are read from which folders, when, and what of them arrives.

    `folders`: `home`; the project's `root`; the `folder` that the tool is started in; those `between` the two; all `down`
    from the root to the folder, or `up`; the same from the `parent` of the root, or from all folders `above` it. Rules
    that follow each other with the same folders are one walk. `order`: folder by folder, name by name, or by path.
    `pick`: all of the files; in each folder the first one, or the first that is `filled`; or the first name that is found
    in any of the folders.
    """

    folders: str
    files: tuple[str, ...] = ()
    home: str = ""  # a folder at home that is read before the others, or as the only one
    outside: str = "folder"  # without a repository: the `folder` alone, those `above` it, too, or `none`
    order: str = "folders"
    pick: str = "all"
    names: SettingKey | None = None  # a setting that replaces the names
    more: SettingKey | None = None  # a setting that adds names, after the others
    own_tree: bool = False  # in a worktree inside its repository: not the folders of that repository above it
    unless: tuple[str, ...] = ()  # not read if any of the folders has one of these, with content
    conditional: tuple[ReadCondition, ...] = ()
    imports: str = "none"
    within: str = (
        ""  # imports and links of globs lead to files below the `folder` only; else to files of the project
    )
    drops: tuple[str, ...] = ()
    trim: bool = True
    links: str = "once"  # a link is the file that it means, a file `apart` from it, or not read (`none`)
    limit: str = ""  # the name of the limit that the file counts for
    since: str = ""
    until: str = ""
    needs: str = ""  # a condition that files cannot tell, such as a trusted folder


class ReadLimit(Value):
    """A limit of a loader on all the files that count for it together, or on each of them."""

    name: str
    unit: str
    most: int
    each: bool = False
    setting: SettingKey | None = None  # replaces the number
    whole: bool = False  # a file that is too large is not read at all
    feature: str = ""  # the limit holds for this feature of the tool alone


class ReadingSetting(Value):
    """A setting of a tool that makes its loader read more: another name in a list of files, or a larger limit."""

    path: str
    format: str
    keys: tuple[str, ...]
    add: str = ""  # the name that is added to the list
    names: tuple[str, ...] = ()  # the list that holds where there is none
    raises: str = ""  # or the limit that is raised
    if_there: bool = False  # only where the user has a file of the name that is added
    needs: str = ""  # a condition that files cannot tell


class Loader(Value):
    """The loader of one AI tool: its rules in order, its limits, and where the facts come from."""

    rules: tuple[ReadRule, ...] = ()
    limits: tuple[ReadLimit, ...] = ()
    settings: tuple[ReadingSetting, ...] = ()
    imported_once: str = "file"  # in the whole `run`, in each top `file`, or on each `chain` of imports
    any_case: bool = False  # AGENTS.md may also be spelt agents.md
    depth: int = 5  # how deep imports are followed
    excludes: SettingKey | None = None  # a setting with globs of files that are not read
    source: str = ""

    @property
    def versions(self) -> tuple[str, ...]:
        """Returns one version of the tool for each way in which its loader reads, oldest first; the empty text is the oldest."""
        known = {rule.since for rule in self.rules} | {rule.until for rule in self.rules}
        return ("", *sorted(known - {""}, key=version_key))


def version_key(version: str) -> tuple[int, ...]:
    """Returns the numbers with which a version of a loader's tool begins, so that two of them can be compared."""
    numbers = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, numbers[0].split("."))) if numbers else ()


def holds_in(rule: ReadRule, version: str) -> bool:
    """Returns True if a rule of a loader holds in a version of its tool."""
    at = version_key(version)
    return (not rule.since or at >= version_key(rule.since)) and (
        not rule.until or at < version_key(rule.until)
    )


def names_in(value: object) -> tuple[str, ...]:
    """Returns the file names that a setting holds for a loader: a text or a list of texts."""
    if isinstance(value, str):
        return (value,)
    return tuple(name for name in value if isinstance(name, str)) if isinstance(value, Iterable) else ()
