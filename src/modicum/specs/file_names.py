"""The names that files and folders of specs get, made from words: of a change, and of a decision. Pure."""

import re
from collections.abc import Iterable

UNNAMED = "unnamed-change"
LONGEST_SLUG = 50
LONGEST_TITLE = 60
_GAP = re.compile(r"[ _-]+")
_DROPPED = re.compile(r"[^a-z0-9 _-]+")
_NOT_PLAIN = re.compile(r"[^a-z0-9]+")
_FOREIGN = re.compile(r"[\W_]+")


def slug(text: str) -> str:
    """Returns the file name of a spec, such as a change's folder: the words of its description with hyphens, cut between words."""
    plain = _GAP.sub("-", _DROPPED.sub("", " ".join(text.lower().split()))).strip("-")
    # A language without Latin letters keeps its own.
    return _cut(plain or _FOREIGN.sub("-", text.lower()).strip("-_"), LONGEST_SLUG) or UNNAMED


def title_slug(title: str) -> str:
    """Returns the name of a decision's file without its number: the words of its title with hyphens."""
    plain = _NOT_PLAIN.sub("-", title.lower()).strip("-")
    return _cut(plain or _FOREIGN.sub("-", title.lower()).strip("-_"), LONGEST_TITLE) or "decision"


def _cut(name: str, longest: int) -> str:
    if len(name) <= longest:
        return name
    cut = name.rfind("-", 0, longest)
    return name[: cut if cut > longest // 2 else longest].strip("-")


def free_name(name: str, taken: Iterable[str]) -> str:
    """Returns the name for a new folder of specs, or the first of name-2, name-3, … that is not taken."""
    known = {each.lower() for each in taken}
    number, found = 2, name
    while found in known:
        number, found = number + 1, f"{name}-{number}"
    return found
