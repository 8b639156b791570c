"""A project with specs and a home of its own, for the tests of its use cases."""

from pathlib import Path

from modicum.app.memory.notes import open_store
from modicum.app.specs import changes
from modicum.base.config import load_config

TEXTS = {
    "describe": "Login fails for readers without a password.\n",
    "charter": "Readers want to sign in with a key.\n",
    "scope": "The pool of connections, and nothing that callers see.\n",
    "context-check": "Nothing speaks against it.\n",
    "spec": "- **NFR-001**: The login page refuses an empty password.\n",
    "clarify": "Question: which readers? Answer: all of them.\n",
    "design": "The form checks it (NFR-001).\n",
    "tasks": "- [x] T1: Check it (NFR-001; files: login.py)\n",
    "verify": "Ran the tests.\n\nVerdict: PASS\n",
}


class Place:
    """A project with its own home."""

    def __init__(self, folder: Path) -> None:
        self.home, self.root = folder, folder / "shop"
        (self.root / ".git").mkdir(parents=True)
        self.branch("main")
        self.write("docs/requirements.md", "# Requirements\n\n- **NFR-001**: Pages answer within 300 ms.\n")
        self.environment = {"HOME": str(folder), "MODICUM_HOME": str(folder / "own")}
        self.store = open_store(self.config)

    @property
    def config(self):
        return load_config(self.environment, self.root)

    def branch(self, name: str) -> None:
        (self.root / ".git" / "HEAD").write_text(f"ref: refs/heads/{name}\n")
        (self.root / ".git" / "refs" / "heads").mkdir(parents=True, exist_ok=True)
        (self.root / ".git" / "refs" / "heads" / name).write_text("0" * 40)

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def new(self, text: str = "Fix the login", kind: str = "fix", size: str = "small"):
        return changes.new_change(self.config, self.store, kind, size, text)

    def advance(self, content: str | None = None, **more):
        return changes.advance(self.config, self.store, content=content, **more)

    def finish(self, name: str = "") -> None:
        while True:
            moved = self.advance(TEXTS[changes.status(self.config, change=name).change.current], change=name)
            assert moved.advanced, moved.complaints
            if not moved.change.is_open:
                return
