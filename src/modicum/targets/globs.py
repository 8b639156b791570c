"""Fills the globs of a conditional rule into a target: its file name and front matter in the tool's notation. Pure."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod

from modicum.base.value import replace
from modicum.targets.model import PLACEHOLDER, Target

_NOT_A_NAME = r"[\W_]+"
_LONGEST_NAME = 80
_PLAIN_WORDS = r"[A-Za-z0-9][^:#\"'\\]* [^:#\"'\\]*\Z"
_BRACES = r"\{([^{}]*)\}"
_MOST_GLOBS = 100


def for_globs(target: Target, *, name: str, globs: Sequence[str], description: str = "") -> Target:
    """Returns the target for one set of globs: its path and front matter with the globs filled in."""
    words = {
        "name": file_name(name),
        "globs": written_globs(globs, target.globs_style),
        "description": _scalar(description or name),
    }
    return replace(target, path=_filled(target.path, words), preamble=_filled(target.preamble, words))


def file_name(name: str) -> str:
    """Returns the name of a conditional rule (for its globs) as part of a file name."""
    return re.sub(_NOT_A_NAME, "-", name.casefold())[:_LONGEST_NAME].strip("-") or "rules"


def written_globs(globs: Sequence[str], style: str) -> str:
    """Returns globs in an AI tool's own notation, on one line."""
    tidy = [" ".join(glob.split()) for glob in globs]
    if style == "yaml-list":
        return f"[{', '.join(map(_quoted, tidy))}]"
    # A comma within braces would end the glob.
    joined = ",".join(single for glob in tidy for single in _without_braces(glob))
    return _quoted(joined) if style == "quoted-comma" else joined


def _filled(text: str, words: Mapping[str, str]) -> str:
    return re.sub(PLACEHOLDER, lambda found: words.get(found[1], found[0]), text)


def _scalar(text: str) -> str:
    line = " ".join(text.split())
    return line if re.match(_PLAIN_WORDS, line) else _quoted(line)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _without_braces(glob: str) -> Iterable[str]:
    parts = re.split(_BRACES, glob)
    options = [part.split(",") if index % 2 else [part] for index, part in enumerate(parts)]
    if prod(map(len, options)) > _MOST_GLOBS:
        return [glob]
    return map("".join, product(*options))
