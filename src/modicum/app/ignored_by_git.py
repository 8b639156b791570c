"""Tells where git ignores the project's own packs and settings, so that nobody else gets what pages are made from."""

from collections.abc import Mapping

from modicum.base.config import Config
from modicum.base.paths import PROJECT_FOLDER
from modicum.targets.loaders.ignored import ignored_files, lines_against

PROBE = f"{PROJECT_FOLDER}/packs/any/pack.yaml"  # stands for every pack of the project


def about_ignored_project(config: Config) -> str:
    """Returns the sentence that git ignores the project's packs, with the lines for .gitignore that end it; "" if it does not."""
    return said_of_ignored(ignored_files(str(config.in_git), [PROBE], config.environment))


def said_of_ignored(ignored: Mapping[str, str]) -> str:
    """Returns the same sentence from files that are known to be ignored, each with the pattern of a .gitignore."""
    pattern = ignored.get(PROBE)
    if not pattern:
        return ""
    lines = " and ".join(lines_against(f"{PROJECT_FOLDER}/", pattern))
    return (
        f"git ignores {PROJECT_FOLDER} ({pattern} in a .gitignore), so that others get no pack of this project; "
        f"to share it, add to .gitignore: {lines}"
    )
