"""Collects from the disk the files that AI tools may read: instruction files, what they import, and settings."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from modicum.base.bounded import read_bounded
from modicum.base.errors import ModicumError
from modicum.targets.loaders.files import ProjectFiles, folder_of, joined, steps_up
from modicum.targets.loaders.imports import imports_in
from modicum.targets.loaders.model import Loader, ReadRule, SettingKey, names_in

MAX_BYTES = 10 * 1024 * 1024
_MOST_FOLDERS = 1_000
_MOST_IMPORTS = 200
_WALKED = ("down", "up", "parent", "above", "between", "folder")
# Folders that hold others' files, in which no tool is started.
_PASSED_OVER = {
    *("node_modules", "bower_components", "vendor", "third_party", "site-packages", "__pycache__"),
    *("venv", "env", "dist", "build", "target", "out", "coverage"),
}


def collect(
    root: Path, home: Path, loaders: Sequence[Loader], folders: Iterable[str] = ("",)
) -> ProjectFiles:
    """Collects the files that the loaders may read in some folders of a project, above it, and in the home folder."""
    collecting, folders = _Collecting(root, home, loaders), [*folders]
    collecting.take_settings(folders or [""])
    collecting.take_home()
    for folder in (*collecting.above, *folders):
        collecting.take_folder(folder)
    collecting.take_imports()
    return collecting.files()


def folders_with_instructions(root: Path, loaders: Sequence[Loader]) -> list[str]:
    """Collects the folders below the root that have instruction files of their own, the nearest ones first.

    At most a thousand folders are looked through, without hidden ones, those for others' packages, and other repositories.
    """
    names = {name for rule in _rules(loaders) for name in rule.files if "*" not in name and "/" not in name}
    found, queue = list[str](), [""]
    for folder in queue:
        held, inner = _listed(root / folder)
        if folder and ".git" in held:
            continue
        if folder and names & held:
            found.append(folder)
        room = _MOST_FOLDERS - len(queue)
        queue += [joined(folder, name) for name in inner[: max(0, room)]]
    return found


def _listed(folder: Path) -> tuple[set[str], list[str]]:
    """The names of files in a folder, with its `.git`, and of the folders that are worth a look."""
    files, inner = set[str](), list[str]()
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name == ".git" or not entry.is_dir(follow_symlinks=False):
                    files.add(entry.name)
                elif not entry.name.startswith(".") and entry.name not in _PASSED_OVER:
                    inner.append(entry.name)
    except OSError:
        return set(), []
    return files, sorted(inner)


def _rules(loaders: Iterable[Loader]) -> Iterator[ReadRule]:
    return (rule for loader in loaders for rule in loader.rules if rule.folders in _WALKED)


class _Collecting:
    """Gathers texts, settings and links of one project."""

    def __init__(self, root: Path, home: Path, loaders: Sequence[Loader]) -> None:
        self.root, self.home, self.loaders = str(root), str(home), loaders
        self.texts: dict[str, str] = {}
        self.settings: dict[str, object] = {}
        self.links: dict[str, str] = {}
        levels = [n for n, folder in enumerate((root, *root.parents)) if (folder / ".git").exists()]
        self.is_repository = bool(levels)
        self.repository = "/".join([".."] * levels[0]) if levels else ""
        self.main = _main_above(Path(self.root, self.repository), self.root) if levels else ""
        high = not self.is_repository or any(rule.folders in ("above", "parent") for rule in _rules(loaders))
        self.above = steps_up("/".join([".."] * len(root.parents)) if high else self.repository)[::-1]
        self.holds_home = Path(os.path.realpath(home)).is_relative_to(os.path.realpath(root))
        taking = (rule for loader in loaders if loader.any_case for rule in loader.rules)
        names = (name for rule in taking if rule.folders != "home" for name in rule.files)
        self.any_case = {name.lower(): name for name in names if not {*name} & {*"/*"}}
        self.named: dict[str, list[str]] = {}  # by home folder, or "" for folders of the project

    def take_settings(self, folders: Iterable[str]) -> None:
        """Collects the settings files that change what a tool reads, and finds the names that are looked for."""
        keys = dict.fromkeys(key for loader in self.loaders for key in _keys(loader))
        folders = (*steps_up(self.repository), *folders)
        for path in dict.fromkeys(path for key in keys for path in key.paths):
            for place in dict.fromkeys(joined(folder, path) for folder in folders):
                if (value := read_settings(self._place(place))) is not None:
                    self.settings[place] = value
        files = ProjectFiles(settings=self.settings)
        for rule in (rule for loader in self.loaders for rule in loader.rules):
            names = (*rule.files, *rule.unless, *self._from_settings(rule, files))
            if rule.folders == "home" or rule.home:
                self.named.setdefault(rule.home or "~", []).extend(names)
            if rule.folders != "home":
                self.named.setdefault("", []).extend(names)

    def _from_settings(self, rule: ReadRule, files: ProjectFiles) -> Iterator[str]:
        for key in (rule.names, rule.more):
            places = (
                place
                for path in (key.paths if key else ())
                for place in files.settings
                if place.endswith(path)
            )
            for place in places:
                yield from names_in(files.setting(place, key.keys if key else ()))

    def take_home(self) -> None:
        """Collects the instruction files in the home folder."""
        for folder in self.named:
            if folder:
                self._take_names(folder, self.named[folder])

    def take_folder(self, folder: str) -> None:
        """Collects the instruction files of one folder of the project, or of one above it."""
        self._take_names(folder, self.named.get("", []))
        if self.any_case:
            self._take_spelt_otherwise(folder)

    def _take_spelt_otherwise(self, folder: str) -> None:
        """Reads the files in a folder whose names differ by case from those that a tool takes in any case."""
        for name in sorted(_listed(Path(self._place(folder)))[0]):
            usual = self.any_case.get(name.lower(), name)
            if name != usual and not self._is_one_file(joined(folder, usual), joined(folder, name)):
                self._take(joined(folder, name))

    def _is_one_file(self, one: str, other: str) -> bool:
        """Whether two names mean one file, as they do where the system does not tell case apart."""
        try:
            return os.path.samefile(self._place(one), self._place(other))  # noqa: PTH121 (as below)
        except OSError:
            return False

    def _take_names(self, folder: str, names: Iterable[str]) -> None:
        for name in dict.fromkeys(names):
            if "*" in name:
                for path in self._globbed(folder, name):
                    self._take(path)
            else:
                self._take(joined(folder, name))

    def _globbed(self, folder: str, name: str) -> Iterator[str]:
        fixed, _, _ = name.partition("*")
        start, _, _ = fixed.rpartition("/")
        place = self._place(joined(folder, start or "."))
        if name.startswith(("/", "~")) or not os.path.isdir(place):  # noqa: PTH112 (as below)
            return
        base = Path(place)
        pattern = name[len(start) :].lstrip("/")
        for path in sorted(base.glob(pattern)):
            yield joined(joined(folder, start or "."), path.relative_to(base).as_posix())

    def _place(self, path: str) -> str:
        if path.startswith("~/"):
            return os.path.join(self.home, path[2:])  # noqa: PTH118 (a hundred paths, most of which are not there)
        return os.path.join(self.root, path)  # noqa: PTH118 (as above)

    def _take(self, path: str) -> None:
        if path in self.texts or path in self.links:
            return
        place = self._place(path)
        text = _text(place)
        if text is None:
            self._take_dangling(path, place)
            return
        real = self._real(path, place)
        if (real.startswith("../") or self.holds_home) and (at_home := self._at_home(place)) in self.texts:
            real = at_home  # a file of the home folder, which is above the project, or the project itself
        if real != path:
            self.links[path] = real
        self.texts.setdefault(real, text)

    def _take_dangling(self, path: str, place: str) -> None:
        """Keeps a link to a file of the project that is not there: whoever writes that file writes both."""
        if not os.path.islink(place):  # noqa: PTH114 (most of a hundred paths are not there)
            return
        real = self._real(path, place)
        if real != path and not real.startswith(("../", "~/")) and not os.path.lexists(self._place(real)):
            self.links[path] = real

    def _real(self, path: str, place: str) -> str:
        """The path of the file that a link means; the path itself if it is none."""
        if not Path(place).is_symlink():
            return path
        return self._short(Path(os.path.realpath(place)))

    def _at_home(self, place: str) -> str:
        """The path of a file in the home folder, as its own rules name it; the empty text if it is elsewhere."""
        target, home = Path(place).resolve(), os.path.realpath(self.home)
        return f"~/{target.relative_to(home).as_posix()}" if target.is_relative_to(home) else ""

    def _short(self, target: Path) -> str:
        for start, prefix in ((self.root, ""), (self.home, "~/")):
            if target.is_relative_to(os.path.realpath(start)):
                return prefix + target.relative_to(os.path.realpath(start)).as_posix()
        return Path(os.path.relpath(target, self.root)).as_posix()

    def take_imports(self) -> None:
        """Collects the files that instruction files import, and those that these import."""
        queue = list(self.texts)
        for path in queue:  # it grows
            for mention in imports_in(self.texts[path]):
                inner = joined(folder_of(path), mention.path)
                if inner in self.texts or mention.path.startswith("/") or len(queue) > _MOST_IMPORTS:
                    continue
                self._take(inner)
                queue += [inner] if inner in self.texts else []

    def files(self) -> ProjectFiles:
        return ProjectFiles(
            self.texts, self.settings, self.links, self.is_repository, self.root, self.repository, self.main
        )


def _main_above(top: Path, root: str) -> str:
    """The way up from a project to the repository that its worktree lies in; the empty text if it lies in none."""
    mark = top / ".git"
    text = (_text(str(mark)) or "") if mark.is_file() else ""
    stated = os.path.realpath(
        top / text.removeprefix("gitdir:").strip()
    )  # relative where git was asked for that
    main, _, name = stated.replace("\\", "/").rpartition("/.git/worktrees/")
    here = Path(os.path.realpath(root))
    return "/".join([".."] * len(here.relative_to(main).parts)) if name and here.is_relative_to(main) else ""


def _keys(loader: Loader) -> Iterator[SettingKey]:
    keys = (loader.excludes, *(limit.setting for limit in loader.limits))
    named = (key for rule in loader.rules for key in (rule.names, rule.more))
    return (key for key in (*keys, *named) if key)


def _text(path: str) -> str | None:
    try:
        return read_bounded(path, MAX_BYTES).decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return None


def read_settings(path: str) -> object:
    """Collects what a settings file holds; None if it cannot be read, in which case the tool cannot read it either."""
    text = _text(path)
    if text is None:
        return None
    try:
        if path.endswith(".toml"):
            import tomllib  # only where there is such a file

            return tomllib.loads(text)
        if path.endswith((".yml", ".yaml")):
            from modicum.targets.settings import yaml_scan  # few tools have such settings

            return yaml_scan.read(text)
        return _json(text)
    except (ValueError, ModicumError):
        return None


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        from modicum.targets.settings import jsonc  # with comments

        return jsonc.read(text)
