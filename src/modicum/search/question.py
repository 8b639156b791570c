"""Parses a search question: the words to look for, quoted phrases, numbers, names, dates, wanted traits."""

import re
from datetime import date

from modicum.base.value import Value
from modicum.search.dates import Span, dates_in
from modicum.search.terms import NO_TRAITS, Trait, compounds, fold, stem, stems, tokens
from modicum.search.word_lists import ASKING_WORDS, LIGHT_WORDS, STOP_WORDS

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
    asks_for_many: bool = False  # several texts answer together, as for "what has she ever bought"


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
_MANY = re.compile(
    r"\b(?:ever|all|list|various|kinds|types|ways|times|both)\b|\bhow many\b|\b(?:what|which|where|who)\b[^.?!]{0,60}?\bha(?:s|ve)\b"
    r"|^(?:what|which) (?:\w+ )?\w+[^s\W]s\b",
    re.IGNORECASE,
)


def parse_question(text: str, *, today: date | None = None) -> Question:
    """Parses a search question from a text; `today` gives "yesterday" and "last week" their meaning."""
    dates = dates_in(text, today=today)
    return Question(
        text=text,
        terms=_terms(text),
        phrases=_phrases(text),
        ids=frozenset(int(number) for number in _ID.findall(text)),
        names=frozenset(map(fold, compounds(text))) | frozenset(tokens(text)),
        dates=dates,
        wants=_wants(text),
        today=today,
        asks_for_many=not dates and _MANY.search(text) is not None,
    )


def _terms(text: str) -> tuple[Term, ...]:
    words = list(tokens(text))
    some = [word for word in words if word not in STOP_WORDS] or words
    telling = [word for word in some if word not in LIGHT_WORDS] or some
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
