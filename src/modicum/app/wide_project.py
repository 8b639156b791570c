"""Keeps commands from making a project of the home folder, or of a whole disk, unasked."""

from pathlib import Path

from modicum.base.config import Config
from modicum.base.errors import WrongUsage


def about_wide_project(config: Config) -> str:
    """Returns what a first config file would make a project of that is none: the home folder, a whole disk; or ""."""
    if config.root not in (config.home, Path(config.root.anchor)) or config.project_file.exists():
        return ""
    return f"{config.root} is {'your home folder' if config.root == config.home else 'a whole disk'}"


def refuse_wide_project(config: Config, *, has_global: bool = False) -> None:
    """Raises WrongUsage if a config file, or a page, would make a project of all that is below the home folder, or a disk.

    The remedy of a command that has --global names that, too.
    """
    if what := about_wide_project(config):
        remedy = "go to the folder of a project first, or make it one: modicum init --yes"
        instead = "; for the page that every project reads add --global" if has_global else ""
        raise WrongUsage(f"{what}, not a project", remedy=remedy + instead)
