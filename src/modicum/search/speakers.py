"""Finds the speaker and the day of a written turn of a conversation, at the head of its text or in its title."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from modicum.search.dates import calendar_dates

HEAD = 160  # characters in which a turn says whose it is
SPEAKS = 3  # turns that make a label a speaker: a title is not repeated, and a name is

NAMES = 3  # words of a name
_SIGNS = "[(,:–—-"  # behind a name in a title

_NAME = r"(?P<name>[^\W\d_][\w.'’-]{0,29}(?: [^\W\d_][\w.'’-]{0,29}){0,2})"
_ASIDE = r"[\[(][^\])\n]{1,60}[\])]"
_LABEL = rf"\s*(?:{_ASIDE}\s*)?[*_]{{0,2}}{_NAME}[*_]{{0,2}}\s*+(?:{_ASIDE}\s*+)?[*_]{{0,2}}:[*_]{{0,2}}\s"
_TITLE = rf"\s*{_NAME}\s*(?:{_ASIDE}|[,:–—-]\s.*)?\s*"

_pattern = cache(re.compile)  # when it is first needed: a hook searches once


def without_label(text: str) -> str:
    """Returns the text of a turn without the speaker's label at its head."""
    found = _label(text[:HEAD])
    return text[found.end() :] if found else text


def label(title: str, text: str) -> str:
    """Returns the name that may be a speaker's, at the head of a turn's text or title; "" if there is none."""
    found = _label(text[:HEAD]) or _title(title[:HEAD])
    name = found["name"] if found else ""
    return "" if name[:1].islower() else name


def _label(head: str) -> re.Match[str] | None:
    return _pattern(_LABEL).match(head) if ":" in head else None


def _title(head: str) -> re.Match[str] | None:
    """A title of many words that nothing divides is no name: seen without a pattern, which takes time to compile."""
    may_be = len(head.split()) <= NAMES or any(sign in head for sign in _SIGNS)
    return _pattern(_TITLE).fullmatch(head) if may_be else None


def speakers(labels: Iterable[str]) -> frozenset[str]:
    """Returns the labels that occur often enough to be names of speakers."""
    counts = Counter(labels)
    return frozenset(name for name, number in counts.items() if name and number >= SPEAKS)


def day(*texts: str) -> str:
    """Returns the day on which a speaker's turn is dated at its head, as an ISO date; "" if there is none."""
    spans = calendar_dates(" , ".join(text[:HEAD] for text in texts))
    return next((span.first.isoformat() for span in spans if span.first == span.last and not span.yearly), "")


def without_date(title: str) -> tuple[str, str]:
    """Returns the title of a speaker's turn without the date in brackets at its head, and those brackets."""
    found = _pattern(_ASIDE).search(title[:HEAD])
    if found is None or not day(found[0]):
        return title, ""
    return title[: found.start()] + title[found.end() :], found[0]
