"""Finds conflicts for a context check: sentences that forbid what a change wants. Pure, for English only.

It compares words, not meanings, so that what it finds is only a possible conflict.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from modicum.search.terms import STOP_WORDS, fold, stem, tokens

_BLAND = """
    add allow always change code do ensure every existing feature fix handle implement improve introduce keep must
    need never new only please project provide require required shall should support system try update want work
"""
_STOP = frozenset(stem(word) for word in (*STOP_WORDS, *_BLAND.split()))
_SENTENCE = re.compile(r"[^.!?;\n]+(?:\.(?=\w)[^.!?;\n]*)*")
# What ends the reach of a word that forbids.
_END = re.compile(
    r"[:,]\s+(?=but|use|prefer|instead|we)|\b(?:but|unless|except|because|instead|since|so that|until)\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    r"\b(?:(?P<weak>without|instead\s+of|rather\s+than|does\s+not|doesn't|will\s+not|won't|cannot|can\s*not|can't|no\s+longer|no|not(?!\s+(?:allowed|only)))"
    r"|never|must\s*not|mustn't|do\s+not|don't|shall\s+not|should\s+not|shouldn't|may\s+not|avoid|not\s+allowed\s+to|refuse(?:s|d)?\s+to"
    r"|reject(?:s|ed)?|ban(?:s|ned)?|forbid(?:s|den)?|prohibit(?:s|ed)?|decided\s+against|moved?\s+away\s+from)\b",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(
    r"\b(?:is|are)\s+(?:strictly\s+)?(?:forbidden|prohibited|banned|not\s+(?:allowed|permitted|an\s+option|acceptable)|disallowed|out\s+of\s+scope)\b",
    re.IGNORECASE,
)
_DROPS = re.compile(
    r"\b(?:remove|removing|drop(?:ping)?|delete|deleting|disable|disabling|stop(?:ping)?(?:\s+using)?|abandon(?:ing)?|retire|retiring"
    r"|get\s+rid\s+of|replace|replacing|skip(?:ping)?|bypass(?:ing)?|migrate\s+(?:away\s+)?from|move\s+(?:away\s+)?from|switch\s+from)\b",
    re.IGNORECASE,
)
_DROP_END = re.compile(r"\b(?:with|by|to|for|in\s+favou?r\s+of)\b", re.IGNORECASE)
_DEMANDS = re.compile(
    r"\b(?:always|must|shall|required?|requires|mandatory|use|uses|using|need(?:s|ed)?|only|ha(?:s|ve)\s+to|we\s+(?:chose|choose|keep|will))\b",
    re.IGNORECASE,
)
_REACH, _SUBJECT = 12, 6  # words
_MOST = 40  # words that forbid or drop, of one sentence: what has more is no sentence


class RuleStatement(NamedTuple):
    """What one sentence forbids or demands, for finding conflicts: its words and stems, without the verb."""

    stems: tuple[str, ...]
    words: str
    strong: bool = True  # "never" and "must not" forbid; "not" and "without" may only tell
    subject: tuple[str, ...] = ()  # stems of what it is said of
    sentence: str = ""


class Stance(NamedTuple):
    """What a text forbids, and what it demands, for finding conflicts."""

    against: tuple[RuleStatement, ...]
    wants: tuple[RuleStatement, ...]


Rare = Callable[[str], bool]


def stance_of(text: str) -> Stance:
    """Returns what a rule or a decision forbids and demands, for finding conflicts with a change."""
    against: list[RuleStatement] = []
    wants: list[RuleStatement] = []
    for found in _SENTENCE.finditer(text):
        sentence = found[0]
        forbidden = [each._replace(sentence=sentence) for each in _forbidden(sentence)]
        against += forbidden
        if not forbidden and _DEMANDS.search(sentence):
            wants.append(_statement(sentence)._replace(sentence=sentence))
    return Stance(tuple(against), tuple(wants))


def intent_of(text: str) -> Stance:
    """Returns what the description of a change wants, for finding conflicts; what it excludes is left out."""
    against: list[RuleStatement] = []
    wanted: list[RuleStatement] = []
    for found in _SENTENCE.finditer(text):
        sentence = found[0]
        dropped = [each._replace(strong=True) for each in (*_forbidden(sentence), *_dropped(sentence))]
        against += dropped
        rest = sentence
        for statement in dropped:
            rest = rest.replace(statement.words, " ")
        wanted.append(_statement(rest))
    return Stance(tuple(against), tuple(wanted))


def _forbidden(sentence: str) -> Iterator[RuleStatement]:
    if passive := _FORBIDDEN.search(sentence):
        yield _statement(f"{sentence[: passive.start()]} {sentence[passive.end() :]}")
        return
    for found in islice(_FORBIDS.finditer(sentence), _MOST):
        reach = _END.split(sentence[found.end() :], maxsplit=1)[0]
        before = _statement(" ".join(sentence[: found.start()].split()[-_SUBJECT:])).stems
        yield _statement(reach, strong=not found["weak"])._replace(subject=before)


def _dropped(sentence: str) -> Iterator[RuleStatement]:
    for found in islice(_DROPS.finditer(sentence), _MOST):
        yield _statement(_DROP_END.split(sentence[found.end() :], maxsplit=1)[0])


def _statement(words: str, *, strong: bool = True) -> RuleStatement:
    reach = " ".join(words.split()[:_REACH])
    found = (stem(token) for token in tokens(fold(reach)))
    return RuleStatement(tuple(dict.fromkeys(each for each in found if each not in _STOP)), words, strong)


def conflict(intent: Stance, text: str, rare: Rare) -> str:
    """Returns the sentence that is in conflict with a change: it forbids what the change wants; "" if none."""
    if not (_FORBIDS.search(text) or _FORBIDDEN.search(text) or (intent.against and _DEMANDS.search(text))):
        return ""
    stance = stance_of(text)
    wanted = {each for statement in intent.wants for each in statement.stems}
    for statement in stance.against:
        if _meets(statement, wanted, rare):
            return " ".join(statement.sentence.split())
    for statement in intent.against:
        for demand in stance.wants:
            if _meets(statement, set(demand.stems), rare):
                return " ".join(demand.sentence.split())
    return ""


def _meets(statement: RuleStatement, wanted: set[str], rare: Rare) -> bool:
    """Returns True if the two share two words, or one rare word and the statement is strong."""
    shared = [each for each in statement.stems if each in wanted]
    about = [each for each in statement.subject if each in wanted] if statement.strong else []
    return len({*shared, *about}) > 1 or (statement.strong and any(map(rare, shared)))
