"""Turns packs on and off, in the config file of a project or of the user."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from modicum.app.config_file import edit_config
from modicum.app.inject.load import choose_packs, choose_profile, load_library, refuse_unknown
from modicum.base.config import Config, load_config
from modicum.base.value import replace
from modicum.packs.merge import with_choice
from modicum.packs.model import Library
from modicum.targets.settings.editing import add_item, read, remove_item, set_entry


class PackSwitch(NamedTuple):
    """The packs that were turned on or off, those that were so already, and the config file that says it."""

    file: Path
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]


def use_packs(config: Config, names: Sequence[str], *, user: bool = False) -> PackSwitch:
    """Turns packs on, starters too, in the project or for all projects of the user."""
    return _switch(config, names, user=user, on=True)


def skip_packs(config: Config, names: Sequence[str], *, user: bool = False) -> PackSwitch:
    """Turns packs off, in the project or for all projects of the user."""
    return _switch(config, names, user=user, on=False)


def _switch(config: Config, names: Sequence[str], *, user: bool, on: bool) -> PackSwitch:
    config = config.of_user() if user else config
    library = load_library(config)
    gone = (
        () if on else (*config.use, *config.skip)
    )  # what no layer has any more can be taken out of the file
    refuse_unknown(library, [name for name in names if name not in gone])
    changed: list[str] = []

    def edit(text: str) -> str:
        present = _present(config, user=user)
        text = _with_lists(text)
        for name in dict.fromkeys(names):
            edited, lists = _turned(text, present, library, name, on=on)
            changed.extend([name] * (edited != text))
            text, present = edited, lists
        return text

    file = config.user_file if user else config.project_file
    edit_config(config, file, edit)
    return PackSwitch(file, tuple(changed), tuple(n for n in dict.fromkeys(names) if n not in changed))


def _present(config: Config, *, user: bool) -> Config:
    """The configuration as it is now: another run may have changed the file while this one waited."""
    fresh = load_config(config.environment, config.here)
    return fresh.of_user() if user else fresh


def _with_lists(text: str) -> str:
    """The text of the config file with an empty list where it says that there is none: `use: null`."""
    said = read(text, "yaml")
    empty = [key for key in ("use", "skip") if isinstance(said, dict) and key in said and said[key] is None]
    for key in empty:
        text = set_entry(text, "yaml", (key,), []).text
    return text


def _turned(text: str, config: Config, library: Library, name: str, *, on: bool) -> tuple[str, Config]:
    """The text of the config file with a pack turned on or off: taken out of one list, put into the other if needed."""
    ours, other = ("use", "skip") if on else ("skip", "use")
    owner = "project" if config.has_project else "own"
    rest = tuple(each for each in getattr(config, f"{owner}_{other}") if each != name)
    changed = replace(config, **{f"{owner}_{other}": rest})
    text = _without(text, other, name)
    if is_in_force(changed, library, name) is not on:
        named = getattr(config, f"{owner}_{ours}")
        changed = replace(changed, **{f"{owner}_{ours}": (*named, name)})
        text = add_item(text, "yaml", (ours,), name).text
    return text, changed


def _without(text: str, key: str, name: str) -> str:
    while (shorter := remove_item(text, "yaml", (key,), name)) != text:
        text = shorter
    return text


def is_in_force(config: Config, library: Library, name: str) -> bool:
    """Returns True if a pack is turned on in a configuration, and its profile wants it."""
    chosen = with_choice(library, use=config.use, skip=config.skip, kept=config.kept)
    packs, _ = choose_packs(chosen, choose_profile(library, config.profile))
    return name in {pack.id for pack in packs}
