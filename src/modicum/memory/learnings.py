"""Finds the list of learnings at the end of an agent's answer. Pure."""

import re

LEAST_BYTES = 20
LEAST_WORDS = 4

_HEADING = re.compile(
    r"^#{2,3}\s+(?:Aprendizajes(?:\s+Clave)?|Key\s+Learnings?|Learnings?):?\s*$", re.IGNORECASE | re.MULTILINE
)
_NEXT_HEADING = re.compile(r"\n#{1,3} ")
_NUMBERED = re.compile(r"^[^\S\n]*+\d++[.)]\s++(.+)", re.MULTILINE)
_BULLET = re.compile(r"^[^\S\n]*+[-*]\s++(.+)", re.MULTILINE)
_MARKUP = (re.compile(r"\*\*([^*]+)\*\*"), re.compile(r"`([^`]+)`"), re.compile(r"\*([^*]+)\*"))


def learnings(text: str) -> tuple[str, ...]:
    """Returns the learnings in an agent's answer: items of its last section worth keeping, without markup."""
    for heading in reversed(list(_HEADING.finditer(text))):
        following = _NEXT_HEADING.search(text, heading.end())
        section = text[heading.end() : following.start() if following else len(text)]
        items = _items(_NUMBERED, section) or _items(_BULLET, section)
        if items:
            return items
    return ()


def _items(pattern: re.Pattern[str], section: str) -> tuple[str, ...]:
    return tuple(filter(_tells, map(_plain, pattern.findall(section))))


def _plain(item: str) -> str:
    for pattern in _MARKUP:
        item = pattern.sub(r"\1", item)
    return " ".join(item.split())


def _tells(item: str) -> bool:
    return len(item.encode()) >= LEAST_BYTES and len(item.split()) >= LEAST_WORDS
