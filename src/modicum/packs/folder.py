"""Reads the files of one pack folder: regular files of a bounded size, no link out of the layer."""

import os
from pathlib import Path

from modicum.base.bounded import read_bounded
from modicum.base.typing_names import Any
from modicum.base.value import Value
from modicum.base.yaml.check import Check, Shape, YamlProblem, check


class PackFolder(Value):
    """A pack folder: its files and folders by name, in order; complaints are added to `problems`."""

    path: Path
    root: Path
    problems: list[YamlProblem]
    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    check: Check = check

    @classmethod
    def scan(cls, path: Path, root: Path, problems: list[YamlProblem], check: Check = check) -> "PackFolder":
        """Returns a pack folder with its listed entries; empty if absent, without hidden entries."""
        try:
            with os.scandir(path) as entries:
                seen = sorted((entry.name, entry.is_dir(), entry.is_file()) for entry in entries)
        except FileNotFoundError:
            seen = []
        except OSError as error:
            problems.append(YamlProblem(str(path), 0, f"cannot be read: {error.strerror}"))
            seen = []
        shown = [entry for entry in seen if not entry[0].startswith(".")]
        files = tuple(name for name, _, is_file in shown if is_file)
        folders = tuple(name for name, is_folder, _ in shown if is_folder)
        return cls(path, root, problems, files, folders, check)

    def complain(self, name: str, line: int, message: str, *, fatal: bool = True) -> None:
        """Adds a problem with one of the files in the pack folder."""
        self.problems.append(YamlProblem(str(self.path / name), line, message, fatal))

    def rows(self, name: str, shape: Shape, *, fatal: bool = False) -> Any:
        """Returns the checked content of a YAML file in the pack folder; the default if absent or broken.

        Only with `fatal` is a broken file a reason not to use the pack.
        """
        content = self._content(name, fatal=fatal) if name in self.files else b""
        if not content:
            return shape.default
        value, problems = self.check(content, shape, str(self.path / name))
        self.problems.extend(problems if fatal else map(_file_left_out, problems))
        return shape.default if value is None else value

    def text(self, name: str, *, fatal: bool = True) -> str:
        """Returns a text file of the pack folder without byte order mark; "" if absent or broken."""
        content = self._content(name, fatal=fatal) if name in self.files else b""
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            self.complain(name, line, "is not UTF-8 text (save the file as UTF-8)", fatal=fatal)
            return ""
        if (nul := content.find(b"\0")) >= 0:
            line = content.count(b"\n", 0, nul) + 1
            self.complain(name, line, "is not text: it has a NUL character", fatal=fatal)
            return ""
        return text

    def holds(self, name: str) -> bool:
        """Returns True if a path stays inside of the pack folder, links included."""
        return (self.path / name).resolve().is_relative_to(self.path.resolve())

    def _content(self, name: str, *, fatal: bool = True) -> bytes:
        path = self.path / name
        if path.is_symlink() and not (self.holds(name) or path.resolve().is_relative_to(self.root.resolve())):
            self.complain(
                name, 0, "is a link that leads out of its layer (copy the file instead)", fatal=fatal
            )
            return b""
        try:
            return read_bounded(path)
        except OSError as error:
            self.complain(name, 0, f"cannot be read: {error.strerror}", fatal=fatal)
            return b""


def _file_left_out(found: YamlProblem) -> YamlProblem:
    if not found.fatal:
        return found
    return YamlProblem(found.file, found.line, f"{found.message}: the file is left out", fatal=False)
