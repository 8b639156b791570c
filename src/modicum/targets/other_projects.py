"""Tells which files near a project belong to another one: to a package with a `.modicum` of its own, or to another repository.

Targets there are never written, and what is there is never taken out, from outside.
"""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

from modicum.base.paths import PROJECT_FOLDER
from modicum.targets.loaders.files import folder_of

_MARKS = (PROJECT_FOLDER, ".git")


def other_projects(root: Path) -> Callable[[str], bool]:
    """Returns the function that tells of a path, relative to a project, if the file is no target of it: above it, or in another one below."""

    @cache
    def is_other(folder: str) -> bool:
        if not folder:
            return False
        marks = (os.path.join(root, folder, mark) for mark in _MARKS)  # noqa: PTH118 (for each folder with files)
        return any(map(os.path.exists, marks)) or is_other(folder_of(folder))

    return lambda path: path.startswith("../") or (not path.startswith("~/") and is_other(folder_of(path)))
