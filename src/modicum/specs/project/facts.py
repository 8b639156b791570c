"""The facts that a scan of a project returns. Pure."""

from typing import NamedTuple


class ProjectFile(NamedTuple):
    """A file among the facts about a project, with its text if that is worth reading."""

    path: str
    size: int
    text: str = ""


class ProjectFacts(NamedTuple):
    """The facts that a scan found in a project; all paths are relative to its root."""

    root: str
    manifests: tuple[ProjectFile, ...] = ()
    settings: tuple[ProjectFile, ...] = ()
    conventions: tuple[ProjectFile, ...] = ()
    decisions: tuple[ProjectFile, ...] = ()
    tests: tuple[str, ...] = ()
    folders: tuple[tuple[str, int], ...] = ()  # with how many source files
    languages: tuple[tuple[str, int], ...] = ()
    files: int = 0
    cut: bool = False  # there were more files than are looked at
