"""Keeps commands from making a project of the home folder, or of a whole disk, or reading all of it, unasked."""

from pathlib import Path

from modicum.base.config import Config
from modicum.base.errors import WrongUsage


def about_wide_project(config: Config) -> str:
    """Returns what a first config file would make a project of that is none: the home folder, a whole disk; or ""."""
    return "" if config.project_file.exists() else about_wide_folder(config.root, config.home)


def about_wide_folder(folder: Path, home: Path) -> str:
    """Returns what a folder is that is too wide for a project, or for a search for notes: the home folder, a whole disk; or ""."""
    if folder not in (home, Path(folder.anchor)):
        return ""
    return f"{folder} is {'your home folder' if folder == home else 'a whole disk'}"


def refuse_wide_project(config: Config, *, has_global: bool = False) -> None:
    """Raises WrongUsage if a config file, or a page, would make a project of all that is below the home folder, or a disk.

    The remedy of a command that has --global names that, too.
    """
    if what := about_wide_project(config):
        remedy = "go to the folder of a project first, or make it one: modicum init --yes"
        instead = "; for the page that every project reads add --global" if has_global else ""
        raise WrongUsage(f"{what}, not a project", remedy=remedy + instead)
