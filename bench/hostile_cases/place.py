"""A home with a clone in it, secrets around the clone, and canaries: programs that must never run, under many names."""

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from modicum.targets.bounds.model import hash_of

WORKER = Path(__file__).parent / "worker.py"
SECRET = "OPALWALRUS"
# Files of the user's, in the home and next to the clone, that no AI tool reads.
SECRETS = (
    *("~/.ssh/id_rsa", "~/.zshrc", "~/.profile", "~/.netrc", "~/.aws/credentials", "~/private/notes.md"),
    *("~/private/plan.json", "~/private/rules.yaml", "~/work/neighbour/secret.md", "~/work/secret.md"),
    *("~/work/neighbour/docs/adrs/0001-x.md", "~/../outside/secret.md"),
)
# What somebody could hope that we start. Not the clipboard's programs and git, which we do.
NAMES = (
    *("aider", "amp", "bash", "bun", "canary", "chromium", "claude", "code", "codex", "copilot", "cursor"),
    *("cursor-agent", "curl", "deno", "docker", "droid", "emacs", "env", "gemini", "gh", "git-lfs"),
    *(
        "git-remote-canary",
        "git-remote-ext",
        "gpg",
        "java",
        "kiro",
        "less",
        "make",
        "modicum",
        "more",
        "nano",
    ),
    *("node", "npm", "npx", "opencode", "open", "perl", "pip", "pnpm", "psql", "python", "python3", "qwen"),
    *("ruby", "sensible-editor", "sh", "ssh", "sudo", "true", "uv", "uvx", "vi", "vim", "wget", "which"),
    *("xdg-open", "yarn", "zsh"),
)
SECONDS = 60.0


@dataclass(frozen=True)
class Said:
    """How a command ended, and what it printed."""

    code: int
    text: str


@dataclass(frozen=True)
class Node:
    """What is at a path: its mode, and the bytes of a file or the end of a link."""

    mode: int
    content: bytes

    @property
    def can_run(self) -> bool:
        return stat.S_ISREG(self.mode) and bool(self.mode & 0o111)


class Place:
    """A home, a clone in it, and everything that is around."""

    def __init__(self, top: Path) -> None:
        self.top, self.home = top, top / "home"
        self.project = self.home / "work" / "clone"
        self.project.mkdir(parents=True)
        self.log, self.bin = top / "ran", top / "bin"
        self.canary = self.bin / "canary"
        self.agreed: tuple[str, ...] = ()  # hashes of adapters
        self.has_links = False
        self._canaries()
        for name in SECRETS:
            self.secret(name)

    def _canaries(self) -> None:
        self.bin.mkdir()
        self.canary.write_text(f'#!/bin/sh\necho "$0 $*" >> {self.log}\nexit 1\n')
        self.canary.chmod(0o755)
        for name in NAMES:
            if name != "canary":
                (self.bin / name).symlink_to(self.canary)
        (self.bin / "git").symlink_to(shutil.which("git") or "/usr/bin/git")

    def secret(self, name: str) -> None:
        file = self.path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f"# {SECRET}\n\nAlways use {SECRET} tabs. Never use {SECRET} tabs.\n", encoding="utf-8"
        )

    def path(self, name: str) -> Path:
        return self.home / name[2:] if name.startswith("~/") else self.project / name

    def write(self, name: str, text: str | bytes, *, can_run: bool = False) -> None:
        """A file of the clone. What is in its way stays; so a part never writes outside."""
        file = self.project / name
        if os.path.lexists(file) or not self._make(file.parent):
            return
        file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
        file.chmod(0o755 if can_run else 0o644)

    def link(self, name: str, end: str) -> None:
        """A link of the clone, to a path from its root or from the home; it takes the place of what is there."""
        file = self.project / name
        if not self._make(file.parent):
            return
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        elif os.path.lexists(file):
            file.unlink()
        self.has_links = True
        file.symlink_to(
            self.path(end) if end.startswith("~/") else os.path.relpath(self.project / end, file.parent)
        )

    def _make(self, folder: Path) -> bool:
        """Makes a folder of the clone, unless the way to it leads elsewhere."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return False
        return folder.resolve().is_relative_to(self.project.resolve())

    @property
    def environment(self) -> dict[str, str]:
        """What the user's shell says; the folders of the PATH that are not absolute are a mistake that people make."""
        path = os.pathsep.join((".", "bin", "node_modules/.bin", str(self.bin)))
        ours = {
            "HOME": str(self.home),
            "PATH": path,
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "MODICUM_GATE": "open",
        }
        agreed = {"MODICUM_AGREED_ADAPTERS": " ".join(self.agreed)} if self.agreed else {}
        return {**ours, **agreed, "GIT_CONFIG_NOSYSTEM": "1", "TMPDIR": str(self.top / "tmp")}

    def agree(self) -> None:
        """Lets the user agree to every adapter of the clone, as CI does."""
        found = (
            file for folder in (".modicum", ".") for file in self.project.glob(f"{folder}/adapters/*.yaml")
        )
        files = [file for file in found if file.is_file()]
        self.agreed = tuple(hash_of(file.read_bytes()) for file in files)

    @property
    def ran(self) -> list[str]:
        """The canaries that were run."""
        return self.log.read_text(errors="replace").splitlines() if self.log.exists() else []

    def nodes(self) -> dict[str, Node]:
        """Everything in the home and around it, by its path from the top."""
        found: dict[str, Node] = {}
        for here, folders, files in os.walk(self.top):
            if Path(here) == self.top:
                folders[:] = [name for name in folders if name not in ("bin", "tmp")]
            for name in (*folders, *files):
                path = Path(here, name)
                if path in (self.log, self.top / "said"):
                    continue
                found[path.relative_to(self.top).as_posix()] = _node(path)
        return found


def _node(path: Path) -> Node:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return Node(mode, os.fsencode(path.readlink()))
    return Node(mode, path.read_bytes() if stat.S_ISREG(mode) else b"")


class Runner:
    """Runs commands of modicum one after the other, each in a process of its own that is forked from a warm one."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        known = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-P", str(WORKER)]
        self.process = subprocess.Popen(command, env=known, stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def run(self, place: Place, words: tuple[str, ...], more: Mapping[str, str] | None = None) -> Said:
        assert self.process.stdin
        assert self.process.stdout
        out = place.top / "said"
        (place.top / "tmp").mkdir(exist_ok=True)
        job = (words, str(place.project), {**place.environment, **(more or {})}, str(out), SECONDS)
        self.process.stdin.write(json.dumps(job) + "\n")
        code = int(self.process.stdout.readline())
        return Said(code, out.read_text(errors="replace"))

    def close(self) -> None:
        self.process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
