"""Tells the version of an installed program by where it lies; nothing is run."""

import json
import re
from pathlib import Path


def version_of(path: str) -> str:
    """Returns the version of an installed program: its name in a folder of versions, or that of the npm package it is in; else ""."""
    program = Path(path).resolve()
    if program.parent.name == "versions" and re.fullmatch(r"\d+(?:\.\d+)+", program.name):
        return program.name
    for folder in program.parents[:3]:
        if not _is_package(folder):  # of what is elsewhere it says nothing
            continue
        try:
            return str(json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return ""


def _is_package(folder: Path) -> bool:
    above = folder.parent.parent if folder.parent.name.startswith("@") else folder.parent
    return above.name == "node_modules"
