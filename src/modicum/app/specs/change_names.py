"""Names changes in a line each, straight from their files: hooks and completions cannot wait for all specs to be opened."""

import json
import os
from collections.abc import Iterator

from modicum.base.bounded import read_beginning

USUAL = "docs"
FOLDERS = ("changes", "specs/changes")  # below the folder of documents
CHANGE_FILE = "change.json"
ACTIVE = "active"
_MOST_FOLDERS = 50
_MOST_BYTES = 100_000


def open_changes(root: str, branch: str, docs: str = USUAL, limit: int = 2) -> tuple[str, ...]:
    """Names the open changes, in a line each for hooks: the one of this branch first, then the latest."""
    rows = [row for row in _latest(root, docs) if row.get("status") == ACTIVE]
    rows.sort(key=lambda row: not branch or row.get("branch") != branch)
    return tuple(_line(row) for row in rows[:limit])


def names_of_changes(root: str, docs: str = USUAL) -> list[tuple[str, str]]:
    """Returns the name and the description of each change for completions, open ones first and the latest before others."""
    rows = sorted(_latest(root, docs), key=lambda row: row.get("status") != ACTIVE)
    return [(row["id"], row.get("description", "")) for row in rows if row.get("id")]


def _latest(root: str, docs: str) -> list[dict[str, str]]:
    folders = (f"{root}/{docs}/{folder}" for folder in FOLDERS)
    rows = [row for folder in folders for row in _changes(folder)]
    return sorted(rows, key=lambda row: row.get("updated_at", ""), reverse=True)


def docs_in(*texts: str) -> str:
    """Returns the documents folder in which to look for names of changes, as the last config file has it, else the usual.

    Reading YAML as a whole takes longer than all the rest of a hook.
    """
    named = (line for text in reversed(texts) for line in text.splitlines() if line.startswith("docs:"))
    word = next(named, "").removeprefix("docs:").partition(" #")[0].strip().strip("\"'").strip("/")
    is_below = word and ".." not in word.split("/") and not set("\\:~").intersection(word)
    return word if is_below else USUAL


def _line(row: dict[str, str]) -> str:
    stage = f" at {row['current_stage']}" if row.get("current_stage") else ""
    return f"Open change {row.get('id', '')}{stage}: {row.get('description', '')}"


def _changes(folder: str) -> Iterator[dict[str, str]]:
    try:
        with os.scandir(folder) as found:
            names = sorted((entry.name for entry in found), reverse=True)
    except OSError:
        return
    for name in names[:_MOST_FOLDERS]:
        yield _words(f"{folder}/{name}/{CHANGE_FILE}")


def _words(path: str) -> dict[str, str]:
    """Returns the texts in a JSON file; nothing if it cannot be read, since somebody may be writing it."""
    try:
        row = json.loads(read_beginning(path, _MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    found = row if isinstance(row, dict) else {}
    return {key: value for key, value in found.items() if isinstance(value, str)}
