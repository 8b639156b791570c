"""Sources of packs, use cases for the doors: those that the user has installed, and those that a project names."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from modicum.app.config_file import edit_config
from modicum.base.config import Config, NamedSource
from modicum.base.errors import ModicumError
from modicum.base.value import Value, replace
from modicum.packs import project_sources, sources
from modicum.packs.model import Source, SourceReport
from modicum.packs.project_sources import ProjectPlace
from modicum.targets.settings.editing import add_item, remove_entry, set_entry


class ListedSource(Value):
    """A source of packs in a list for a door, with whose it is: the user's or the project's."""

    source: Source
    of_project: bool


def add_source(config: Config, where: str, *, ref: str = "", name: str = "") -> SourceReport:
    """Adds a source of packs for a door: installs a folder or git repository; returns what it holds."""
    return sources.add(config.data, where, environ=config.environment, ref=ref, name=name)


def list_sources(config: Config) -> tuple[ListedSource, ...]:
    """Returns the sources of packs of the user, and those that the project names, for a door; later override earlier."""
    own = (ListedSource(source, of_project=False) for source in sources.installed(config.data))
    return (*own, *(ListedSource(source, of_project=True) for source in sources_of_project(config)))


def update_sources(config: Config, names: Sequence[str], ref: str | None = None) -> tuple[SourceReport, ...]:
    """Updates the named sources of packs, or all, for a door; one that fails keeps what it has.

    A name means the project's source, if it has one. With a ref, the sources are moved to it.
    """
    own, shared = sources.installed(config.data), sources_of_project(config)
    for name in names:
        sources.named_source(name, (*own, *shared))
    of_project = [source for source in shared if not names or source.name in names]
    taken = {source.name for source in of_project}
    of_user = [
        source.name for source in own if source.name not in taken and (not names or source.name in names)
    ]
    first = sources.update(config.data, of_user, environ=config.environment, ref=ref) if of_user else ()
    return (*first, *(_updated(config, source, ref) for source in of_project))


def _updated(config: Config, source: Source, ref: str | None) -> SourceReport:
    wanted = source.ref if ref is None else ref
    try:
        report = project_sources.fetch_newest(place_of(config), source, wanted)
    except (ModicumError, OSError) as error:
        return SourceReport(source, failed=str(error))
    if wanted != source.ref:
        _edit_project(config, ("sources", source.name, "ref"), wanted)
    project_sources.lock_sources(place_of(config), config.sources, report.source)
    return report


def add_to_project(config: Config, where: str, *, ref: str = "", name: str = "") -> SourceReport:
    """Makes a git repository a source of the project, for a door: names it in the config file and locks its commit.

    Whoever adds a location has agreed to it.
    """
    location = sources.location_of(where)
    written = _as_written(config, where, location)
    name = name or sources.derived_name(location)
    if any(each.name == name for each in config.sources):
        raise ModicumError(f'this project has a source "{name}" already', remedy="choose another with --name")
    place = replace(place_of(config), agreed=frozenset((location,)))
    named = NamedSource(name, written, ref)
    (source,) = project_sources.resolved(place, [named])
    report = project_sources.fetch_newest(place, source, ref)
    agree(config, [location])
    _edit_project(config, ("sources", name), {"location": written} | ({"ref": ref} if ref else {}))
    project_sources.lock_sources(place, (*config.sources, named), report.source)
    return report


def _as_written(config: Config, where: str, location: str) -> str:
    """The location for the config file: a relative path stays one, from the project's root on, for others have another."""
    if where == location or not Path(location).is_dir() or Path(where).is_absolute():
        return location
    return Path(os.path.relpath(location, config.root.resolve())).as_posix()


def remove_source(config: Config, name: str) -> Source:
    """Removes a source of packs, for a door: the project's, if it has one of that name, or the user's; returns it."""
    for named in config.sources:
        if named.name == name:
            edit_config(
                config, config.project_file, lambda text: remove_entry(text, "yaml", ("sources", name))
            )
            rest = [each for each in config.sources if each != named]
            project_sources.lock_sources(place_of(config), rest)
            return Source(name, named.location, named.ref, "", config.project)
    return sources.remove(config.data, name)


def _edit_project(config: Config, keys: tuple[str, ...], value: object) -> None:
    edit_config(config, config.project_file, lambda text: set_entry(text, "yaml", keys, value).text)


def agree(config: Config, locations: Iterable[str]) -> Config:
    """Keeps, for a door, in the user's own config that projects may take packs from these sources; returns the new configuration."""
    found = [sources.location_of(location, config.root) for location in locations]

    def edit(text: str) -> str:
        for location in found:
            text = add_item(text, "yaml", ("agreed_sources",), location).text
        return text

    edit_config(config, config.user_file, edit)
    return replace(config, agreed_sources=(*config.agreed_sources, *found))


def place_of(config: Config) -> ProjectPlace:
    """Returns, for a door, where the sources of packs of its project are, with the locations that the user has agreed to."""
    own = (source.location for source in sources.installed(config.data))
    agreed = frozenset((*config.agreed_sources, *own))
    return ProjectPlace(config.root, config.project, config.data, config.environment, agreed)


def sources_of_project(config: Config) -> tuple[Source, ...]:
    """Returns the sources of packs that the project of a door's configuration names, with the commits of its lock."""
    return project_sources.resolved(place_of(config), config.sources) if config.sources else ()


def unusable_sources(config: Config) -> list[tuple[Source, str]]:
    """Returns, for a door, the sources of packs of its project that cannot be used now, each with a sentence that says why."""
    return [*project_sources.unusable(place_of(config), sources_of_project(config))]


def sources_to_agree_to(config: Config) -> list[tuple[Source, str]]:
    """Returns the sources of the project that are not here, and from whose locations the user has not agreed to take packs."""
    agreed = place_of(config).agreed
    return [(source, why) for source, why in unusable_sources(config) if source.location not in agreed]


def fetch_sources(config: Config) -> list[SourceReport]:
    """Copies, for a door, the sources of packs of its project that are not here; the user must have agreed to them."""
    place = place_of(config)
    wanted = [source for source, _ in project_sources.unusable(place, sources_of_project(config))]
    for source in wanted:
        if source.location in place.agreed and not source.commit:
            raise ModicumError(
                next(why for _, why in project_sources.unusable(place, [source])),
                remedy=f"write it: modicum source update {source.name}",
            )
    return [project_sources.fetch_locked(place, source) for source in wanted]
