"""Parses a search question: the words to look for, quoted phrases, numbers, names, dates, wanted traits."""

import re
from datetime import date
from functools import cache, partial

from modicum.base.value import Value
from modicum.search.dates import (
    Span,
    dates_in,
    is_of_calendar,
    without_near_words,
    without_placing_words,
)
from modicum.search.terms import NO_TRAITS, Trait, compounds, fold, stem, stems, tokens
from modicum.search.word_lists import (
    ASKING_WORDS,
    EMPTY_WORDS,
    LIGHT_WORDS,
    NEAR_WORDS,
    STOP_WORDS,
    VAGUE_WORDS,
)

ASKING_WEIGHT = 0.5
ENOUGH_WORDS = 2  # beside "yesterday": then that is no word to look for
_HALF = ASKING_WORDS.union(NEAR_WORDS)
_UNTELLING = EMPTY_WORDS | _HALF | VAGUE_WORDS


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
    def telling(self) -> frozenset[str]:
        """Returns the stems of what a search question asks for: neither words of a time nor those that any note may have."""
        words = (term for term in self.terms if term.word not in _UNTELLING)
        return frozenset(term.stem for term in words if not is_of_calendar(term.word))

    @property
    def is_about_a_time(self) -> bool:
        """Returns True if a search question names a time and one more thing at most, as "what changed yesterday" does."""
        return bool(self.dates) and len(self.telling) <= 1


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


def parse_question(text: str, *, today: date | None = None, is_prompt: bool = False) -> Question:
    """Parses a search question from a text; `today` gives "yesterday" and "last week" their meaning.

    A question that asks for enough beside "yesterday" has the time and not the word. A prompt has both: it may name a thing so.
    """
    dates = dates_in(text, today=today)
    asked = without_placing_words(text, today=today) if dates else text
    return Question(
        text=text,
        terms=_terms(asked) if is_prompt or not (dates and today) else _terms_of_time(asked),
        phrases=_phrases(text),
        ids=_ids(text),
        names=frozenset(map(fold, compounds(text))) | frozenset(tokens(text)),
        dates=dates,
        wants=_wants(text),
        today=today,
    )


def _terms_of_time(text: str) -> tuple[Term, ...]:
    """The words of a text without those that only place a time, if enough others are left."""
    rest = without_near_words(text)
    terms = _terms(rest)
    enough = sum(1 for term in terms if term.word not in EMPTY_WORDS) >= ENOUGH_WORDS
    return terms if enough or rest == text else _terms(text)


def _terms(text: str) -> tuple[Term, ...]:
    words = list(tokens(text))
    some = [word for word in words if word not in STOP_WORDS] or words
    telling = [word for word in some if word not in LIGHT_WORDS] or some
    weights = {word: ASKING_WEIGHT if word in _HALF else 1.0 for word in telling}
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
