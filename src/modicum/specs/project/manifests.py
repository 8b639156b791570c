"""Reads the dependencies out of a project's manifests: package.json, Cargo.toml, pyproject.toml, requirements.txt. Pure."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping

from modicum.specs.project.facts import ProjectFile


def named_dependencies(file: ProjectFile) -> str:
    """Returns the first dependencies of a manifest as words behind its path; "" if there are none."""
    names = list(dependencies(file))
    return f": {', '.join(names[:20])}{', …' if len(names) > 20 else ''}" if names else ""


def dependencies(file: ProjectFile) -> Iterator[str]:
    """Yields the dependencies that a project's manifest names, if its format is known."""
    name = file.path.rpartition("/")[2]
    try:
        if name == "package.json":
            yield from _keys(json.loads(file.text), "dependencies")
        elif name == "Cargo.toml":
            yield from _keys(tomllib.loads(file.text), "dependencies")
        elif name == "pyproject.toml":
            listed = tomllib.loads(file.text).get("project", {}).get("dependencies", [])
            yield from (re.split(r"[\s<>=!~;\[]", str(each), maxsplit=1)[0] for each in listed)
        elif name == "requirements.txt":
            lines = (line.split("#")[0].strip() for line in file.text.splitlines())
            yield from (
                re.split(r"[\s<>=!~;\[]", line, maxsplit=1)[0] for line in lines if line[:1].isalnum()
            )
    except (ValueError, AttributeError, TypeError, RecursionError):
        return


def _keys(value: object, key: str) -> Iterator[str]:
    inner = value.get(key) if isinstance(value, Mapping) else None
    if isinstance(inner, Mapping):
        yield from (str(each) for each in inner)
