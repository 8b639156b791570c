"""What must not be written: text marked as private, and what looks like a secret. Pure."""

import re
from collections.abc import Iterator

from modicum.memory.names import storable
from modicum.text.secrets import SECRETS

REDACTED = "[REDACTED]"

# Compiled only when a text may hold what they find.
_TAG = r"(?i)<\s{0,9}(/?)\s{0,9}private\b[^<>]{0,200}>"
_KEY_BLOCK = r"(?s)-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----.*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY-----|\Z)"


def redact(text: str) -> str:
    """The text as it may be written: without what is private or secret, and without blanks around it."""
    return redact_inside(text).strip()


def redact_inside(text: str) -> str:
    """The text without what is private or secret; blanks around it stay."""
    return redact_secrets(_public(storable(text)))


def redact_secrets(text: str) -> str:
    """The text with likely secrets taken out; what only announces one ("password: ") stays."""
    small = text.lower()
    if "private key-" in small:
        text = re.sub(_KEY_BLOCK, REDACTED, text)
    for signs, pattern in SECRETS.values():
        if any(sign in small for sign in signs):
            text = re.sub(pattern, _masked, text)
    return text


def _masked(found: re.Match[str]) -> str:
    secret = found.re.groups
    whole, start = found[0], found.start()
    return whole[: found.start(secret) - start] + REDACTED + whole[found.end(secret) - start :]


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
