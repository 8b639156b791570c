"""Sources of packs: folders and git repositories that this user has installed."""

from collections.abc import Sequence

from modicum.base.config import Config
from modicum.packs import sources
from modicum.packs.sources import Source, SourceReport


def add_source(config: Config, where: str, *, ref: str = "", name: str = "") -> SourceReport:
    """Installs a folder or a repository; returns what is in it."""
    return sources.add(config.data, where, environ=config.environment, ref=ref, name=name)


def list_sources(config: Config) -> tuple[Source, ...]:
    """The installed sources, later over earlier."""
    return sources.installed(config.data)


def update_sources(config: Config, names: Sequence[str]) -> tuple[SourceReport, ...]:
    """Brings the named sources up to date, or all of them; one that fails keeps what it has."""
    return tuple(sources.update(config.data, names, environ=config.environment))


def remove_source(config: Config, name: str) -> Source:
    """Forgets a source; returns it."""
    return sources.remove(config.data, name)
