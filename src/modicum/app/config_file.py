"""Starts the config file of a project, and sets single keys in a config file of a project or user."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.targets.disk import held, in_words, refuse_read_only, write_own
from modicum.targets.settings.editing import DocumentError, set_entry

_PATIENCE_SECONDS = 10
START = """\
# What modicum does in this project. Every key is optional.
#
# profile: all        which packs, in which order: modicum profile list
# language: de        for packs that have texts in several languages
# tools: [codex]      which AI tools this project serves, the same for everybody
# sources: {}         git repositories of packs: modicum source add LOCATION --project
# scope: project      or global, for tools' files in your home folder
# use: [git]          packs to turn on, starters too: modicum pack use NAME
# skip: [testing]     packs to turn off: modicum pack skip NAME
"""


class ConfigFile(NamedTuple):
    """The path of a config file, and whether the file was written just now."""

    path: Path
    is_new: bool


def start_project_config(config: Config) -> ConfigFile:
    """Writes a project's config file with every key as a comment, unless the file exists."""
    file = config.project_file
    is_new = not file.exists()
    if is_new:
        write_own(file, START.encode(), private=False)
    return ConfigFile(file, is_new)


def set_config(config: Config, key: str, value: str, *, project: bool) -> Path:
    """Sets a key in the config file of the project or user; returns its path. All else stays."""
    file = config.project_file if project else config.user_file
    edit_config(config, file, lambda text: set_entry(text, "yaml", (key,), value).text)
    return file


def edit_config(config: Config, file: Path, edit: Callable[[str], str]) -> None:
    """Edits a config file by a function of its text, while no other run does."""
    lock = config.state / "locks" / "config"
    with held(lock, file.name, wait_seconds=_PATIENCE_SECONDS), in_words(str(file)):
        text = file.read_bytes().decode() if file.exists() else ""  # with its own line ends
        try:
            edited = edit(text)
        except DocumentError as error:
            raise ModicumError(f"{file}: {error.message}", remedy=error.remedy) from error
        if edited != text:
            refuse_read_only(file)
            write_own(file, edited.encode(), private=False)
