"""Explores a possible change: merges thoughts about it part by part, and guesses its type and size. Pure."""

import re
from collections.abc import Mapping

PARTS = ("goals", "constraints", "preferences", "unknowns", "decisions", "context")
_HEADING = re.compile(rf"^## ({'|'.join(part.capitalize() for part in PARTS)})$", re.MULTILINE)
_DEEPER = re.compile(r"^(#{1,5}) ", re.MULTILINE)

# The first word that is there decides.
_TYPES = (
    ("fix", "fix fixes bug bugs crash crashes error errors broken"),
    ("refactor", "refactor refactoring restructure reorganize reorganise cleanup"),
    ("enhancement", "improve improves enhance optimize optimise better upgrade"),
    ("feature", "new add create build implement"),
)
_SIZES = (
    ("small", "quick small simple trivial one-liner minor"),
    ("large", "complex large major big rewrite overhaul"),
)


def merged(before: str, parts: Mapping[str, str]) -> str:
    """Returns the text of an exploration with these parts in the place of earlier ones of the same name."""
    kept = {**parse(before), **{name: text.strip() for name, text in parts.items() if text.strip()}}
    # A heading of the user's own goes one level down, so that it is never taken for one of ours.
    return "\n\n".join(
        f"## {name.capitalize()}\n\n{_DEEPER.sub(_down, kept[name])}" for name in PARTS if name in kept
    )


def _down(found: re.Match[str]) -> str:
    return f"{found[1]}# " if len(found[1]) < 3 else found[0]


def parse(text: str) -> dict[str, str]:
    """Parses the text of an exploration, which `merged` wrote, into its parts."""
    _, *rest = _HEADING.split(text)
    return {name.lower(): body.strip() for name, body in zip(rest[::2], rest[1::2], strict=True)}


def suggest(text: str) -> tuple[str, str]:
    """Returns the type and the size of change that an exploration's text suggests, by whole words."""
    words = set(re.findall(r"[a-z]+(?:-[a-z]+)*", text.lower().replace("clean up", "cleanup")))
    return _first(_TYPES, words, "feature"), _first(_SIZES, words, "medium")


def _first(table: tuple[tuple[str, str], ...], words: set[str], default: str) -> str:
    return next((name for name, listed in table if words & set(listed.split())), default)
