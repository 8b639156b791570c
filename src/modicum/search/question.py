"""Parses a search question: the words to look for, quoted phrases, numbers, names, dates, wanted traits."""

import re
from datetime import date

from modicum.base.value import Value
from modicum.search.dates import Span, dates_in
from modicum.search.terms import (
    ASKING_WORDS,
    NO_TRAITS,
    STOP_WORDS,
    Trait,
    compounds,
    fold,
    stem,
    stems,
    tokens,
)

ASKING_WEIGHT = 0.5


class Term(Value):
    """A word of a search question: `word` for the full-text query, which stems it itself, `stem` for counting."""

    stem: str
    word: str
    weight: float = 1.0


class Question(Value):
    """A parsed search question: its words, phrases, names (folded), dates, and `wants`, what the answer has."""

    text: str
    terms: tuple[Term, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    ids: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()
    dates: tuple[Span, ...] = ()
    wants: Trait = NO_TRAITS
    today: date | None = None


_PHRASE = re.compile(r'"([^"]+)"|“([^“”]+)”|「([^「」]+)」')
_ID = re.compile(r"(?<!\w)#(\d{1,18})\b")
# Where a question begins: "when" within one ("how did it feel when ...") wants no time.
_START = r"(?:^|[.,;:!?]\s+|\band )"
_WANTS = (
    (
        Trait.TIME,
        re.compile(
            rf"{_START}(?:since )?(?:when|what (?:date|day|month|year|time)|how long)\b", re.IGNORECASE
        ),
    ),
    (Trait.NUMBER, re.compile(rf"{_START}how (?:many|much|often|long|old)\b", re.IGNORECASE)),
    (Trait.NAME, re.compile(rf"{_START}(?:who|whom|whose)\b", re.IGNORECASE)),
)


def parse_question(text: str, *, today: date | None = None) -> Question:
    """Parses a search question from a text; `today` gives "yesterday" and "last week" their meaning."""
    return Question(
        text=text,
        terms=_terms(text),
        phrases=_phrases(text),
        ids=frozenset(int(number) for number in _ID.findall(text)),
        names=frozenset(map(fold, compounds(text))) | frozenset(tokens(text)),
        dates=dates_in(text, today=today),
        wants=_wants(text),
        today=today,
    )


def _terms(text: str) -> tuple[Term, ...]:
    words = list(tokens(text))
    telling = [word for word in words if word not in STOP_WORDS] or words
    weights = {word: ASKING_WEIGHT if word in ASKING_WORDS else 1.0 for word in telling}
    found: dict[str, Term] = {}
    for word, weight in weights.items():
        found.setdefault(stem(word), Term(stem(word), word, weight))
    return tuple(found.values())


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    quoted = ("".join(groups) for groups in _PHRASE.findall(text))
    return tuple(phrase for phrase in map(stems, quoted) if len(phrase) > 1)


def _wants(text: str) -> Trait:
    wanted = NO_TRAITS
    for trait, pattern in _WANTS:
        if pattern.search(text):
            wanted |= trait
    return wanted
