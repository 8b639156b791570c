"""Reads which commands a repository has: the scripts, targets and recipes that its manifests name. Pure."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

NODE, MAKE, JUST, COMPOSER, POE = "node", "make", "just", "composer", "poe"
MANIFESTS = (
    "package.json",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "Justfile",
    ".justfile",
    "composer.json",
    "pyproject.toml",
)
_TARGET = re.compile(r"^(?P<names>[\w./-]+(?:[ \t]+[\w./-]+){0,20})[ \t]*::?(?![=:])", re.MULTILINE)
_UNKNOWN_TARGETS = re.compile(
    r"^(?:-?include\b|s?include\b|[^\s:=#%]{0,100}+%[^\s:=]{0,100}+[ \t]{0,4}:|\$\()", re.MULTILINE
)
_RECIPE = re.compile(
    r"^@?(?P<name>[\w-]+)(?:[ \t]+[^:\n]{0,200})?:(?!=)|^alias[ \t]+(?P<alias>[\w-]+)", re.MULTILINE
)
_UNKNOWN_RECIPES = re.compile(r"^(?:import|mod)\b", re.MULTILINE)


class CommandNames(NamedTuple):
    """The commands that one manifest names for its program, and the programs that come with its dependencies."""

    program: str
    names: frozenset[str]
    installed: frozenset[str] = frozenset()


def commands_in(path: str, text: str) -> CommandNames | None:
    """Returns the commands that a manifest names; None if it cannot be read, or if it takes more from elsewhere."""
    name = path.rpartition("/")[2]
    if name in ("package.json", "composer.json"):
        return _of_json(NODE if name == "package.json" else COMPOSER, text)
    if name.lower() in ("makefile", "gnumakefile"):
        found = (each for line in _TARGET.finditer(text) for each in line["names"].split())
        return None if _UNKNOWN_TARGETS.search(text) else CommandNames(MAKE, frozenset(found))
    if name.lower().endswith("justfile"):
        names = (each["name"] or each["alias"] for each in _RECIPE.finditer(text))
        return None if _UNKNOWN_RECIPES.search(text) else CommandNames(JUST, frozenset(names))
    return _of_python(text)


def _of_json(program: str, text: str) -> CommandNames | None:
    try:
        manifest = json.loads(text)
    except ValueError:
        return None
    if not isinstance(manifest, dict):
        return None
    keys = (
        "dependencies",
        "devDependencies",
        "optionalDependencies",
        "peerDependencies",
        "bin",
        "require",
        "require-dev",
    )
    installed = (name for key in keys for name in _keys(manifest.get(key)))
    return CommandNames(program, frozenset(_keys(manifest.get("scripts"))), frozenset(installed))


def _of_python(text: str) -> CommandNames | None:
    try:
        manifest = tomllib.loads(text)
    except ValueError:
        return None
    tasks = manifest.get("tool", {}).get("poe", {}).get("tasks")
    return CommandNames(POE, frozenset(_keys(tasks))) if tasks else None


def _keys(value: object) -> Iterator[str]:
    return iter(map(str, value)) if isinstance(value, Mapping) else iter(())


def together(found: Iterable[CommandNames]) -> Mapping[str, CommandNames]:
    """Returns the commands of all manifests of a repository, by program."""
    whole: dict[str, CommandNames] = {}
    for each in found:
        old = whole.get(each.program, CommandNames(each.program, frozenset()))
        whole[each.program] = CommandNames(
            each.program, old.names | each.names, old.installed | each.installed
        )
    return whole
