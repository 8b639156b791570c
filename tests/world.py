"""A throw-away home and project in which tests run modicum as a person would. The fixture is in conftest.py."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from modicum.cli.main import main
from modicum.targets.bounds.model import hash_of

# Nothing of the machine that runs the tests: neither its tools nor its clipboard.
ENVIRONMENT = {"PATH": "/nonexistent", "LANG": "C.UTF-8", "TERM": "dumb"}


@dataclass(frozen=True)
class Said:
    """What a run said, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.out)
        return value

    def page(self, tool: str, path: str = "") -> dict[str, Any]:
        """The page of a tool, or the one of its pages whose path ends like this; "clipboard" is the one without."""
        pages = [page for page in self.json["pages"] if page["tool"] == tool]
        found = [page for page in pages if (page["path"] or "clipboard").endswith(path)]
        return found[0]


class World:
    """A home, a project in it that is a git repository, and nothing else."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.home, self.project = folder / "home", folder / "home" / "project"
        (self.project / ".git").mkdir(parents=True)
        self.patch, self.capsys = monkeypatch, capsys
        monkeypatch.chdir(self.project)
        monkeypatch.setattr(
            "modicum.cli.output.has_terminal", lambda: True
        )  # a person types what a test runs
        for name in list(os.environ):
            if name not in ("PYTEST_CURRENT_TEST", "COVERAGE_PROCESS_START"):
                monkeypatch.delenv(name)
        for name, value in {**ENVIRONMENT, "HOME": str(self.home)}.items():
            monkeypatch.setenv(name, value)

    def modicum(self, *arguments: str) -> Said:
        self.capsys.readouterr()
        code = main(arguments)
        said = self.capsys.readouterr()
        return Said(code, said.out, said.err)

    def inject(self, *arguments: str) -> Said:
        """Inject, told as JSON."""
        return self.modicum("inject", "--json", *arguments)

    def write(self, path: str, text: str | bytes) -> Path:
        """A file of the project, or of the home folder if the path starts with ~/."""
        file = self.path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def path(self, path: str) -> Path:
        return self.home / path[2:] if path.startswith("~/") else self.project / path

    def read(self, path: str) -> str:
        return self.path(path).read_bytes().decode()

    def pack(
        self, name: str, context: str = "", constraints: str = "", header: str = "", **files: str
    ) -> None:
        """A pack of the project."""
        folder = f".modicum/packs/{name}"
        texts = {"context.md": context, "constraints.md": constraints}
        named = {f"{stem}.{'md' if stem == 'preamble' else 'yaml'}": text for stem, text in files.items()}
        for file, text in {**texts, **named}.items():
            if text:
                self.write(f"{folder}/{file}", text)
        self.write(f"{folder}/pack.yaml", f"id: {name}\n{header}")

    def rule(self) -> None:
        """One rule of the user's own, for tests that need a page and are about something else."""
        self.write("~/.config/modicum/packs/mine/pack.yaml", "id: mine\n")
        self.write("~/.config/modicum/packs/mine/constraints.md", "1. Ask first.\n")

    def starters(self) -> None:
        """The starter packs, turned on in every project of this home."""
        self.write("~/.config/modicum/config.yaml", "use: [git, modicum, reviews, testing]\n")

    def only(self, *packs: str) -> tuple[str, ...]:
        """The flags for these packs alone."""
        return tuple(flag for name in packs for flag in ("--include", name))

    def adapter(self, name: str, keys: str = "", targets: str = "", *, layer: str = ".modicum") -> None:
        """A tool, or keys over those of a tool; to those of the project its user agrees."""
        file = self.write(f"{layer}/adapters/{name}.yaml", f"id: {name}\n{keys}{targets}")
        if layer == ".modicum":
            self.agree_to(file)

    def agree_to(self, *adapters: Path) -> None:
        """Agrees to these very files, as the variable of CI does, and to no others."""
        codes = " ".join(hash_of(file.read_bytes()) for file in adapters)
        known = os.environ.get("MODICUM_AGREED_ADAPTERS", "")
        self.patch.setenv("MODICUM_AGREED_ADAPTERS", f"{known} {codes}")

    def files(self, *, state: bool = False) -> dict[str, bytes]:
        """Every file in the home folder by its path, with what modicum keeps for itself only if asked for."""
        ours = self.home / ".local"
        paths = (path for path in self.home.rglob("*") if path.is_file() and not path.is_symlink())
        return {
            path.relative_to(self.home).as_posix(): path.read_bytes()
            for path in paths
            if state or not path.is_relative_to(ours)
        }
