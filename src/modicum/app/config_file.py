"""Starts the config file of a project, and sets single keys in a config file of a project or user."""

from pathlib import Path
from typing import NamedTuple

from modicum.base.config import Config
from modicum.base.paths import CONFIG_FILE
from modicum.targets.disk import write_own
from modicum.targets.settings.editing import set_entry

START = """\
# What modicum does in this project. Every key is optional.
#
# profile: all        which packs, in which order: modicum profile list
# language: de        for packs that have texts in several languages
# scope: project      or global, for tools' files in your home folder
"""


class ConfigFile(NamedTuple):
    """The path of a config file, and whether the file was written just now."""

    path: Path
    is_new: bool


def start_project_config(config: Config) -> ConfigFile:
    """Writes a project's config file with every key as a comment, unless the file exists."""
    file = config.project / CONFIG_FILE
    is_new = not file.exists()
    if is_new:
        write_own(file, START.encode(), private=False)
    return ConfigFile(file, is_new)


def set_config(config: Config, key: str, value: str, *, project: bool) -> Path:
    """Sets a key in the config file of the project or user; returns its path. All else stays."""
    file = (config.project if project else config.folder) / CONFIG_FILE
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    write_own(file, set_entry(text, "yaml", (key,), value).text.encode(), private=False)
    return file
