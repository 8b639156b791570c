"""Asks git which instruction files it ignores, in one call and without the library for processes, which starts slowly."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase

SECONDS = 5.0
_MOST = 16_000  # bytes of paths that are asked about: a pipe holds them all, so that nobody has to wait
_ASKING = ("-c", "core.fsmonitor=false", "check-ignore", "-v", "-z", "--stdin")


def ignored_files(root: str, paths: Iterable[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Returns the instruction files that git does not track because it is told to ignore them, there or not.

    Each one with the pattern if a `.gitignore` says so, which others have as well, and with "" if a file of the user's alone
    does. Without git, or outside a repository, none is ignored.
    """
    asked = b"".join(os.fsencode(path) + b"\0" for path in _askable(root, dict.fromkeys(paths)))
    asked = asked[: asked.rfind(b"\0", 0, _MOST) + 1]
    if not asked or not hasattr(os, "posix_spawnp"):
        return {}
    own = {name: value for name, value in environment.items() if not name.startswith("GIT_")}
    fields = os.fsdecode(_answer(("git", "-C", root, *_ASKING), asked, own)).split("\0")
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


def _answer(command: Sequence[str], asked: bytes, environment: Mapping[str, str]) -> bytes:
    """What a command prints when it is given a short text; nothing if it cannot be run, or takes too long."""
    (asking_out, asking_in), (answer_out, answer_in) = os.pipe(), os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, asking_out, 0),
        (os.POSIX_SPAWN_DUP2, answer_in, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        os.write(asking_in, asked)
        process = os.posix_spawnp(command[0], [*command], dict(environment), file_actions=actions)
    except OSError:
        process = 0
    for end in (asking_in, asking_out, answer_in):
        os.close(end)
    try:
        return _read(answer_out, process) if process else b""
    finally:
        os.close(answer_out)


def _read(answer: int, process: int) -> bytes:
    from select import select

    parts: list[bytes] = []
    while select([answer], [], [], SECONDS)[0]:
        if not (part := os.read(answer, _MOST)):
            break
        parts.append(part)
    else:
        from signal import SIGKILL

        with suppress(ProcessLookupError):
            os.kill(process, SIGKILL)
        parts = []
    os.waitpid(process, 0)
    return b"".join(parts)
