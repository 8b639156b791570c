"""Opens the memory store for one command and closes it in the end; names the note that a command has changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from modicum.app.memory.callers import at_terminal
from modicum.app.memory.notes import open_store, with_title
from modicum.app.whose import meant_line, projects_meant
from modicum.base.config import Config, load_config
from modicum.base.errors import ModicumError
from modicum.cli import output

if TYPE_CHECKING:
    from modicum.memory.model import Note
    from modicum.memory.store import Store


@contextmanager
def open_memory() -> Iterator[tuple[Config, "Store"]]:
    """Yields the configuration and the open memory store for one command; closes the store afterwards."""
    config = load_config()
    store = at_terminal(open_store(config, "cli"), config.environment, has_terminal=output.has_terminal())
    try:
        yield config, store
    finally:
        store.close()


@contextmanager
def open_memory_if_possible() -> Iterator[tuple[Config, "Store | None"]]:
    """Yields the configuration and the memory store for a command; None and a warning if it cannot be opened."""
    config = load_config()
    try:
        store = open_store(config, "cli")
    except ModicumError as error:
        output.warn(f"memory is left out: {error}")
        yield config, None
        return
    try:
        yield config, store
    finally:
        store.close()


def warn_of_others(config: Config, store: "Store", word: str = "") -> None:
    """Names for a command, beside what it prints, other projects in the store that a folder without notes may mean."""
    if line := meant_line(projects_meant(store, config, word)):
        output.warn(line)


def say_note(note: "Note", what: str, *, as_json: bool) -> int:
    """Prints what a command of any group has done to one note in the store, named by id and title; returns the exit code 0."""
    fields = {"id": note.public_id, "number": note.id, "title": note.title}
    return output.say_result(fields, f"{with_title(note)} {what}", as_json=as_json)
