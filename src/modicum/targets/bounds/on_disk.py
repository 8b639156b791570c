"""Finds the file on the disk that a target means, and refuses what a link, a run bit or a second name makes of it."""

import os
import stat
from pathlib import Path

from modicum.base.errors import ModicumError
from modicum.base.files import resolve
from modicum.base.git_names import leads_into_git
from modicum.targets.bounds.paths import is_settings_or_skill, is_text_in_project
from modicum.targets.change import TargetFile

_RUN = stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH


def located(place: TargetFile) -> Path:
    """Returns the real file of a target; raises ModicumError if it is outside of the root, git's, a program, or no text for tools.

    What is in the project came with a clone: a link there may lead to a file that somebody runs. Links in the home folder
    are the user's own.
    """
    file = resolve(place.path, place.root)
    if not place.root:
        return file
    inner = file.relative_to(os.path.realpath(place.root)).as_posix()
    if why := _why_refused(place, file, inner):
        raise ModicumError(
            f"{place.path}: {why}",
            remedy="replace it by a file of its own, or leave this tool out",
        )
    return file


def _why_refused(place: TargetFile, file: Path, inner: str) -> str:
    if leads_into_git(inner):
        return f"leads to {inner}, in git's own folder"
    is_link = os.path.normcase(file) != os.path.normcase(_plain_path(place))
    if place.is_home or not (is_link or place.is_foreign):
        return _about_file(file) if place.is_foreign else ""
    if not (is_text_in_project(inner) or is_settings_or_skill(inner)):
        return f"leads to {inner}, which is no file that AI tools read as text"
    return _about_file(file)


def _plain_path(place: TargetFile) -> str:
    """Where the file is if no step below the root is a link."""
    way = os.path.relpath(place.path, place.root)
    return os.path.normpath(os.path.join(os.path.realpath(place.root), way))  # noqa: PTH118 (once for each file)


def _about_file(file: Path) -> str:
    try:
        status = file.lstat()
    except OSError:
        return ""  # it is not there yet
    if stat.S_ISREG(status.st_mode) and status.st_mode & _RUN:
        return "it is a program: it has a run bit"
    return "it has other names (hard links), which may be programs" if status.st_nlink > 1 else ""
