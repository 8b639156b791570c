"""Features of a search candidate besides its words (date, author, phrase, pinned, …), and reasons in words."""

import math
from collections.abc import Callable, Iterable, Mapping, Set
from datetime import date
from functools import cache, lru_cache
from itertools import chain, islice, pairwise

from modicum.base.named_tuple import NamedTuple
from modicum.base.value import NOTHING, Value
from modicum.search.dates import Span
from modicum.search.question import Question
from modicum.search.terms import Trait, fold, stem
from modicum.search.word_lists import STOP_WORDS

SOON_DAYS = 7  # a note on something that happened is written within a week or so
LONG_SPAN_DAYS = 31  # a season or a year fits too many notes to say much
LEAST_SURE = 0.25
RECENT_DAYS = 30
FULL_SUBSTANCE = 20  # words; beyond them more is not better
_LOOKED_AT = 2_000  # words among which these are looked for
SHOWN_WORDS = 4
TITLE_WORDS = 3  # a shorter title is no more than a label
ANSWERED = 0.6  # of the likeness of a question is its answer's, too
SAID = 0.5  # of what its words tell takes from the likeness of a note; of a turn, all: likeness fills in what words leave open

_QUESTION = int(
    Trait.QUESTION
)  # plain numbers: a flag takes as long to compare as all other features of a candidate
NO_WORDS: frozenset[str] = frozenset()
_SUBSTANCES = [min(1.0, math.log1p(n) / math.log1p(FULL_SUBSTANCE)) for n in range(FULL_SUBSTANCE + 1)]


class Candidate(NamedTuple):
    """A candidate of a search: a text that may answer the question, its stems, and its other features."""

    id: int
    title: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # topic, project, files and tools, as written
    author: str = ""
    speaker: str = ""  # whom its text names as speaking, where no author is known
    session: str = ""  # "" stands alone
    position: int = 0
    created_at: str = ""  # UTC, ISO 8601
    said: tuple[Span, ...] = ()  # the days that its text names relative to that one, such as "yesterday"
    traits: int = 0  # of `Trait`
    telling: int = 0  # different words that are no stop words
    related: frozenset[int] = frozenset()
    pinned: bool = False
    alike: float = 0.0  # how like the question it is in meaning, from 0 to 1, where a sentence model says so


class CandidateContext(NamedTuple):
    """A search candidate with the features of its own words, its neighbours' words, and its session."""

    candidate: Candidate
    own: Mapping[str, float]
    before: Mapping[str, float] = NOTHING
    after: Mapping[str, float] = NOTHING
    previous: "CandidateContext | None" = None
    session: float = 0.0
    total: float = 0.0  # of its own words


class QuestionContext(Value):
    """The features of a search that are the same for all candidates; `top` is the best match by words.

    It converses if some of the candidates follow one another in a session. `telling`: the stem of the only thing
    that it asks for beside a time.
    """

    question: Question
    author: str
    top: float
    best_session: float = 1.0
    converses: bool = False
    telling: frozenset[str] = NO_WORDS


Signal = Callable[[QuestionContext, CandidateContext], float]


def _context(context: QuestionContext, place: CandidateContext) -> float:
    if not place.before and not place.after:
        return place.total / context.top
    best = dict(place.own)
    for reached in (place.before, place.after):
        for word, value in reached.items():
            if value > best.get(word, 0.0):
                best[word] = value
    return sum(best.values()) / context.top


def _session(context: QuestionContext, place: CandidateContext) -> float:
    return place.session / context.best_session


def _answer(context: QuestionContext, place: CandidateContext) -> float:
    previous = place.previous
    if previous is None or not previous.total or not previous.candidate.traits & Trait.QUESTION:
        return 0.0
    return previous.total / context.top


def _nearness(context: QuestionContext, place: CandidateContext) -> float:
    if len(place.own) < 2:
        return 0.0
    spots: dict[str, list[int]] = {}
    for spot, word in enumerate((*place.candidate.title, *place.candidate.body)):
        if word in place.own:
            spots.setdefault(word, []).append(spot)
    pairs = ((a.stem, b.stem) for a, b in pairwise(context.question.terms))
    near = (
        min(place.own[a], place.own[b]) / min(abs(x - y) for x in spots[a] for y in spots[b])
        for a, b in pairs
        if a in spots and b in spots
    )
    return sum(near) / context.top


def _asks(_: QuestionContext, place: CandidateContext) -> float:
    return float(place.candidate.traits & _QUESTION)


@cache
def _stop_stems() -> frozenset[str]:  # only what is saved asks for them, and they take 3 ms
    return frozenset(map(stem, STOP_WORDS))


def telling_words(*texts: Iterable[str]) -> int:
    """Returns the feature `telling` of a candidate: how many different words its texts have, up to enough."""
    return min(FULL_SUBSTANCE, len(set(islice(chain(*texts), _LOOKED_AT)) - _stop_stems()))


def _substance(_: QuestionContext, place: CandidateContext) -> float:
    return _SUBSTANCES[place.candidate.telling]


def _phrase(context: QuestionContext, place: CandidateContext) -> float:
    return float(sum(_holds(place.candidate, phrase) for phrase in context.question.phrases))


def _holds(candidate: Candidate, phrase: tuple[str, ...]) -> bool:
    wanted = f" {' '.join(phrase)} "
    return any(wanted in f" {' '.join(text)} " for text in (candidate.title, candidate.body))


def _id(context: QuestionContext, place: CandidateContext) -> float:
    return float(place.candidate.id in context.question.ids)


def _topic(context: QuestionContext, place: CandidateContext) -> float:
    return float(_is_called(context.question.text, place.candidate.names))


@lru_cache(maxsize=1024)
def _is_called(text: str, names: tuple[str, ...]) -> bool:
    whole = fold(text.strip())
    return any(fold(name) == whole for name in names)


def _name(context: QuestionContext, place: CandidateContext) -> float:
    return float(bool(_named(context.question.names, place.candidate.names)))


@lru_cache(maxsize=1024)
def _named(asked: frozenset[str], names: tuple[str, ...]) -> str:
    """The first of the names that the question has, whole or, of a path, the last part."""
    return next((name for name in names if not asked.isdisjoint(_calls(name))), "")


@lru_cache(maxsize=1024)
def _calls(name: str) -> tuple[str, str]:
    return fold(name), fold(name.rpartition("/")[2])


def _author(context: QuestionContext, place: CandidateContext) -> float:
    candidate = place.candidate
    return float(bool(context.author) and (candidate.author or candidate.speaker) == context.author)


@lru_cache(maxsize=1024)
def date_of(created_at: str) -> date | None:
    """Returns the day that is a candidate's feature in a search; None if its time is no time."""
    try:
        return date.fromisoformat(created_at[:10])
    except ValueError:
        return None


def _date(context: QuestionContext, place: CandidateContext) -> float:
    spans = context.question.dates
    day = date_of(place.candidate.created_at) if spans else None
    if day is None:
        return 0.0
    named = (_sureness(span) for span in spans for said in place.candidate.said if _overlap(span, said))
    return max(*(_fit(span, day) for span in spans), *named, 0.0)


def _only_thing(context: QuestionContext, place: CandidateContext) -> float:
    """Whether it has the one thing that is asked for beside a time."""
    has_word = not context.telling.isdisjoint(place.own)
    return float(has_word or _author(context, place) or _name(context, place))


def _only_date(context: QuestionContext, place: CandidateContext) -> float:
    """How well it fits the time asked about, if it has the one thing that is asked for beside this."""
    return 0.0 if context.telling and not _only_thing(context, place) else _date(context, place)


def _fit(span: Span, day: date) -> float:
    behind = min((late for late in _days_behind(span, day) if late is not None), default=None)
    return 0.0 if behind is None else _sureness(span) / (1 + behind / SOON_DAYS)


def _days_behind(span: Span, day: date) -> Iterable[int | None]:
    """Yields how many days a day is behind a span, None if it is before it; a span of any year may begin in the last."""
    for year in (span.first.year, span.first.year + 1) if span.yearly else (day.year,):
        in_year = _in_year(day, year)
        yield max(0, (in_year - span.last).days) if in_year >= span.first else None


def _in_year(day: date, year: int) -> date:
    try:
        return day.replace(year=year)
    except ValueError:  # the 29th of February
        return day.replace(year=year, day=28)


def _sureness(span: Span) -> float:
    days = (span.last - span.first).days + 1
    return max(LEAST_SURE, min(1.0, LONG_SPAN_DAYS / days))


def _overlap(asked: Span, said: Span) -> bool:
    if not asked.yearly:
        return said.first <= asked.last and said.last >= asked.first
    return any(late == 0 for day in (said.first, said.last) for late in _days_behind(asked, day))


def _shape(context: QuestionContext, place: CandidateContext) -> float:
    return float(bool(context.question.wants & place.candidate.traits))


def _pinned(_: QuestionContext, place: CandidateContext) -> float:
    return float(place.candidate.pinned)


def _recent(context: QuestionContext, place: CandidateContext) -> float:
    today = context.question.today
    return _recency(today, place.candidate.created_at[:10]) if today else 0.0


@lru_cache(maxsize=1024)
def _recency(today: date, created_at: str) -> float:
    day = date_of(created_at)
    return 0.5 ** (max(0, (today - day).days) / RECENT_DAYS) if day else 0.0


def _meaning(context: QuestionContext, place: CandidateContext) -> float:
    alike = place.candidate.alike
    return alike * (1 - SAID * _said(context, place)) if alike and _stands_alone(place.candidate) else 0.0


def _meaning_of_turn(context: QuestionContext, place: CandidateContext) -> float:
    """How like the question a turn of a dialogue is, with a share of the likeness of a question that it answers, as far as its words do not tell it."""
    if _stands_alone(place.candidate):
        return 0.0
    alike = min(1.0, place.candidate.alike + ANSWERED * _alike_before(place))
    return alike * (1 - _said(context, place)) if alike else 0.0


def _said(context: QuestionContext, place: CandidateContext) -> float:
    """How much the words of a candidate and its neighbours tell beside those of the best candidate, from 0 to 1."""
    return min(1.0, _context(context, place))


def _stands_alone(candidate: Candidate) -> bool:
    return len(candidate.title) >= TITLE_WORDS or not candidate.session


def _alike_before(place: CandidateContext) -> float:
    before = place.previous.candidate if place.previous else None
    return before.alike if before and before.traits & Trait.QUESTION else 0.0


SIGNALS: Mapping[str, Signal] = {
    "context": _context,
    "session": _session,
    "answer": _answer,
    "nearness": _nearness,
    "asks": _asks,
    "substance": _substance,
    "phrase": _phrase,
    "id": _id,
    "topic": _topic,
    "name": _name,
    "author": _author,
    "date": _date,
    "only_date": _only_date,
    "only_thing": _only_thing,
    "shape": _shape,
    "pinned": _pinned,
    "recent": _recent,
    "meaning": _meaning,
    "meaning_of_turn": _meaning_of_turn,
}


def applicable_signals(context: QuestionContext) -> Mapping[str, Signal]:
    """Returns the signals (features) that this question can have: most name no date, phrase or number."""
    question = context.question
    needs: Mapping[str, object] = {
        "answer": context.converses,
        "nearness": len(question.terms) > 1,
        "phrase": question.phrases,
        "id": question.ids,
        "author": context.author,
        "date": question.dates,
        "only_date": question.is_about_a_time,
        "only_thing": context.telling,
        "shape": question.wants,
        "recent": question.today,
    }
    return {name: signal for name, signal in SIGNALS.items() if needs.get(name, True)}


# Reasons, in the order in which a reader asks for them.

_SHAPES = {Trait.TIME: "says when", Trait.NUMBER: "has a number", Trait.NAME: "names somebody"}


def reasons(
    context: QuestionContext, place: CandidateContext, found: Mapping[str, float], linked: int | None
) -> tuple[str, ...]:
    """Returns the reasons for a candidate's rank in words: a short clause for each feature that a person sees."""
    clauses = (_WORDING[name](context, place) for name in _WORDING if name in found)
    words = _matches(context.question, place)
    return (*words, *clauses, *(["linked to one of the best"] if linked is not None else []))


def says_why(place: CandidateContext, found: Mapping[str, float]) -> bool:
    """Returns True if there are reasons for a candidate's rank: words, or a feature that a person sees."""
    return bool(place.own or place.before or place.after) or not _WORDING.keys().isdisjoint(found)


def _matches(question: Question, place: CandidateContext) -> Iterable[str]:
    title = set(place.candidate.title)
    nearby = {w for w in (*place.before, *place.after) if w not in place.own}
    before = {w for w in nearby if place.before.get(w, 0.0) >= place.after.get(w, 0.0)}
    groups = (
        ("matches {} in the title", place.own.keys() & title),
        ("matches {}", place.own.keys() - title),
        ("a note before it matches {}", before),
        ("a note after it matches {}", nearby - before),
    )
    return (clause.format(_quoted(question, words)) for clause, words in groups if words)


def _quoted(question: Question, words: Set[str]) -> str:
    found = [f"'{term.word}'" for term in question.terms if term.stem in words]
    more = len(found) - SHOWN_WORDS
    return ", ".join(found[:SHOWN_WORDS]) + (f" and {more} more" if more > 0 else "")


def _say_shape(context: QuestionContext, place: CandidateContext) -> str:
    shared = Trait(context.question.wants & place.candidate.traits)
    return " and ".join(words for trait, words in _SHAPES.items() if trait in shared)


_WORDING: Mapping[str, Callable[[QuestionContext, CandidateContext], str]] = {
    "id": lambda _, __: "is named",
    "topic": lambda context, _: f"is called '{context.question.text.strip()}'",
    "name": lambda context, place: f"belongs to '{_named(context.question.names, place.candidate.names)}'",
    "phrase": lambda _, __: "has the quoted words",
    "author": lambda context, place: f"{'by' if place.candidate.author else 'headed'} {context.author}",
    "date": lambda _, __: "from the time asked about",
    "shape": _say_shape,
    "answer": lambda _, __: "follows a question that matches",
    "pinned": lambda _, __: "pinned",
    "meaning": lambda _, __: "close in meaning",
    "meaning_of_turn": lambda _, place: (
        "close in meaning" if place.candidate.alike else "follows a question that is close in meaning"
    ),
}
