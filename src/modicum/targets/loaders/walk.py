"""Finds the files that a loader names, in the order in which the tool reads them, and those that it passes over. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from modicum.base.named_tuple import NamedTuple
from modicum.base.value import Value
from modicum.targets.loaders.dropped_text import kept_spans
from modicum.targets.loaders.files import ProjectFiles, glob_pattern, is_below, joined, steps_up
from modicum.targets.loaders.front_matter import is_read_at_start
from modicum.targets.loaders.model import Loader, ReadRule, SettingKey, holds_in, names_in

Folders = tuple[str, ...]


class Unread(NamedTuple):
    """A passage of a file that a walk through a tool's files passes over, and why.

    `kind`: `hidden` by another file, `excluded` by a setting, read `later`, a `twin` of another file, `cut` by a limit, or
    `dropped` from a file that is read.
    """

    path: str
    start: int
    end: int
    why: str
    kind: str = "hidden"

    @property
    def is_cut(self) -> bool:
        """Returns True if a loader passes over the passage because it is behind a limit of the tool."""
        return self.kind == "cut"


class NamedFile(NamedTuple):
    """A file that a walk finds: the rule of a loader that names it, and the path under which it is found."""

    path: str
    rule: ReadRule


class StartFolder:
    """The folder that a walk starts in, with a version of a tool: which rules hold there, for which folders and settings."""

    def __init__(self, loader: Loader, folder: str = "", version: str = "") -> None:
        self.loader, self.folder = loader, folder
        self.down = tuple(_down(folder))
        rules = [rule for rule in loader.rules if holds_in(rule, version)]
        self.walks = [(*group,) for _, group in groupby(rules, key=_walk_of)]
        self._known_walks: dict[tuple[str, ...], list[tuple[Folders, tuple[ReadRule, ...]]]] = {}
        self._known_paths: dict[tuple[Folders, tuple[str, ...]], list[tuple[str, str, str]]] = {}

    def walks_in(self, files: ProjectFiles) -> list[tuple[Folders, tuple[ReadRule, ...]]]:
        """Returns the walks of a tool: its rules in groups with the same folders, with these folders in the order of reading."""
        above = _above(files)
        key = (files.repository if files.is_repository else "outside", *above)
        if key not in self._known_walks:
            self._known_walks[key] = [
                (self._folders(rules[0], files, tuple(above)), rules) for rules in self.walks
            ]
        return self._known_walks[key]

    def _folders(self, rule: ReadRule, files: ProjectFiles, above: Folders) -> Folders:
        if rule.folders == "home":
            return (rule.home or "~",)
        if rule.outside == "none" and not files.is_repository:
            return ()
        down = self._down_in(files)
        if rule.folders == "above" or (rule.outside == "above" and not files.is_repository):
            down = (*above, *self.down)
        elif rule.folders == "parent" and files.is_repository:
            down = (joined(down[0], ".."), *down)
        parts = {"root": down[:1], "folder": (self.folder,), "between": down[-2:0:-1], "up": down[::-1]}
        found = parts.get(rule.folders, down)
        return (rule.home, *found) if rule.home else found

    def _down_in(self, files: ProjectFiles) -> Folders:
        """The folders from the root of the repository down; without a repository the folder alone."""
        return (*steps_up(files.repository), *self.down) if files.is_repository else (self.folder,)

    def paths(self, folders: Folders, names: tuple[str, ...]) -> list[tuple[str, str, str]]:
        """Returns the paths that a walk tries: every folder with every name, and the path of that name in it."""
        key = (folders, names)
        if key not in self._known_paths:
            self._known_paths[key] = [
                (folder, name, joined(folder, name)) for folder in folders for name in names
            ]
        return self._known_paths[key]

    def setting(self, key: SettingKey | None, files: ProjectFiles) -> object:
        """Returns the value that a tool's setting has in the folder where its walk starts; None if it is not set."""
        if key is None or not files.settings:
            return None
        down = self._down_in(files)
        root = (files.repository,)
        folders = {"folder": (self.folder,), "root": root, "down": down, "above": self.down}[key.folders]
        places = dict.fromkeys(path for _, _, path in self.paths(folders, key.paths))
        ordered = sorted(places, key=lambda path: not path.startswith("~/"))
        values = [value for path in ordered if (value := files.setting(path, key.keys)) is not None]
        if key.merge:
            return tuple(dict.fromkeys(name for value in values for name in names_in(value)))
        return values[-1] if values else None


def _walk_of(rule: ReadRule) -> tuple[object, ...]:
    by_itself = rule if rule.order == "names" else None
    return rule.folders, rule.home, rule.outside, rule.order, by_itself


def _above(files: ProjectFiles) -> list[str]:
    known = [path for path in (*files.texts, *files.links) if path.startswith("../")]
    return sorted({path[: path.rindex("../") + 2] for path in known}, key=len, reverse=True)


def _down(folder: str) -> Iterator[str]:
    yield ""
    steps = folder.split("/") if folder else []
    for count in range(1, len(steps) + 1):
        yield "/".join(steps[:count])


class FileWalk(Value):
    """A walk through some files: those that a loader names, in order, and those that it passes over."""

    named: tuple[NamedFile, ...]
    unread: tuple[Unread, ...]


def walk(start: StartFolder, files: ProjectFiles) -> FileWalk:
    """Walks through the files that a tool reads, in order and each once, without imports; returns also those it passes over."""
    walking = _Walking(start, files)
    named = tuple(each for folders, rules in start.walks_in(files) for each in walking.along(folders, rules))
    return FileWalk(named, tuple(walking.unread))


class _Walking:
    """Walks through the folders of one project by the rules of one loader."""

    def __init__(self, start: StartFolder, files: ProjectFiles) -> None:
        self.start, self.files, self.loader = start, files, start.loader
        links = [path for path, real in files.links.items() if real in files.texts]
        self.known = {**files.texts, **dict.fromkeys(links, "")} if links else files.texts
        self.spelt = {path.lower(): path for path in self.known} if self.loader.any_case else {}
        excluded = names_in(start.setting(self.loader.excludes, files))
        self.excluded = [glob_pattern(glob) for glob in excluded]
        self.met: set[tuple[bool, str]] = set()
        self.unread: list[Unread] = []

    def along(self, folders: Folders, rules: Sequence[ReadRule]) -> list[NamedFile]:
        """Returns the files that a walk finds along some folders, by the rules for these, in their order."""
        rows = [(rule, row) for rule in rules if (row := self._picked(rule, folders))]
        found = [
            (name, NamedFile(path, rule))
            for folder in folders
            for rule, row in rows
            for name, path in row.get(folder, ())
        ]
        order = rules[0].order
        if found and order == "names":
            names = self._names(rules[0])
            found.sort(key=lambda pair: names.index(pair[0]))
        new = [named for _, named in found if self._is_new(named)]
        return sorted(new, key=lambda named: named.path) if order == "paths" else new

    def _is_new(self, named: NamedFile) -> bool:
        if named.rule.links == "none" and named.path in self.files.links:
            self._pass_over(named.path, "it is a link, and links are skipped")
            return False
        apart = named.rule.links == "apart"
        key = apart, named.path if apart else self.files.real(named.path)
        if key in self.met:
            return False
        self.met.add(key)
        kind, why = self._kept_out(named.rule, named.path)
        if kind:
            self._pass_over(named.path, why, kind)
        return not kind

    def _pass_over(self, path: str, why: str, kind: str = "hidden") -> None:
        length = len(self.files.text(path) or "")
        self.unread.append(Unread(self.files.real(path), 0, length, why, kind))

    def _picked(self, rule: ReadRule, folders: Folders) -> dict[str, list[tuple[str, str]]]:
        """The names and paths that a rule picks in each folder, for folders that have any."""
        if rule.own_tree and self.files.main:
            kept = steps_up(self.files.repository)
            folders = tuple(f for f in folders if f in kept or f not in steps_up(self.files.main))
        names = self._names(rule)
        rows: dict[str, list[tuple[str, str]]] = {}
        for folder, name, path in self.start.paths(folders, names):
            for each in self._matching(rule, path) if "*" in name else self._spelt(path):
                rows.setdefault(folder, []).append((name, each))
        if rows and rule.unless and (other := self._switch(rule, folders)):
            self._leave((path for row in rows.values() for _, path in row), other)
            return {}
        if rule.pick == "all" or not rows:
            return rows
        if rule.pick == "name":
            held = {name for row in rows.values() for name, _ in row}
            first = next(name for name in names if name in held)
            return {folder: self._only(row, first) for folder, row in rows.items()}
        return {folder: self._first(rule, row) for folder, row in rows.items()}

    def _only(self, row: Iterable[tuple[str, str]], first: str) -> list[tuple[str, str]]:
        row = [*row]
        self._leave((path for name, path in row if name != first), first)
        return [pair for pair in row if pair[0] == first]

    def _first(self, rule: ReadRule, row: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        filled = (pair for pair in row if self._has_content(rule, pair[1]))
        first = next(filled, row[0]) if rule.pick == "filled" else row[0]
        self._leave((path for _, path in row if path != first[1]), first[1])
        return [first]

    def _leave(self, paths: Iterable[str], other: str) -> None:
        for path in paths:
            self._pass_over(path, f"it is not read beside {other}")

    def _switch(self, rule: ReadRule, folders: Folders) -> str:
        """The file that keeps the files of a rule from being read; a file at home does not."""
        named = (path for _, _, path in self.start.paths(folders, rule.unless))
        others = (each for path in named for each in (self._matching(rule, path) if "*" in path else (path,)))
        counting = (path for path in others if not self.files.real(path).startswith("~/"))
        return next((path for path in counting if self._has_content(rule, path)), "")

    def _names(self, rule: ReadRule) -> tuple[str, ...]:
        if rule.names is None and rule.more is None:
            return rule.files
        named = names_in(self.start.setting(rule.names, self.files)) or rule.files
        more = names_in(self.start.setting(rule.more, self.files))
        return (*named, *(name for name in more if name not in named))

    def _spelt(self, path: str) -> tuple[str, ...]:
        """The path as the file is really named, if there is such a file."""
        if path in self.known:
            return (path,)
        spelt = self.spelt.get(path.lower()) if self.spelt else None
        return (spelt,) if spelt else ()

    def _matching(self, rule: ReadRule, glob: str) -> list[str]:
        begin, matches = glob.partition("*")[0].partition("?")[0], glob_pattern(glob).match
        found = [
            path for path in self.known if path.startswith(begin) and matches(path)
        ]  # most begin otherwise
        return [path for path in sorted(found) if not self._leads_out(rule, path)]

    def _leads_out(self, rule: ReadRule, path: str) -> bool:
        """Whether a file is a link that a rule does not follow, such as one that leads out of the folder."""
        if path not in self.files.links:
            return False
        outside = rule.within == "folder" and not is_below(self.files.real(path), self.start.folder)
        return outside or rule.links == "none"

    def _has_content(self, rule: ReadRule, path: str) -> bool:
        text = self.files.text(path)
        if not text or self._kept_out(rule, path)[0]:
            return False
        return any(text[start:end].strip() for start, end in kept_spans(text, 0, len(text), rule.drops))

    def _kept_out(self, rule: ReadRule, path: str) -> tuple[str, str]:
        if self.excluded:
            whole = joined(self.files.root, path)
            if any(pattern.match(whole) for pattern in self.excluded):
                return "excluded", "a setting of the tool excludes it"
        if rule.conditional and not is_read_at_start(self.files.text(path) or "", rule.conditional):
            return "later", "it is read only together with the files that it is about"
        return "", ""
