"""What must hold in a hostile project: nothing is run, nothing changes outside of a closed list, and nothing from outside is told."""

import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hostile_cases.place import SECRET, Node, Place, Runner, Said
from hostile_cases.projects import PARTS, build
from modicum.targets.load import load_adapters

PROJECT = "home/work/clone"
# Ours in the home: memory, records and copies, and the user's config, which commands with --user set.
OURS = (
    "home/.local/share/modicum",
    "home/.local/state/modicum",
    "home/.cache/modicum",
    "home/.config/modicum",
    "home/out",
)
# Ours in a project, and the documents of specs.
IN_PROJECT = (".modicum/*", "docs/*", "papers/*")
FOR_THE_HOME = ("--global", "setup", "uninstall")


# What tells which files of the user's a tool reads, wherever they are: those of a folder above, of the home, and what the tool imports.
TELLS_READING = ("see", "lint", "adopt")
# An adapter that somebody agreed to writes texts for AI tools, in the project or in a tool's folder at home.
AGREED = re.compile(
    r"(?!(.*/)?(commands|agents|hooks|scripts|skills|plugins)/).*\.(md|mdc)|\.\w+/rules/[^/]*\.txt"
)
AGREED_AT_HOME = re.compile(
    r"(\.config/)?\.?(claude|codex|cursor|gemini|copilot|agents|amp|goose|zed|opencode|kilo|qwen)/.*|modicum-[a-z-]+\.md"
)


@cache
def closed_list(scope: str) -> tuple[str, ...]:
    """Patterns for the files that the built-in adapters write, from the project or from the home."""
    folder = Path(str(files("modicum") / "data"))
    adapters = load_adapters([("built-in", folder)]).adapters
    placed = [
        each for adapter in adapters for kind in (adapter.targets, adapter.mcp, adapter.hooks, adapter.permissions)
        for each in kind if each.scope == scope
    ]  # fmt: skip
    places = {each.path for each in placed}
    nested = {f"*/{each.path}" for each in placed if getattr(each, "nested", False)}
    skills = {
        f"{each.path}/modicum*" for adapter in adapters for each in adapter.skills if each.scope == scope
    }
    settings = {each.path for adapter in adapters if adapter.reads for each in adapter.reads.settings}
    exports = {adapter.export_path for adapter in adapters} if scope == "global" else {"AGENTS.md/*"}
    found = {*places, *nested, *skills, *settings, *exports} - {""}
    return tuple(re.sub(r"\{\w+\}", "*", path).removeprefix("~/") for path in found)


def broken(
    place: Place, before: dict[str, Node], after: dict[str, Node], words: Sequence[str], said: Said
) -> Iterator[str]:
    """What a command did that it must not do, one sentence each."""
    line = " ".join(words)
    for ran in place.ran:
        yield f"{line}: ran {ran}"
    place.log.unlink(missing_ok=True)
    if said.code == -9:
        yield f"{line}: did not end"
    elif said.code < 0 or said.code in (3, 99):
        yield f"{line}: ended with {said.code}: {said.text[-300:]}"
    if SECRET in said.text and words[0] not in TELLS_READING:
        at = said.text.index(SECRET)
        yield f"{line}: tells what is outside: {said.text[max(0, at - 120) : at + 40]!r}"
    for path in sorted({*before, *after}):
        if before.get(path) != after.get(path):
            yield from (
                f"{line}: {path} {what}"
                for what in _wrong(place, path, before.get(path), after.get(path), words)
            )


def _wrong(
    place: Place, path: str, old: Node | None, new: Node | None, words: Sequence[str]
) -> Iterator[str]:
    node = new or old
    assert node
    is_folder = stat.S_ISDIR(node.mode)
    if old and new and is_folder and old.mode == new.mode:
        return
    if not _is_listed(place, path, words, is_folder=is_folder):
        yield "was " + ("made" if old is None else "removed" if new is None else "changed")
    # Some disks have a run bit on every file: what a tool reads by its own name is written there as everywhere.
    if new and new.can_run and not (old and old.can_run and _is_built_in(path)):
        yield "can be run, and was written"
    if new and stat.S_ISLNK(new.mode):
        yield "is a link, and was made"
    if new and SECRET.encode() in new.content and not (old and SECRET.encode() in old.content):
        yield "holds what is outside"


def _is_built_in(path: str) -> bool:
    inner = path.removeprefix(f"{PROJECT}/")
    return inner != path and any(fnmatchcase(inner, each) for each in closed_list("project"))


def _is_listed(place: Place, path: str, words: Sequence[str], *, is_folder: bool) -> bool:
    if f"{path}/".startswith(tuple(f"{each}/" for each in OURS)):
        return True
    if is_folder and path.startswith("home/."):  # on the way to ours, or to a tool's
        return True
    if ".git" in path.lower().split("/") or not path.startswith("home/"):
        return False
    if not path.startswith(f"{PROJECT}/"):
        return (is_folder and path == "home/out") or (
            _is_listed_at_home(place, path.removeprefix("home/"), words)
        )
    inner = path.removeprefix(f"{PROJECT}/")
    allowed = (*IN_PROJECT, *closed_list("project"))
    if words[0] == "adopt":  # takes the user's text out of the files that tools read, and puts it back
        allowed = (*allowed, "*.md", "*.mdc")
    if (place.agreed or place.has_links) and (is_folder or AGREED.fullmatch(inner)):
        return True  # a tool's folder may be a link within the project
    if is_folder:
        return any(f"{each}/".startswith((f"{inner}/", "*/")) for each in allowed)
    return any(fnmatchcase(inner, each) for each in allowed)


def _is_listed_at_home(place: Place, inner: str, words: Sequence[str]) -> bool:
    if not {*words} & {*FOR_THE_HOME}:
        return False
    is_agreed = bool(place.agreed) and AGREED_AT_HOME.fullmatch(inner)
    return bool(is_agreed) or any(fnmatchcase(inner, each) for each in closed_list("global"))


def tried(runner: Runner, seed: int, parts: Iterable[str], lines: Sequence[tuple[str, ...]]) -> list[str]:
    """Builds one hostile project, runs the commands in it one after the other, and returns what did not hold."""
    wrong: list[str] = []
    with TemporaryDirectory(prefix="hostile-", ignore_cleanup_errors=True) as top:
        place = Place(Path(top).resolve())
        chosen = {*parts}
        build(place, (name for name in PARTS if name in chosen), Random(seed))
        if seed % 2:
            place.agree()
        if place.ran:
            raise AssertionError("a canary ran before any command")
        before = place.nodes()
        for words in lines:
            said = runner.run(place, tuple(word.replace("{out}", str(place.home / "out")) for word in words))
            after = place.nodes()
            wrong += broken(place, before, after, words, said)
            before = after
    return wrong
