"""Loads packs, profiles and AI tool adapters for an inject, and chooses the wanted packs and tools."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from modicum.app.packs.template import without_template
from modicum.base.cache import YamlCache
from modicum.base.config import Config, check_again
from modicum.base.errors import ModicumError, WrongUsage
from modicum.base.near_words import nearest
from modicum.base.value import Value, replace
from modicum.packs.load import Layer, load_layers
from modicum.packs.merge import ordered, unknown_packs, with_choice
from modicum.packs.model import Library, Pack, PackOrigin, Profile
from modicum.packs.sources import LOCK, installed
from modicum.targets.bounds.model import EVERYWHERE, WaitingAdapter
from modicum.targets.detect import Which, detected
from modicum.targets.load import ForeignLayers, load_adapters
from modicum.targets.model import Adapter

BUILT_IN = Path(__file__).parents[2] / "data"
BUILT_IN_LAYER = "built-in"


class Knowledge(Value):
    """All that an inject loads: merged packs, profiles and adapters, and what is wrong with some of them."""

    library: Library
    adapters: Mapping[str, Adapter]
    troubles: tuple[str, ...]  # what could not be read
    warnings: tuple[str, ...] = ()  # what was left out of a pack that could
    changed_limits: tuple[str, ...] = ()  # a sentence for each limit that a layer sets otherwise
    missing: tuple[str, ...] = ()  # a sentence for each source of the project that cannot be used now
    waiting: tuple[WaitingAdapter, ...] = ()  # adapters that are not in force until their user agrees to them


def load_knowledge(config: Config, *, tools_only: bool = False) -> Knowledge:
    """Loads packs, profiles and adapters of all layers for an inject, or adapters alone; broken ones become troubles."""
    layers, missing = _layers(config)
    yaml = YamlCache.below(config.data)
    check_again(config, yaml.check)
    library = _library(config, [] if tools_only else layers, yaml)
    foreign = ForeignLayers(_places_of(config, layers), frozenset(config.agreed_adapters))
    adapters = load_adapters([(layer.name, layer.folder) for layer in layers], yaml.check, foreign)
    yaml.save()
    found = (*library.problems, *adapters.problems)
    troubles, warnings = (
        tuple(str(each) for each in found if each.fatal is fatal) for fatal in (True, False)
    )
    by_id = {adapter.id: adapter for adapter in adapters.adapters}
    told = (*missing, *troubles)
    return Knowledge(library, by_id, told, warnings, adapters.changed_limits, missing, adapters.waiting)


def may_bring_adapters(config: Config) -> bool:
    """Returns True if a project or a source may bring adapters, so that they have to be loaded to ask about them; almost always not."""
    return bool(config.sources) or (config.data / LOCK).exists() or (config.project / "adapters").is_dir()


def _places_of(config: Config, layers: Iterable[Layer]) -> dict[str, str]:
    """The layers whose adapters need an agreement, and for which place it is. Nothing in a clone says that it is the user's own.

    What the user has installed himself is agreed to once for all projects.
    """
    here = str(config.root)
    place = here if config.is_shared else EVERYWHERE
    places = {layer.name: place for layer in layers if layer.origin is PackOrigin.SOURCE}
    if config.project_file != config.user_file:  # they are one where the data is kept in ~/.modicum
        places["project"] = here
    return places


def load_library(config: Config) -> Library:
    """Loads packs and profiles of all layers for those who need no AI tools: adapters are neither read nor checked."""
    yaml = YamlCache.below(config.data)
    library = _library(config, _layers(config)[0], yaml)
    yaml.save()
    return library


def load_told_library(config: Config) -> Library:
    """Loads the library as programs are told it: without what the template of a new pack says to its author."""
    library = load_library(config)
    packs, off = (tuple(map(without_template, some)) for some in (library.packs, library.off))
    return replace(library, packs=packs, off=off)


def _library(config: Config, layers: Sequence[Layer], yaml: YamlCache) -> Library:
    loaded = load_layers(layers, config.language, yaml.check)
    return with_choice(loaded, use=config.use, skip=config.skip, kept=config.kept)


def _layers(config: Config) -> tuple[list[Layer], tuple[str, ...]]:
    """All layers, the strongest last, and why sources of the project cannot be used."""
    sources, missing = _source_layers(config)
    layers = [
        Layer(BUILT_IN_LAYER, BUILT_IN, PackOrigin.STARTER),
        *sources,
        *([] if config.is_shared else [Layer("user", config.folder, PackOrigin.USER)]),
        *([Layer("project", config.project, PackOrigin.PROJECT)] if config.has_project else ()),
    ]
    return layers, missing


def _source_layers(config: Config) -> tuple[list[Layer], tuple[str, ...]]:
    """The layers of sources, and why sources of the project cannot be used; a shared project has none of the user's."""
    if not config.is_shared:
        found = installed(config.data)
        return [Layer(source.name, source.content, PackOrigin.SOURCE) for source in found], ()
    if not config.sources:
        return [], ()
    from modicum.app.packs.sources import sources_of_project, unusable_sources

    try:
        found, unusable = sources_of_project(config), unusable_sources(config)
    except ModicumError as error:
        return [], (str(error),)
    names = {source.name for source, _ in unusable}
    kept = (source for source in found if source.name not in names)
    layers = [Layer(source.name, source.content, PackOrigin.SOURCE) for source in kept]
    return layers, tuple(why for _, why in unusable)


def about_own_packs(config: Config) -> str:
    """Returns what inject says about loading in a shared project: that the user's own packs and sources stay out; else ""."""
    if not config.is_shared or not (installed(config.data) or any(config.folder.glob("packs/*/pack.yaml"))):
        return ""
    return (
        "your own packs are not in the files of this project, which are the same for everybody: "
        "modicum inject --global gives them to your tools"
    )


def choose_profile(library: Library, name: str) -> Profile | None:
    """Returns the loaded profile of a name for an inject; None if the name is empty."""
    if not name:
        return None
    profiles = {profile.id: profile for profile in library.profiles}
    if name in profiles:
        return profiles[name]
    troubles = [str(problem) for problem in library.problems]
    remedy = _hint(name, profiles, "modicum profile list", troubles)
    raise WrongUsage(f'there is no profile "{name}"', remedy=remedy)


def choose_packs(
    library: Library,
    profile: Profile | None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    *,
    is_named: bool = False,
) -> tuple[tuple[Pack, ...], tuple[str, ...]]:
    """Returns the loaded packs that an inject wants, in reading order, and a warning about missing ones.

    A profile that is named for one run (`is_named`) has the last word over what the configuration turns on.
    """
    library = replace(library, kept=()) if is_named else library
    refuse_unknown(library, (*include, *exclude))
    wanted = ordered(library, profile, include=include, exclude=exclude)
    # What the template of a new pack says is addressed to its author: it leaves nowhere.
    return tuple(map(without_template, wanted)), unknown_packs(library, profile)


def refuse_unknown(library: Library, names: Sequence[str]) -> None:
    """Raises ModicumError for a name that no pack has that inject has loaded, turned on or off."""
    known = {pack.id: pack for pack in library.every}
    for name in names:
        if name not in known:
            troubles = [str(problem) for problem in library.problems]
            remedy = _hint(name, known, "modicum pack list", troubles)
            raise WrongUsage(f'there is no pack "{name}"', remedy=remedy)


def tool_ids(config: Config, names: Iterable[str]) -> tuple[str, ...]:
    """Returns the ids of the AI tools that are meant by names for an inject: ids, and what their adapters are `also` called.

    An unknown name stays as it is. Adapters are loaded only if a name is none of ours.
    """
    named = tuple(names)
    if all((BUILT_IN / "adapters" / f"{name}.yaml").is_file() for name in named):
        return named
    adapters = load_knowledge(config, tools_only=True).adapters
    other = {word: adapter.id for adapter in adapters.values() for word in adapter.also}
    return tuple(name if name in adapters else other.get(name.lower(), name) for name in named)


def split_names(words: Iterable[str]) -> tuple[str, ...]:
    """Returns the names of AI tools in words for an inject: each word is a name, or several with commas between them."""
    return tuple(name.strip() for word in words for name in word.split(","))


def ids_for_project(config: Config, words: Iterable[str]) -> tuple[str, ...]:
    """Returns the ids of the AI tools that a project is to name, once each, for an inject; raises WrongUsage for an unknown one.

    The tools are those that a project knows which names any: without the user's own ones.
    """
    shared = replace(config, tools=tuple(words))
    names = tool_ids(shared, shared.tools)
    chosen = (
        choose_tools(shared, load_knowledge(shared, tools_only=True), names, every=False) if names else ()
    )
    return tuple(adapter.id for adapter in chosen)


def choose_tools(
    config: Config, knowledge: Knowledge, names: Sequence[str], *, every: bool
) -> tuple[Adapter, ...]:
    """Returns the loaded adapters of the AI tools for an inject: the named ones, all, or those found here."""
    for name in names:
        if name not in knowledge.adapters:
            raise WrongUsage(f'there is no tool "{name}"', remedy=_tool_hint(knowledge, name))
    if names:
        return tuple(knowledge.adapters[name] for name in dict.fromkeys(names))
    adapters = (knowledge.adapters[name] for name in sorted(knowledge.adapters))
    return (
        tuple(adapters)
        if every
        else tuple(a for a in adapters if a.type == "file-inject" and is_served(config, a))
    )


def tools_of_project(config: Config, knowledge: Knowledge) -> tuple[Adapter, ...]:
    """Returns the loaded adapters of the AI tools that the project names in its config file."""
    waiting = {each.id for each in knowledge.waiting}  # one line says so
    names = [name for name in config.tools if name in knowledge.adapters or name not in waiting]
    for name in names:
        if name not in knowledge.adapters:
            why = f'{config.project_file}: there is no tool "{name}"'
            raise ModicumError(why, remedy=_tool_hint(knowledge, name))
    return tuple(knowledge.adapters[name] for name in names)


def is_served(config: Config, adapter: Adapter) -> bool:
    """Returns True if an inject takes an AI tool unasked: the project names it, or names none and it is here."""
    return adapter.id in config.tools if config.tools else is_here(config, adapter)


def is_here(config: Config, adapter: Adapter) -> bool:
    """Loads nothing for a tool that is not here: returns True if inject finds the AI tool on this machine or in this project."""
    variables = {**config.environment, "HOME": str(config.home)}
    return detected(adapter, _finder(config), lambda path: (config.root / path).exists(), variables)


def version_here(config: Config, adapter: Adapter) -> str:
    """Loads nothing and runs nothing: returns the version of the AI tool that inject finds on this machine; "" if it is not known."""
    from modicum.targets.program_version import version_of

    which = _finder(config)
    commands = (rule.command.partition(" ")[0] for rule in adapter.detect)
    path = next(filter(None, (which(command) for command in commands if command)), None)
    return version_of(path) if path else ""


def _finder(config: Config) -> Which:
    from shutil import which  # with all its archives too much for a run that names its tools

    return partial(which, path=config.environment.get("PATH", ""))


def no_tool_here(config: Config) -> str:
    """Returns what inject says, with a small letter, where it finds no AI tool on the machine or in the project."""
    shared = (config.root / "AGENTS.md").is_file()
    return "no AI tool was found here" + ": AGENTS.md is read by many and is a sign of none" * shared


def _tool_hint(knowledge: Knowledge, name: str) -> str:
    if waiting := next((each for each in knowledge.waiting if each.id == name), None):
        return f"you have not agreed to its adapter: modicum inject --trust {waiting.hash}"
    meant = [adapter.id for adapter in knowledge.adapters.values() if name.lower() in adapter.also]
    if meant:
        return f'did you mean "{meant[0]}"?'
    return _hint(name, knowledge.adapters, "modicum tool list", knowledge.troubles)


def _hint(name: str, known: Mapping[str, object], command: str, troubles: Sequence[str]) -> str:
    for trouble in troubles:
        if f"/{name}/" in trouble or f"/{name}.y" in trouble:
            return f"it could not be read: {trouble}"
    near = nearest(name, known)
    return f'did you mean "{near}"?' if near else f"{command} shows them"
