"""Tells whether a rule may stand against a planned change: it forbids what the change wants, or demands what it drops. Pure."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from modicum.text.directives import split_sentences
from modicum.text.rules.opposites import Rare, may_forbid
from modicum.text.rules.statements import MOST_CLAUSES, Statement, may_be_negative, statements
from modicum.text.rules.words import content_words

_DROPS = re.compile(
    r"\b(?:remove|removing|drop(?:ping)?|delete|deleting|disable|disabling|stop(?:ping)?(?:\s+using)?|abandon(?:ing)?|retire|retiring"
    r"|get\s+rid\s+of|replace|replacing|skip(?:ping)?|bypass(?:ing)?|migrate\s+(?:away\s+)?from|move\s+(?:away\s+)?from|switch\s+from)\b",
    re.IGNORECASE,
)
_DROP_END = re.compile(r"\b(?:with|by|to|for|in\s+favou?r\s+of)\b", re.IGNORECASE)
_DEMANDS = re.compile(
    r"(?i)\b(?:always|must|shall|required?|requires|mandatory|uses?|using|need(?:s|ed)?|only|ha(?:s|ve)\s+to|we\s+(?:chose|choose|keep|will))\b"
)
_LONGEST = 1_000  # characters of a sentence


class Intent(NamedTuple):
    """The intent of a planned change, as rules are held against it: what it wants, in words, and what it drops or excludes."""

    wanted: frozenset[str]
    against: tuple[Statement, ...] = ()


def intent_of(description: str) -> Intent:
    """Returns the intent of a change by its description: what it wants, and what it drops or excludes."""
    wanted: frozenset[str] = frozenset()
    against: list[Statement] = []
    for sentence in _sentences(description):
        said = [each for each in statements(sentence) if not each.derived]
        dropped = [each._replace(strict=True) for each in said if each.forbids]
        dropped += _dropped(sentence)
        gone = frozenset(word for each in dropped for word in each.words)
        kept = frozenset(
            word for each in said if not each.forbids and not each.guessed for word in each.words
        )
        wanted |= (content_words(sentence) - gone) | (kept if not _DROPS.search(sentence) else frozenset())
        against += dropped
    return Intent(wanted, tuple(against))


def standing_against(intent: Intent, text: str, rare: Rare) -> str:
    """Returns the sentence of a text that may stand against an intent; "" if none does. `rare` tells words that say much."""
    if not _may_stand_against(intent, text):
        return ""
    for sentence in _sentences(text):
        if not _may_stand_against(intent, sentence):
            continue
        said = [each for each in statements(sentence) if not each.derived]
        forbidden = any(may_forbid(each, intent.wanted, rare) for each in said if each.forbids)
        if forbidden or _is_dropped(intent, sentence, said, rare):
            return sentence.rstrip(".!;")
    return ""


def _may_stand_against(intent: Intent, text: str) -> bool:
    return may_be_negative(text) or bool(intent.against and _DEMANDS.search(text))


def _is_dropped(intent: Intent, sentence: str, said: list[Statement], rare: Rare) -> bool:
    """Whether a change drops what a sentence demands."""
    if not _DEMANDS.search(sentence) or any(each.forbids for each in said):
        return False
    demanded = content_words(sentence)
    return any(may_forbid(each, demanded, rare) for each in intent.against)


def _sentences(text: str) -> Iterator[str]:
    return (
        each.text
        for line in text.splitlines() or ()
        for each in split_sentences(line, 1)
        if len(each.text) <= _LONGEST
    )


def _dropped(sentence: str) -> Iterator[Statement]:
    for found in islice(_DROPS.finditer(sentence), MOST_CLAUSES):
        what = _DROP_END.split(sentence[found.end() :], maxsplit=1)[0]
        yield Statement(True, content_words(what))
