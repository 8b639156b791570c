"""Redacts text for memory: removes what is marked as private, and likely secrets. Pure."""

import re
from collections.abc import Iterator

from modicum.memory.names import storable
from modicum.text.secrets import REDACTED as REDACTED
from modicum.text.secrets import redact_secrets

# Compiled only when a text may hold what it finds.
_TAG = r"(?i)<\s{0,9}(/?)\s{0,9}private\b[^<>]{0,200}>"


def redact(text: str) -> str:
    """Redacts a text for memory: removes private parts, likely secrets, and the blanks around the text."""
    return redact_inside(text).strip()


def redact_inside(text: str) -> str:
    """Redacts a text for memory: removes private parts and likely secrets, but keeps the blanks around it."""
    return redact_secrets(_public(storable(text)))


def _public(text: str) -> str:
    return "".join(_pieces(text)) if "<" in text else text


def _pieces(text: str) -> Iterator[str]:
    """What is outside of private passages; one that is not closed goes on to the end."""
    depth = at = 0
    for tag in re.finditer(_TAG, text):
        closing = bool(tag[1])
        if not depth and closing:
            continue  # closes nothing: it is only text
        if not depth:
            yield text[at : tag.start()]
            yield REDACTED
        depth += -1 if closing else 1
        at = tag.end()
    if not depth:
        yield text[at:]
