"""A home with a project in it, and hooks that are run there in this process."""

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.whose import enter_folder, with_origin

from modicum.hooks.run import HookCommand, answer_to
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft
from modicum.memory.store import Store


class Place:
    """A data folder, a project, and what hooks are told there."""

    def __init__(self, folder: Path) -> None:
        self.data, self.project = folder / "data", folder / "shop"
        with_origin(self.project, "https://github.com/acme/shop.git")
        self.environment = {"MODICUM_HOME": str(self.data), "HOME": str(folder / "home")}

    def say(self, event: str, harness: str = "claude-code", **told: object) -> str:
        """What the hook prints."""
        body = json.dumps({"session_id": "s1", "cwd": str(self.project), **told}).encode()
        return answer_to(HookCommand(event, harness), io.BytesIO(body), self.environment)

    def hear(self, event: str, harness: str = "claude-code", **told: object) -> str:
        """What the model gets of it."""
        said = self.say(event, harness, **told)
        return str(json.loads(said)["hookSpecificOutput"]["additionalContext"]) if said else ""

    def store(self) -> Store:
        found = Store(SqliteDatabase(self.data / "memory.db"))
        enter_folder(found, self.project, self.environment)
        return found

    def with_store(self, use: Callable[[Store], Any]) -> Any:
        store = self.store()
        try:
            return use(store)
        finally:
            store.close()

    def note(self, title: str, content: str = "", kind: str = "decision", project: str = "shop") -> int:
        draft = NoteDraft(title, content or title, kind, project)
        return int(self.with_store(lambda store: store.save(draft)).id)


BODY = "**What**: guard it\n### Details\n- [ ] a task\n" + "x" * 400


@contextmanager
def served_store(place: Place) -> Iterator[Store]:
    """What a server remembers: twelve notes and a session. The hooks' own data folder stays empty."""
    place.data.mkdir()
    found = place.store()
    found.start_session("old", project="shop", directory="/shop")
    for number in range(12):
        place.note(f"Note number {number}", BODY)
    found.end_session("old", "The cart is done.")
    place.environment["MODICUM_HOME"] = str(place.data.parent / "empty")
    yield found
    found.close()


def list_lines(heard: str) -> list[str]:
    return [line for line in heard.splitlines() if line.startswith("- ")]
