"""What the AI tools of an inject read here: their files without ours, where ours may go, and where it is now."""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path

from modicum.app.ignored_by_git import PROBE
from modicum.base.config import Config
from modicum.base.typing_names import Any
from modicum.base.value import NOTHING, Value, replace
from modicum.targets.loaders.carriers import IMPORT, PAGE, SETTING, Carrier, ToolReader
from modicum.targets.loaders.collect import collect, folders_with_instructions
from modicum.targets.loaders.files import ProjectFiles, folder_of, glob_pattern, is_below, joined
from modicum.targets.loaders.ignored import ignored_files
from modicum.targets.loaders.model import Loader, ReadingSetting, ReadRule, names_in
from modicum.targets.loaders.reading import (
    LoaderInFolder,
    Reading,
    limit_in_force,
    measured,
    most_of,
    reading,
)
from modicum.targets.model import Adapter, Target
from modicum.targets.other_projects import other_projects
from modicum.targets.plan import OURS, ROOM_WAS_MADE
from modicum.text.regions import Orphan, region_names, region_of, take_region

LEAST_BYTES = 1_000  # what a page needs at least; with less, there is no room for it
SUB_FOLDER = "a/sub/folder"  # stands for any folder that has no instruction files of its own
_OFTEN_NAMED = ("AGENTS.md", "CLAUDE.md")  # what settings name, if they name other files
_ROOM = 32_768  # the step in which a limit is raised


class Surroundings(Value):
    """What an inject finds around the pages for their readers: the user's files without ours, and the carriers that are there."""

    files: ProjectFiles
    present: tuple[Carrier, ...]
    folders: tuple[str, ...]
    broken: frozenset[str] = frozenset()  # settings files that cannot be read, and so not be changed
    ignored: Mapping[str, str] = (
        NOTHING  # files that git ignores, each with the pattern of a .gitignore, if one says so
    )
    everything: ProjectFiles = ProjectFiles()  # the user's files with those that are not committed
    is_theirs: Callable[[str], bool] = lambda _: False  # of a path: it is another project's

    def has_named(self, name: str) -> bool:
        """Returns True if the user has a file of a name for readers, in the project's root or in a folder below."""
        texts = self.files.texts
        there = (*texts, *(path for path, real in self.files.links.items() if real in texts))
        return any(path == name or path.endswith(f"/{name}") for path in there)

    def has_page(self, path: str) -> bool:
        """Returns True if a file that readers have carries our page already."""
        return any(carrier.path == path and carrier.kind == PAGE for carrier in self.present)


def look_around(
    config: Config,
    adapters: Sequence[Adapter],
    scope: str,
    sections: Collection[str],
    wires: Iterable[Mapping[str, Any]] = (),
    not_ours: Container[str] = (),
) -> Surroundings:
    """Returns the user's own files that the readers of a scope have, and which carriers of ours are there.

    `sections` are the names of regions that hold pages; `wires` the records of settings that an earlier inject changed;
    `not_ours` the files that were there before our region, and may be empty without it.
    """
    loaders = [adapter.reads for adapter in adapters if adapter.reads]
    nested = folders_with_instructions(config.root, loaders) if scope == "project" else []
    found = collect(config.root, config.home, loaders, ("", *nested) if scope == "project" else ())
    ignored = _ignored(config, adapters, found, nested) if scope == "project" else {}
    keep = _is_personal if scope == "global" else partial(_is_shared, found.repository, ignored)
    texts = {path: text for path, text in found.texts.items() if keep(path)}
    is_theirs = other_projects(config.root)
    own, present = _without_ours(texts, sections, is_theirs, not_ours)
    rest = {path: text for path, text in found.texts.items() if path not in texts}
    private, _ = _without_ours(rest, sections, is_theirs, not_ours)
    settings, set_by_us = without_our_settings(found.settings, wires)
    everything = replace(found, texts={**own, **private}, settings=settings)
    links = {path: real for path, real in found.links.items() if keep(path)}
    coming = (real for real in links.values() if real not in found.texts and not is_theirs(real))
    shared = {path: value for path, value in settings.items() if keep(path)}
    places = {setting.path for loader in loaders for setting in loader.settings}
    return Surroundings(
        files=replace(found, texts=own, settings=shared, links=links),
        present=(*present, *set_by_us),
        folders=(*dict.fromkeys(("", *nested, *map(folder_of, coming), SUB_FOLDER)),)
        if scope == "project"
        else ("",),
        broken=frozenset(path for path in places - {*found.settings} if _has_text(config.root / path)),
        ignored=ignored,
        everything=everything,
        is_theirs=is_theirs,
    )


def _ignored(
    config: Config, adapters: Sequence[Adapter], found: ProjectFiles, nested: Iterable[str]
) -> dict[str, str]:
    """The files of the repository that git ignores: those that are there, and those that could carry a page."""
    if not found.is_repository:
        return {}
    targets = [target for adapter in adapters for target in adapter.targets]
    inner = (joined(folder, target.path) for target in targets if target.nested for folder in nested)
    settings = (setting.path for adapter in adapters if adapter.reads for setting in adapter.reads.settings)
    paths = (
        PROBE,
        *(t.path for t in targets),
        *settings,
        *found.texts,
        *found.settings,
        *found.links,
        *inner,
    )
    inside = (path for path in paths if is_below(path, found.repository))
    return ignored_files(str(config.in_git), inside, config.environment)


def _has_text(path: Path) -> bool:
    try:
        return path.is_file() and bool(path.read_bytes().strip())
    except OSError:
        return True


def _is_personal(path: str) -> bool:
    return path.startswith("~/")


def _is_shared(repository: str, ignored: Container[str], path: str) -> bool:
    """Whether a file may decide what is committed: not those of the home folder, outside the repository, or kept private."""
    private = ".local." in path.rpartition("/")[2] or path in ignored
    return is_below(path, repository) and not private


def _without_ours(
    texts: Mapping[str, str],
    sections: Collection[str],
    is_theirs: Callable[[str], bool],
    not_ours: Container[str],
) -> tuple[dict[str, str], list[Carrier]]:
    own, present = dict[str, str](), list[Carrier]()
    for path, text in texts.items():
        # The pages of another project stay as they are.
        rest, found = (text, []) if is_theirs(path) else without_our_part(path, text, sections)
        present += found
        if rest.strip() or not found or path in not_ours:
            own[path] = rest
    return own, present


def without_our_part(path: str, text: str, sections: Collection[str]) -> tuple[str, list[Carrier]]:
    """Returns a file's text as its readers have it without what inject put into it, and the carriers that were there."""
    if text.rstrip().endswith(OURS):
        return "", [Carrier(path, PAGE, mode="replace-file")]
    found = []
    for name in region_names(text) if "modicum:" in text else ():
        region = region_of(text, name)
        if name in sections and region and not isinstance(region, Orphan):
            body = region.body.strip()
            kind, line = (IMPORT, body) if body.startswith("@") else (PAGE, "")
            top = body.startswith(ROOM_WAS_MADE)
            found.append(Carrier(path, kind, line, mode="replace-section", section=name, at_top=top))
            text = take_region(text, name)
    return text, found


def without_our_settings(
    settings: Mapping[str, object], wires: Iterable[Mapping[str, Any]]
) -> tuple[Mapping[str, object], list[Carrier]]:
    """Returns settings as their readers have them without what inject put into them, and the carriers that were there."""
    files = ProjectFiles(settings=settings)
    found = []
    for wire in wires:
        path, keys, value = wire["file"], tuple(wire["undo"]["path"]), wire["undo"]["value"]
        there = files.setting(path, keys)
        items = there if isinstance(there, list) else []
        if wire["undo"]["is_item"] and value in items:
            files = files.with_setting(path, keys, [item for item in items if item != value])
        elif there == value:
            files = files.with_setting(path, keys, None)
        else:
            continue
        found.append(Carrier(path, SETTING, keys=keys))
    return files.settings, found


def readers_of(adapters: Iterable[Adapter], around: Surroundings) -> list[ToolReader]:
    """Returns the AI tools as readers, with what placement has to know of each one whose loader is known."""
    return [
        ToolReader(adapter.id, _cases(adapter.reads, around.folders), _concerned(adapter, around))
        for adapter in adapters
        if adapter.reads
    ]


def _cases(loader: Loader, folders: Sequence[str]) -> Mapping[str, Callable[[ProjectFiles], Reading]]:
    versions = loader.versions
    distinct = [folder for folder in folders if folder != SUB_FOLDER or _differs_below(loader)]
    return {
        _case(folder, version, versions): LoaderInFolder(loader, folder, version)
        for version in reversed(versions)
        for folder in distinct
    }


def _differs_below(loader: Loader) -> bool:
    """Whether a tool that is started in a folder without instruction files can read something else than in the root."""
    keys = [key for rule in loader.rules for key in (rule.names, rule.more) if key]
    keys += [limit.setting for limit in loader.limits if limit.setting]
    return any(key.folders == "folder" for key in keys) or any(
        rule.within == "folder" or rule.folders in ("folder", "between") for rule in loader.rules
    )


def _case(folder: str, version: str, versions: Sequence[str]) -> str:
    """A case in words; the empty text is the newest version in the project's root."""
    newer = versions[versions.index(version) + 1 :]
    old = f"before version {newer[0]}" if newer else ""
    where = "in a sub folder" if folder == SUB_FOLDER else f"in {folder}" if folder else ""
    return " ".join(filter(None, (old, where)))


def _concerned(adapter: Adapter, around: Surroundings) -> Callable[[str], bool]:
    """Returns the function that tells if a change of a file can change what a tool reads."""
    loader = adapter.reads or Loader()
    keys = [key for rule in loader.rules for key in (rule.names, rule.more) if key]
    often = _OFTEN_NAMED if keys else ()
    keys += [limit.setting for limit in loader.limits if limit.setting]
    places = tuple(place.removeprefix("~/") for key in keys for place in key.paths)
    files = [path for rule in loader.rules for path in _paths_named(rule)]
    named = {carrier.path for carrier in _named(adapter, around)}
    names = {*files, *(setting.add for setting in loader.settings), *named}
    globs = [name for name in names if "*" in name]
    ends = (*places, *(f"/{name}" for name in names))
    spelt = {name.lower() for name in names}

    homes = {rule.home for rule in loader.rules if rule.home}
    at_home = {*named, *(path for rule in loader.rules for path in _paths_at_home(rule))}

    def concerns(path: str) -> bool:
        folder, _, name = path.rpartition("/")
        if path.startswith("~/") and folder not in ("~", *homes):
            # No rule for folders of projects looks into a folder at home: each tool has its own there.
            return path.endswith(places) or any(_is_at(path, known) for known in at_home)
        known = name in often or path.endswith(ends) or path.lower() in spelt
        return known or any(_ends_with(path, glob) for glob in globs)

    return concerns


def _paths_at_home(rule: ReadRule) -> Iterator[str]:
    if rule.home or rule.folders == "home":
        yield from (joined(rule.home or "~", name) for name in (*rule.files, *rule.unless))


def _is_at(path: str, name: str) -> bool:
    return bool(glob_pattern(name).match(path)) if "*" in name else path.lower() == name.lower()


def _paths_named(rule: ReadRule) -> Iterator[str]:
    """The files that a rule names: in any folder of the project, and in its folder at home."""
    for name in (*rule.files, *rule.unless):
        yield joined(rule.home, name)
        yield name


def _ends_with(path: str, name: str) -> bool:
    if "*" in name:
        glob, steps = glob_pattern(name), path.split("/")
        return any(glob.match("/".join(steps[at:])) for at in range(len(steps)))
    return path == name or path.endswith(f"/{name}") or path.lower() == name.lower()


def carriers_of(
    adapters: Iterable[Adapter],
    around: Surroundings,
    scope: str,
    *,
    equal: bool = False,
    on_top: Collection[str] = (),
) -> list[Carrier]:
    """Returns every way in which inject can bring its page to the readers, the AI tools: files, imports, and settings, each once.

    With `equal`, all pages have the same text, so that files that are twins of each other stay so. Pages `on_top` go above
    the user's text.
    """
    rows = [
        [
            *_of_targets(adapter, around, scope),
            *_of_settings(adapter, around, scope),
            *_named(adapter, around),
        ]
        for adapter in adapters
    ]
    found: dict[object, Carrier] = {}
    for carrier in filter(
        None, chain.from_iterable(zip_longest(*rows))
    ):  # what each tool likes best comes first
        found.setdefault(carrier.spot, carrier)
    # A page in a file that nobody else gets would be missed in every clone, and in a check there.
    shared = (carrier for carrier in found.values() if not around.ignored.get(carrier.path))
    ours = [carrier for carrier in shared if not around.is_theirs(around.files.real(carrier.path))]
    made = [_with_text(carrier, "page") if equal else carrier for carrier in ours]
    return [replace(c, at_top=True) if c.kind == PAGE and c.path in on_top else c for c in made]


def _with_text(carrier: Carrier, text: str) -> Carrier:
    return replace(carrier, text=text.ljust(LEAST_BYTES, ".")) if carrier.kind == PAGE else carrier


def _of_targets(adapter: Adapter, around: Surroundings, scope: str) -> Iterator[Carrier]:
    for target in adapter.targets:
        if target.scope != scope or target.globs or not adapter.reads:
            continue
        wanted = joined(folder_of(target.path), target.import_path) if target.import_path else target.path
        if target.if_there and not around.has_named(wanted) and not around.has_page(wanted):
            continue
        if any(target.path.startswith(f"{path}/") for path in around.files.texts):
            continue  # the user has a file of that name, such as .clinerules
        yield carrier_of(target)
        if target.nested:
            nested = (folder for folder in around.folders if folder not in ("", SUB_FOLDER))
            yield from (carrier_of(replace(target, path=joined(folder, target.path))) for folder in nested)


def _named(adapter: Adapter, around: Surroundings) -> Iterator[Carrier]:
    """The files in the project's root that the user's settings name for a tool, whether they are there or not."""
    rules = adapter.reads.rules if adapter.reads else ()
    for key in filter(None, (key for rule in rules for key in (rule.names, rule.more))):
        for path in key.paths:
            for name in names_in(around.files.setting(path, key.keys)):
                if name.endswith(".md") and "/" not in name and "*" not in name:
                    yield carrier_of(Target("project", name, "replace-section"))


def carrier_of(target: Target) -> Carrier:
    """Returns, for inject, the carrier that a target is for its readers; a page stands for itself with a text of its least size."""
    if target.mode == "refer":
        return Carrier(target.path, IMPORT, f"@{target.import_path}")
    lead = f"{target.preamble}\n" if target.preamble and target.mode == "replace-file" else ""
    return replace(_with_text(Carrier(target.path), f"{target.copy_of or target.path} "), lead=lead)


def _of_settings(adapter: Adapter, around: Surroundings, scope: str) -> Iterator[Carrier]:
    settings = adapter.reads.settings if adapter.reads and scope == "project" else ()
    usable = (each for each in settings if each.path not in around.broken)
    for setting in (each for each in usable if not each.if_there or around.has_named(each.add)):
        value = _new_value(adapter.reads, setting, around) if adapter.reads else None
        if value is not None:
            there = around.files.setting(setting.path, setting.keys)
            item = setting.add if there else ""
            yield Carrier(setting.path, SETTING, item, setting.keys, value, setting.needs)


def _new_value(loader: Loader, setting: ReadingSetting, around: Surroundings) -> object:
    """What a setting should hold; None if it does already, or cannot without a loss."""
    there = around.files.setting(setting.path, setting.keys)
    if setting.raises:
        return _raised(loader, setting.raises, around) if there is None else None
    if there is not None and not isinstance(there, list | tuple):
        return None
    names = names_in(there) if there is not None else setting.names
    return [*names, setting.add] if setting.add not in names else None


def _raised(loader: Loader, name: str, around: Surroundings) -> int | None:
    used = max(reading(loader, around.files, folder).used.get(name, 0) for folder in around.folders)
    limit = next(limit for limit in loader.limits if limit.name == name)
    if used + LEAST_BYTES <= most_of(limit, None):
        return None
    return (used + 2 * _ROOM - 1) // _ROOM * _ROOM


def rooms(
    adapter: Adapter, files: ProjectFiles, path: str, folders: Sequence[str]
) -> Iterator[tuple[str, int, int]]:
    """Yields the room that a reader has for a page beside everything else that it reads: unit of a limit, what is left, limit."""
    loader = adapter.reads
    names = {path, *(link for link, real in files.links.items() if real == path)}
    for limit in loader.limits if loader else ():
        if limit.feature or limit.whole or loader is None:
            continue
        used = [reading(loader, files, folder).used.get(limit.name, 0) for folder in folders]
        here = measured(files.text(path) or "", limit.unit)
        most = limit_in_force(files, limit)
        if any(counts_for(loader, limit.name, name) for name in names):
            yield limit.unit, most - (here if limit.each else max(used)), most


def counts_for(loader: Loader, name: str, path: str) -> bool:
    """Returns True if what readers get of a file that inject writes counts for the limit of a name."""
    rules = (rule for rule in loader.rules if rule.limit == name)
    return any(_ends_with(path, file) for rule in rules for file in rule.files)
