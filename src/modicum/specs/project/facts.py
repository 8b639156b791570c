"""What a scan has found, as values. Pure."""

from typing import NamedTuple


class ProjectFile(NamedTuple):
    """A file worth naming, and its text where that is worth reading."""

    path: str
    size: int
    text: str = ""


class ProjectFacts(NamedTuple):
    """What a walk through a project has found, all paths from its root."""

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
