"""Copies what agent programs read of a folder and a home into a throw-away folder, under the same paths."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from modicum.base.value import Value
from modicum.targets.live.programs import (
    ELSEWHERE,
    IN_FOLDERS,
    IN_HOME,
    NAMES,
    ROOT_MARKS,
    SETTINGS,
    KeptSettings,
    Launch,
    kept,
    merged,
    names_in,
)  # fmt: skip

MOST_BYTES = 4 * 1024 * 1024  # of one file; Claude Code reads no larger one
MOST_FILES = 2_000
_IMPORT = re.compile(r"(?:^|\s)@((?:[^\s\\]|\\ ){1,300})")
_AROUND = "`'\"()[]<>,;:*_"


class ThrowawayCopy(Value):
    """A throw-away copy of what programs read: its top, the folder and the home in it, and each file's text by its own path."""

    top: Path
    folder: Path
    home: Path
    root: Path  # of the project: the nearest folder upward with .git, else the folder
    files: Mapping[str, str]


class _Copying:
    """Copies files once each, links as links, and follows what they import."""

    def __init__(self, top: Path, home: Path, *, servers: bool) -> None:
        self.top, self.home, self.servers = top, home, servers
        self.files: dict[str, str] = {}
        self.names: set[str] = set()  # of further instruction files, as settings have them

    def place(self, path: Path) -> Path:
        return self.top / path.relative_to(path.anchor)

    def file(self, path: Path, under: Path | None = None) -> None:
        target = under or self.place(path)
        if os.path.lexists(target) or len(self.files) >= MOST_FILES or not _is_small_file(path):
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink() and under is None:
            real = path.resolve()
            target.symlink_to(os.path.relpath(self.place(real), target.parent.resolve()))
            self.file(real)
            return
        data = path.read_bytes()
        target.write_bytes(data)
        self.files[str(path)] = data.decode("utf-8", "replace")
        for imported in self.imports(path, self.files[str(path)]):
            self.file(imported)

    def imports(self, path: Path, text: str) -> Iterator[Path]:
        for found in _IMPORT.finditer(text):
            name = found[1].replace("\\ ", " ")
            for each in dict.fromkeys((name, name.partition("#")[0], name.strip(_AROUND))):
                if each:
                    found_at = self.home / each[2:] if each.startswith("~/") else path.parent / each
                    yield Path(os.path.normpath(found_at))

    def pattern(self, folder: Path, pattern: str) -> None:
        try:
            found = sorted(folder.glob(pattern))
        except (ValueError, NotImplementedError, OSError):  # an absolute or malformed pattern
            return
        for each in found:
            self.file(Path(os.path.normpath(each)))

    def settings(self, rule: KeptSettings, path: Path, target: Path) -> None:
        whole = _read_settings(path, rule.format)
        found = kept(whole, (*rule.reading, *(rule.servers if self.servers else ())))
        self.names.update(names_in(found))
        if found:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_written(found, rule.format), encoding="utf-8", newline="\n")


def copied(
    folder: Path, home: Path, top: Path, environment: Mapping[str, str], *, servers: bool = False
) -> ThrowawayCopy:
    """Makes a throw-away copy of instruction files, their imports and settings about reading; with `servers`, servers and hooks too."""
    folder, home, top = folder.resolve(), home.resolve(), top.resolve()
    work = _Copying(top, home, servers=servers)
    chain = [each for each in (*reversed(folder.parents), folder) if each != Path(each.anchor)]
    for each in (work.place(folder), work.place(home)):
        each.mkdir(parents=True, exist_ok=True)
    for rule in SETTINGS:
        for each in chain:
            work.settings(rule, each / rule.path, work.place(each) / rule.path)
        work.settings(rule, _at_home(rule.path, home, environment), work.place(home) / rule.path)
    for each in chain:
        _copy_folder(work, each)
    _copy_home(work, home, environment)
    root = next((each for each in reversed(chain) if (each / ".git").exists()), folder)
    return ThrowawayCopy(top, work.place(folder), work.place(home), work.place(root), work.files)


def in_the_way(top: Path) -> Path | None:
    """Returns a file above a throw-away folder that programs in it would read as well, or a repository around it, or None."""
    for folder in top.resolve().parents:
        try:
            inside = sorted(folder.iterdir())
        except OSError:
            continue
        found = (each for each in inside if each.name == ".git" or each.name.lower() in NAMES)
        more = (folder / name for name in IN_FOLDERS if "*" not in name and (folder / name).is_file())
        for each in (*found, *more):
            return each
    return None


def prepare_home(copy: ThrowawayCopy, launch: Launch) -> None:
    """Writes what a program needs for its start into the home of a throw-away copy, beside what is there."""
    for name, settings in launch.settings.items():
        path = copy.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        own = _read_settings(path, "jsonc")
        whole = merged(own if isinstance(own, dict) else {}, settings)
        path.write_text(json.dumps(whole), encoding="utf-8", newline="\n")
    for name, lines in launch.lines.items():
        path = copy.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(lines)


def _copy_folder(work: _Copying, folder: Path) -> None:
    for mark in ROOT_MARKS:
        if (folder / mark).exists():
            _make_root(work.place(folder) / mark)
    wanted = NAMES | {name.lower() for name in work.names}
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return
    for each in inside:
        if each.name.lower() in wanted:
            work.file(each)
    for pattern in (*IN_FOLDERS, *work.names):
        work.pattern(folder, pattern)


def _copy_home(work: _Copying, home: Path, environment: Mapping[str, str]) -> None:
    for pattern in IN_HOME:
        first = pattern.partition("/")[0]
        source = _at_home(first, home, environment)
        if source == home / first:
            work.pattern(home, pattern)
            continue
        for each in sorted(source.glob(pattern.partition("/")[2])):
            work.file(each, work.place(home) / first / each.relative_to(source))
    for name in work.names:
        if name.startswith("~/"):
            work.pattern(home, name[2:])


def _at_home(path: str, home: Path, environment: Mapping[str, str]) -> Path:
    """Where a file of the home is: some programs' folders can be moved by a variable."""
    first, _, rest = path.partition("/")
    moved = environment.get(ELSEWHERE.get(first, ""), "")
    return Path(moved) / rest if moved else home / path


def _make_root(mark: Path) -> None:
    """An empty repository, without running git."""
    mark.mkdir(parents=True, exist_ok=True)
    if mark.name == ".git":
        for inner in ("objects", "refs"):
            (mark / inner).mkdir(exist_ok=True)
        (mark / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8", newline="\n")


def _is_small_file(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size <= MOST_BYTES and os.access(path, os.R_OK)
    except OSError:
        return False


def _read_settings(path: Path, format: str) -> object:
    """The settings in a file; nothing where it cannot be read: the program would say so itself."""
    from modicum.base.errors import ModicumError
    from modicum.targets.settings import editing

    try:
        return editing.read(path.read_text(encoding="utf-8"), format)
    except (OSError, ValueError, ModicumError):
        return {}


def _written(settings: Mapping[str, object], format: str) -> str:
    if format == "toml":
        return "".join(f"{key} = {_toml(value)}\n" for key, value in settings.items())
    return json.dumps(settings)


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
