"""Which project of memory a screen is about, and which ones there are to choose from."""

from collections.abc import Sequence

from modicum.app.whose import EVERY_PROJECT, parse_project, project_of
from modicum.base.config import Config
from modicum.memory.store import Store


def project_shown(store: Store, config: Config | None, named: str = "") -> str:
    """Returns the project whose notes the workbench shows: the named one, or a usual one; "" for all."""
    return parse_project(store, None, named or _own_project(store, config) or EVERY_PROJECT)


def _own_project(store: Store, config: Config | None) -> str:
    """The project of the server, if it has notes; for somebody who sees only some projects, the latest of them."""
    known, who = store.stats().projects, store.who
    if who.seen_projects:
        return known[0] if known else ""
    name = project_of(store, config) if config and not who.token else ""
    return name if name in known else ""


def projects_to_choose(store: Store, project: str) -> Sequence[str]:
    """Returns the projects to choose from, the latest first, with the one that is shown."""
    found = store.stats().projects
    return found if project in ("", *found) else (project, *found)
