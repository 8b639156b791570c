"""Reads the front matter of an instruction file as the tools do, which are lenient with it. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from modicum.targets.loaders.model import ReadCondition
from modicum.text.markdown import BOM

_BAR = re.compile(r"---[ \t]*+\r?\n")
_END = re.compile(r"^---[ \t]*+(?:\r?\n|\Z)", re.MULTILINE)
# Between globs, and not within the braces of one.
_COMMA = re.compile(r",(?![^{}]{0,200}\})")
_GLOB_KEYS = ("globs", "applyTo", "paths", "fileMatchPattern")
_QUOTES = "\"'"


def front_matter_end(text: str) -> int:
    """Returns the index behind the front matter of an instruction file; 0 if it has none."""
    first = _BAR.match(text, len(BOM) if text.startswith(BOM) else 0)
    last = _END.search(text, first.end()) if first else None
    return last.end() if last else 0


def is_read_at_start(text: str, conditions: Sequence[ReadCondition]) -> bool:
    """Returns False if the front matter of an instruction file says that it is read later, for some files only.

    Values are not parsed as YAML: a glob such as `**` without quotes is none, and tools take it all the same.
    """
    head = text[: front_matter_end(text)]
    for condition in conditions:
        values = values_of(head, condition.key)
        if values is not None:
            return all(value in condition.always for value in values)
        if not condition.absent:
            return False
    return True


def globs_in(text: str) -> tuple[str, ...]:
    """Returns the globs that the front matter of a conditional instruction file names, in the words of any tool."""
    head = text[: front_matter_end(text)]
    named = (value for key in _GLOB_KEYS for value in values_of(head, key) or ())
    globs = (_unquoted(glob) for value in named for glob in _COMMA.split(value))
    return tuple(dict.fromkeys(glob for glob in globs if glob))


def values_of(head: str, key: str) -> list[str] | None:
    """Returns the values of a key in the front matter of an instruction file, one or a list; None if the key is not there."""
    lines = head.splitlines()
    at = next((at for at, line in enumerate(lines) if line.startswith(f"{key}:")), -1)
    if at < 0:
        return None
    value = lines[at].removeprefix(f"{key}:").strip()
    if value.startswith("[") and value.endswith("]"):
        return [_unquoted(item) for item in _COMMA.split(value[1:-1]) if item.strip()]
    items = [_unquoted(value)] if value else [*_items(lines[at + 1 :])]
    return [item for item in items if item]


def _items(lines: Iterable[str]) -> Iterator[str]:
    items = takewhile(lambda line: line.lstrip().startswith("- "), lines)
    return (_unquoted(line.lstrip()[2:]) for line in items)


def _unquoted(value: str) -> str:
    return value.strip().strip(_QUOTES).strip()
