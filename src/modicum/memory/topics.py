"""Suggests the topic key of a note by its type and title, so that the next one gets the same key. Pure."""

import re

from modicum.memory.model import DEFAULT_TYPE
from modicum.memory.names import LONGEST_TOPIC, clip
from modicum.memory.redact import redact

LONGEST_SEGMENT = 100
FIRST_WORDS = 8
GENERAL = "general"


def _table(lines: str) -> dict[str, tuple[str, ...]]:
    pairs = (line.strip().partition(": ") for line in lines.strip().splitlines())
    return {family: tuple(words.split(", ")) for family, _, words in pairs}


_FAMILIES = _table("""
    architecture: architecture, design, adr, refactor
    bug: bug, bugfix, fix, incident, hotfix
    decision: decision
    pattern: pattern, convention, guideline
    config: config, setup, infra, infrastructure, ci
    discovery: discovery, investigation, root_cause, root-cause
    explore: explore, exploration, context, discuss
    learning: learning, learn
    session: session_summary
""")
_BY_TYPE = {kind: family for family, kinds in _FAMILIES.items() for kind in kinds}

# Parts of words count ("prefix" is a bug), as they do in the systems whose keys are to stay the same.
_HINTS = _table("""
    bug: bug, fix, panic, error, crash, regression, incident, hotfix
    architecture: architecture, design, adr, boundary, hexagonal, refactor
    decision: decision, tradeoff, chose, choose, decide
    pattern: pattern, convention, naming, guideline
    config: config, setup, environment, env, docker, pipeline
    discovery: discovery, investigate, investigation, found, root cause
    learning: learned, learning
""")


def suggest_topic(kind: str, title: str, content: str = "") -> str:
    """Suggests a topic key such as "bug/nil-panic-in-auth": the family by type or words, then the title."""
    return topic_of(kind, redact(title), redact(content))


def topic_of(kind: str, title: str, content: str) -> str:
    """Suggests the topic key of a note whose secrets are out already."""
    family = _family(kind.strip().lower(), f"{title} {content}".lower())
    words = segment(title) or segment(" ".join(content.lower().split()[:FIRST_WORDS]))
    rest = words.removeprefix(f"{family}-")
    return clip(f"{family}/{GENERAL if rest in ('', family) else rest}", LONGEST_TOPIC)


def segment(text: str) -> str:
    """Returns one part of a topic key: ASCII letters and digits of a text in lower case, joined by "-"."""
    return clip("-".join(re.findall(r"[a-z0-9]+", text.lower())), LONGEST_SEGMENT)


def _family(kind: str, text: str) -> str:
    if kind in _BY_TYPE:
        return _BY_TYPE[kind]
    hinted = (family for family, hints in _HINTS.items() if any(hint in text for hint in hints))
    return next(hinted, "") or (segment(kind) if kind != DEFAULT_TYPE else "") or "topic"
