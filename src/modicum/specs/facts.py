"""What a scan has found, as values. Pure."""

from typing import NamedTuple


class File(NamedTuple):
    """A file worth naming, and its text where that is worth reading."""

    path: str
    size: int
    text: str = ""


class Facts(NamedTuple):
    """What a walk through a project has found, all paths from its root."""

    root: str
    manifests: tuple[File, ...] = ()
    settings: tuple[File, ...] = ()
    conventions: tuple[File, ...] = ()
    decisions: tuple[File, ...] = ()
    tests: tuple[str, ...] = ()
    folders: tuple[tuple[str, int], ...] = ()  # with how many source files
    languages: tuple[tuple[str, int], ...] = ()
    files: int = 0
    cut: bool = False  # there were more files than are looked at
