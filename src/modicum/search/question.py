"""Parses a search question: the words to look for, quoted phrases, numbers, names, dates, wanted traits."""

import re
from datetime import date
from functools import cache, partial

from modicum.base.value import Value
from modicum.search.dates import Span, dates_in, is_of_calendar, without_placing_words
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

    @property
    def asks_for_many(self) -> bool:
        """Returns True if several texts answer a question together, as for "what has she ever bought"."""
        return not self.dates and _pattern(_MANY).search(self.text) is not None

    @property
    def is_about_a_time(self) -> bool:
        """Returns True if a search question says next to nothing but a time, as "what changed yesterday" does."""
        telling = (term for term in self.terms if term.weight == 1 and not is_of_calendar(term.word))
        return bool(self.dates) and sum(1 for _ in telling) <= 1


# Each is compiled when a text may have what it finds: a hook parses one prompt, and compiling takes longer than that.
_pattern = cache(partial(re.compile, flags=re.IGNORECASE))
_QUOTES = '"“「'
_PHRASE = r'"([^"]+)"|“([^“”]+)”|「([^「」]+)」'
_ID = r"(?<!\w)#(\d{1,18})\b"
# Where a question begins: "when" within one ("how did it feel when ...") wants no time.
_START = r"(?:^|[.,;:!?]\s+|\band )"
# What an answer has, words of which the question must have one, and how it asks.
_WANTS = (
    (
        Trait.TIME,
        ("when", "what", "how"),
        rf"{_START}(?:since )?(?:when|what (?:date|day|month|year|time)|how long)\b",
    ),
    (Trait.NUMBER, ("how",), rf"{_START}how (?:many|much|often|long|old)\b"),
    (Trait.NAME, ("who",), rf"{_START}(?:who|whom|whose)\b"),
)
_MANY = (
    r"\b(?:ever|all|list|various|kinds|types|ways|times|both)\b|\bhow many\b|\b(?:what|which|where|who)\b[^.?!]{0,60}?\bha(?:s|ve)\b"
    r"|^(?:what|which) (?:\w+ )?\w+[^s\W]s\b"
)


def parse_question(text: str, *, today: date | None = None) -> Question:
    """Parses a search question from a text; `today` gives "yesterday" and "last week" their meaning."""
    dates = dates_in(text, today=today)
    return Question(
        text=text,
        terms=_terms(without_placing_words(text, today=today) if dates else text),
        phrases=_phrases(text),
        ids=_ids(text),
        names=frozenset(map(fold, compounds(text))) | frozenset(tokens(text)),
        dates=dates,
        wants=_wants(text),
        today=today,
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


def _ids(text: str) -> frozenset[int]:
    return frozenset(map(int, _pattern(_ID).findall(text))) if "#" in text else frozenset()


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    if not any(quote in text for quote in _QUOTES):
        return ()
    quoted = ("".join(groups) for groups in _pattern(_PHRASE).findall(text))
    return tuple(phrase for phrase in map(stems, quoted) if len(phrase) > 1)


def _wants(text: str) -> Trait:
    wanted, small = NO_TRAITS, text.lower()
    for trait, words, pattern in _WANTS:
        if any(word in small for word in words) and _pattern(pattern).search(text):
            wanted |= trait
    return wanted
