"""The names to complete in a shell: tools, packs, profiles, sources, projects, notes, changes and settings.

Nothing is imported before a name is asked for. What cannot be read has no names: a Tab key gets no errors.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps

from click import Context, Parameter
from click.shell_completion import CompletionItem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.base.config import Config
    from modicum.memory.store import Store

MOST_NOTES = 50
WIDEST = 60  # letters of what is told beside a name

Named = Iterable[tuple[str, str]]  # a name, and what it is
Complete = Callable[[Context, Parameter, str], list[CompletionItem]]


def _completes(read: "Callable[[Config], Named]") -> Complete:
    @wraps(read)
    def complete(_: Context, __: Parameter, begun: str) -> list[CompletionItem]:
        from modicum.base.config import load_config
        from modicum.base.errors import ModicumError

        try:
            return [
                CompletionItem(name, help=_line(about))
                for name, about in read(load_config())
                if name.startswith(begun)
            ]
        except (ModicumError, OSError):
            return []

    return complete


def _line(text: str) -> str | None:
    return " ".join(text.split())[:WIDEST] or None


@_completes
def complete_tools(config: "Config") -> Named:
    """Returns the names of AI tools to complete, with the other names that they have."""
    from modicum.app.inject.load import load_knowledge

    adapters = load_knowledge(config, tools_only=True).adapters
    return [(adapter.id, adapter.name) for adapter in adapters.values()]


@_completes
def complete_packs(config: "Config") -> Named:
    """Returns the names of packs to complete, turned on or off."""
    from modicum.app.inject.load import load_library

    return [(pack.id, pack.name) for pack in load_library(config).every]


@_completes
def complete_profiles(config: "Config") -> Named:
    """Returns the names of profiles to complete."""
    from modicum.app.inject.load import load_library

    return [(profile.id, profile.name) for profile in load_library(config).profiles]


@_completes
def complete_sources(config: "Config") -> Named:
    """Returns the names of sources of packs to complete."""
    from modicum.app.packs.sources import list_sources

    return [(each.source.name, each.source.location) for each in list_sources(config)]


@_completes
def complete_projects(config: "Config") -> Named:
    """Returns the names of the projects in memory to complete."""
    from modicum.app.counted import counted

    with _memory(config) as store:
        shown = store.shown_projects() if store else {}
        found = store.projects() if store else ()
        return [(shown.get(each.name, each.name), counted(each.notes, "note")) for each in found]


@_completes
def complete_notes(config: "Config") -> Named:
    """Returns the newest notes of the project as names to complete: their numbers."""
    from modicum.app.whose import project_of
    from modicum.memory.model import Query

    with _memory(config) as store:
        if not store:
            return []
        query = Query(project=project_of(store, config), limit=MOST_NOTES)
        return [(str(note.id), note.title) for note in store.recent(query).items]


@_completes
def complete_changes(config: "Config") -> Named:
    """Returns the names of the project's changes to complete, the latest first."""
    from modicum.app.specs.change_names import names_of_changes

    return names_of_changes(str(config.root), config.docs)


@_completes
def complete_settings(config: "Config") -> Named:
    """Returns the names of the settings to complete, which are their keys."""
    from modicum.app.config_file import SETTINGS

    return [(key, "") for key in SETTINGS]


def complete_names(ctx: Context, param: Parameter, begun: str) -> list[CompletionItem]:
    """Returns the names to complete that `modicum show` takes: notes, packs and changes."""
    sources = (complete_notes, complete_packs, complete_changes)
    return [item for complete in sources for item in complete(ctx, param, begun)]


@contextmanager
def _memory(config: "Config") -> "Iterator[Store | None]":
    """The memory if there is one: a Tab key is no reason to make it."""
    from modicum.app.memory.notes import open_store
    from modicum.base.paths import MEMORY_FILE

    if not config.database and not (config.data / MEMORY_FILE).exists():
        yield None
        return
    store = open_store(config)
    try:
        yield store
    finally:
        store.close()
