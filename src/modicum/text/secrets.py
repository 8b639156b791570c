"""Finds likely secrets (keys, tokens, passwords) in a text and takes them out; reports hidden characters. Pure."""

import re
from collections.abc import Iterator

from modicum.base.plain_words import is_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.text.markdown import Remark

REDACTED = "[REDACTED]"

Span = tuple[int, int, str]  # where a secret starts and ends, and of which kind it is

# What stands before a key: no letter of a longer word, except for those of an escape such as \n, %3D or a colour.
EDGE = (
    r"(?:(?<![\\0-9A-Za-z+_-])|(?<=\\[0abfnrtv])|(?<=%[0-9A-Fa-f]{2})|(?<=\\x[0-9A-Fa-f]{2})"
    r"|(?<=\\[Uu][0-9A-Fa-f]{4})|(?<=\x1b\[m)|(?<=\x1b\[[0-9]m)|(?<=\x1b\[[0-9]{2}m))"
)
_KEY_BLOCK = (
    r"(?s)-----BEGIN (?:[A-Z]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r".*?(?:-----END (?:[A-Z]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|\Z)"
)


_GLANCE = 10_000  # letters; a longer text is rarely plain
_SHORTEST_WORD = 14  # letters: a key of a service, or what announces it, is in a word that long


def findings(text: str) -> "tuple[Remark, ...]":
    """Returns a remark for each likely secret and hidden character in a text, without the secret itself."""
    # Who only wants the patterns must not pay for these imports.
    from modicum.text.hidden import hidden_characters
    from modicum.text.markdown import Remark

    told = (
        (at, f"this looks like a secret ({kind}): take it out and revoke it") for at, _, kind in secrets(text)
    )
    remarks, line, past = [], 1, 0
    for at, message in sorted((*hidden_characters(text), *told), key=lambda pair: pair[0]):
        line, past = line + text.count("\n", past, at), at
        remarks.append(Remark(line, message))
    return tuple(remarks)


def redact_secrets(text: str) -> str:
    """Returns a text with likely secrets taken out; what only announces a secret ("password: ") stays."""
    pieces, past = [], 0
    for start, end, _ in secrets(text):
        pieces += [text[past:start], REDACTED]
        past = end
    return "".join([*pieces, text[past:]]) if pieces else text


def secrets(text: str) -> list[Span]:
    """Returns the likely secrets of a text in their order; those that touch each other are one."""
    if len(text) < _GLANCE and is_plain(text):
        return []
    from modicum.text.secret_kinds.announced import announced
    from modicum.text.secret_kinds.connections import in_connections

    spans: list[Span] = []
    every = (*_key_blocks(text), *_keys(text), *announced(text), *in_connections(text))
    for start, end, kind in sorted(every):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]), spans[-1][2])
        else:
            spans.append((start, end, kind))
    return spans


def _key_blocks(text: str) -> Iterator[Span]:
    if "PRIVATE KEY" in text:
        yield from ((found.start(), found.end(), "private key") for found in re.finditer(_KEY_BLOCK, text))


def _keys(text: str) -> Iterator[Span]:
    """The keys that a service marks as its own; a rule is only compiled, and only tried, where its word stands."""
    long_words = " ".join([word for word in text.split() if len(word) >= _SHORTEST_WORD])
    if not long_words:
        return
    from modicum.text.secret_kinds.services import RULES

    # All that marks a key is ASCII, which is searched several times as fast where there is nothing else.
    long_words = long_words.encode("ascii", "replace").decode()
    for kind, before, words, pattern in RULES:
        for word in words:
            if word in long_words:
                yield from _keys_at(text, word, before, re.compile(EDGE + pattern), kind)


def _keys_at(text: str, word: str, before: int, pattern: re.Pattern[str], kind: str) -> Iterator[Span]:
    at = text.find(word)
    while at >= 0:
        starts = range(max(0, at - before), at + 1)
        found = next(filter(None, (pattern.match(text, start) for start in starts)), None)
        if found and not _is_model(found["value"], word):
            yield found.start("value"), found.end("value"), kind
        at = text.find(word, max(at + 1, found.end()) if found else at + 1)


_FILLERS = "xX*.0?…_-"


def _is_model(value: str, word: str) -> bool:
    """Whether a key only shows what one looks like: `ghp_xxxxxxxx`, `AKIAIOSFODNN7EXAMPLE`."""
    from modicum.text.secret_kinds.announced import STAND_IN

    rest = value.removeprefix(word)
    return bool(re.search(STAND_IN, value)) or sum(rest.count(each) for each in _FILLERS) * 2 > len(rest)
