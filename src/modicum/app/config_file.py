"""Config files of a project and of the user: starts them, tells what each sets, and sets or removes single keys."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from modicum.app.wide_project import refuse_wide_project
from modicum.base.config import (
    DECLARED,
    HOOK_KEYS,
    KEYS,
    LISTS,
    OF_A_PROJECT,
    OWN,
    PACK_LISTS,
    Config,
    check_config,
    read_choices,
)
from modicum.base.errors import ModicumError, WrongUsage
from modicum.base.near_words import nearest
from modicum.targets.disk import held, in_words, refuse_read_only, resolve, write_own
from modicum.targets.settings.editing import DocumentError, remove_entry, set_entry

_PATIENCE_SECONDS = 10
START = """\
# What modicum does in this project. Every key is optional.
#
# project: shop       its name in memory, where that is not the repository's
# profile: all        which packs, in which order: modicum profile list
# language: de        for packs that have texts in several languages
# tools: [codex]      which AI tools this project serves, the same for everybody
# sources: {}         git repositories of packs: modicum source add LOCATION --here
# scope: project      or global, for tools' files in your home folder
# use: [git]          packs to turn on, starters too: modicum pack use NAME
# skip: [testing]     packs to turn off: modicum pack skip NAME
"""


_UNSET: tuple[object, ...] = ("", (), None, {})  # what a config file that lacks a key has for it
SETTINGS = (*KEYS, "memory.gate", *(f"hook.{name}" for name in HOOK_KEYS))
NOT_SHARED = (
    "profile",
    "language",
    "scope",
    *PACK_LISTS,
)  # of the user, where a project is the same for everybody


class Setting(NamedTuple):
    """A setting that is in force: its key and value, and its origin: a config file or an environment variable."""

    key: str
    value: object
    origin: str

    @property
    def words(self) -> str:
        """Returns the value of a setting of the config file as it is typed and printed; lists with commas, and no passwords."""
        if isinstance(self.value, tuple | dict):
            return ", ".join(self.value)
        return without_password(str(self.value))


def without_password(address: str) -> str:
    """Returns a setting of the config file that is the address of a database, without the password in it."""
    return re.sub(r"(?<=://)([^/@:\s]*):[^/@\s]*@", r"\1:***@", address)


class ConfigFile(NamedTuple):
    """The path of a config file, and whether the file was written just now."""

    path: Path
    is_new: bool


def start_project_config(config: Config) -> ConfigFile:
    """Writes a project's config file with every key as a comment, unless the file exists; also where `about_wide_project` warns."""
    file = config.project_file
    is_new = not file.exists()
    if is_new:
        write_own(file, START.encode(), private=False)
    return ConfigFile(file, is_new)


def list_settings(config: Config) -> list[Setting]:
    """Returns, for `modicum config`, every setting of the config files and the environment that is in force, with its origin."""
    return [setting for key in SETTINGS for setting in _settings_of(config, key)]


def find_setting(config: Config, key: str) -> Setting | None:
    """Returns, for `modicum config`, the setting of a key that counts first in the config files and environment; None if nothing sets it."""
    return next(iter(_settings_of(config, _known(key))), None)


def _settings_of(config: Config, key: str) -> Iterator[Setting]:
    variable = OWN.get(key.partition(".")[0], "")
    if variable and (word := config.environment.get(variable, "").strip()):
        yield Setting(key, word, variable)
    layers = [(config.project_file, True)]
    layers += [] if config.is_shared and key in NOT_SHARED else [(config.user_file, False)]
    for file, of_project in layers:
        value = _found(read_choices(file, of_project=of_project), key)
        if value not in _UNSET:
            yield Setting(key, value, str(file))


def _found(chosen: Mapping[str, Any], key: str) -> object:
    group, _, name = key.rpartition(".")
    return (chosen.get(group) or {}).get(name) if group else chosen.get(key)


def _known(key: str) -> str:
    if key not in SETTINGS:
        near = nearest(key, SETTINGS)
        hint = f'did you mean "{near}"?' if near else f"there are: {', '.join(SETTINGS)}"
        raise WrongUsage(f'there is no setting "{key[:60]}"', remedy=hint)
    return key


def set_config(config: Config, key: str, value: str, *, project: bool) -> Path:
    """Sets a key in the config file of the project or user; returns its path. All else stays.

    Lists are given as words with commas between them, and tools get their ids. A value that the file may not have is refused.
    """
    path = tuple(_known(key).split("."))
    if path[0] in (OWN if project else (*OF_A_PROJECT, DECLARED)):
        whose, remedy = ("you alone", "leave out --here") if project else ("a single project", "add --here")
        raise WrongUsage(f'"{key}" is for {whose}', remedy=remedy)
    if key == "sources":
        raise WrongUsage("a source is not set as a word", remedy="modicum source add LOCATION --here")
    wanted = _wanted(config, key, value)
    return _edit(config, project, lambda text: set_entry(text, "yaml", path, wanted).text)


def _wanted(config: Config, key: str, value: str) -> object:
    words = value.replace(",", " ").split()
    if key == "tools":
        from modicum.app.inject.load import ids_for_project  # loads adapters, which other settings do without

        return [*ids_for_project(config, words)]
    if key in LISTS:
        return words
    if key.startswith("hook."):
        return int(value) if value.isascii() and value.isdigit() else value
    return value


def unset_config(config: Config, key: str, *, project: bool) -> Path | None:
    """Removes a key from the config file of the project or user; returns its path, None if the file does not set it."""
    file = config.project_file if project else config.user_file
    path = tuple(_known(key).split("."))
    if _found(read_choices(file, of_project=project), key) in _UNSET:
        return None
    return _edit(config, project, lambda text: remove_entry(text, "yaml", path))


def _edit(config: Config, project: bool, edit: Callable[[str], str]) -> Path:
    file = config.project_file if project else config.user_file

    def checked(text: str) -> str:
        edited = edit(text)
        try:
            check_config(edited, file, of_project=project)
        except ModicumError as error:
            raise WrongUsage(
                error.message.removeprefix(str(file)).partition(": ")[2], remedy="nothing was changed"
            ) from error
        return edited

    edit_config(config, file, checked)
    return file


def edit_config(config: Config, file: Path, edit: Callable[[str], str]) -> None:
    """Edits a config file by a function of its text, while no other run does."""
    if file == config.project_file != config.user_file:  # they are one where the data is kept in ~/.modicum
        refuse_wide_project(config)
    if file.is_relative_to(config.project) and file != config.user_file:
        resolve(str(file.parent), str(config.root))  # a clone may have a link there that leads out
    lock = config.state / "locks" / "config"
    with held(lock, file.name, wait_seconds=_PATIENCE_SECONDS), in_words(str(file)):
        text = file.read_bytes().decode() if file.exists() else ""  # with its own line ends
        try:
            edited = edit(text)
        except DocumentError as error:
            raise ModicumError(f"{file}: {error.message}", remedy=error.remedy) from error
        if edited != text:
            refuse_read_only(file)
            write_own(file, edited.encode(), private=False, aside=config.state / "aside")
