"""Asks git which instruction files it ignores, in one call."""

import os
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from modicum.base.git import git_in

SECONDS = 5.0
_MOST = 16_000  # bytes of paths that are asked about: a pipe holds them all, so that nobody has to wait


def ignored_files(root: str, paths: Iterable[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Returns the instruction files that git does not track because it is told to ignore them, there or not.

    Each one with the pattern if a `.gitignore` says so, which others have as well, and with "" if a file of the user's alone
    does. Without git, or outside a repository, none is ignored.
    """
    asked = b"".join(os.fsencode(path) + b"\0" for path in _askable(root, dict.fromkeys(paths)))
    asked = asked[: asked.rfind(b"\0", 0, _MOST) + 1]
    git = git_in(Path(root), environment) if asked else None
    if git is None:
        return {}
    told = git.answer("check-ignore", "-v", "-z", "--stdin", given=asked, seconds=SECONDS)
    fields = os.fsdecode(told).split("\0")
    rows = zip(fields[::4], fields[2::4], fields[3::4], strict=False)  # source, pattern, path
    return {
        path: pattern if source.endswith(".gitignore") else ""
        for source, pattern, path in rows
        if pattern[:1] != "!"
    }


def lines_against(path: str, pattern: str) -> tuple[str, ...]:
    """Returns the lines for a `.gitignore` after which git no longer ignores a file, or a folder whose path ends in "/".

    What else a folder has that is ignored stays so.
    """
    *above, last = path.rstrip("/").split("/")
    name = pattern.rstrip("/").rpartition("/")[2]
    lines: list[str] = []
    for depth, folder in enumerate(above, 1):
        if lines or fnmatchcase(folder, name):
            way = "/".join(above[:depth])
            lines += [f"!/{way}/", f"/{way}/*"]
    whole = "/".join((*above, last))
    return (*lines, f"!/{whole}/", f"!/{whole}/**") if path.endswith("/") else (*lines, f"!/{whole}")


def _askable(root: str, paths: Iterable[str]) -> Iterator[str]:
    """The files that are not behind a link, about which git answers nothing but an error."""
    top = os.path.realpath(root)
    known: dict[str, bool] = {}
    for path in paths:
        folder = os.path.dirname(path)  # noqa: PTH120 (a hundred paths at every inject)
        if folder not in known:
            place = os.path.normpath(f"{top}/{folder}")
            known[folder] = os.path.realpath(place) == place
        if known[folder]:
            yield path
