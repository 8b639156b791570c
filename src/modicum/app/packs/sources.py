"""Sources of packs, use cases for the doors: add, list, update and remove folders and repositories."""

from collections.abc import Sequence

from modicum.base.config import Config
from modicum.packs import sources
from modicum.packs.sources import Source, SourceReport


def add_source(config: Config, where: str, *, ref: str = "", name: str = "") -> SourceReport:
    """Adds a source of packs for a door: installs a folder or git repository; returns what it holds."""
    return sources.add(config.data, where, environ=config.environment, ref=ref, name=name)


def list_sources(config: Config) -> tuple[Source, ...]:
    """Returns the sources of packs that the user has installed, for a door; later override earlier."""
    return sources.installed(config.data)


def update_sources(config: Config, names: Sequence[str]) -> tuple[SourceReport, ...]:
    """Updates the named sources of packs, or all, for a door; one that fails keeps what it has."""
    return tuple(sources.update(config.data, names, environ=config.environment))


def remove_source(config: Config, name: str) -> Source:
    """Removes an installed source of packs, for a door; returns the source."""
    return sources.remove(config.data, name)
