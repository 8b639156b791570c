"""Ranks search candidates: BM25 by words, plus signals; each hit with the reasons for its rank."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from modicum.base.value import NOTHING, Value
from modicum.search.features import (
    Candidate,
    CandidateContext,
    QuestionContext,
    applicable_signals,
    reasons,
    signals,
)
from modicum.search.question import Question
from modicum.search.terms import fold

__all__ = ["CONSTANTS", "Candidate", "Collection", "Hit", "rank"]

Constants = Mapping[str, float]

# Everything that was chosen and not computed. From "context" down: what a signal adds to a score in which the best
# match by words alone is 1, so that it means the same for short and long questions.
CONSTANTS: Constants = {
    "saturation": 1.2,  # BM25 k1: the third mention of a word says little
    "length": 0.6,  # BM25 b: long texts match by chance, though notes less so than articles
    "rarity": 1.2,  # power of idf: what is rare in the collection is what was meant
    "title": 1.0,  # a word in the title counts as one more in the text
    "author_word": 0.2,  # an author's name as a word: notes that say it are mostly by somebody else
    "back": 0.7,  # what is left of a word one note later: answers follow what they answer
    "ahead": 0.5,  # and one note earlier
    "titled": 0.3,  # what a note with a title takes of that: it stands by itself, a turn of a dialogue does not
    "context": 1.0,  # the words, its own or faded from its neighbours
    "session": 0.15,  # its session as a whole is about what was asked
    "answer": 0.25,  # follows a question that matches
    "asks": -0.1,  # is itself a question
    "nearness": 0.2,  # words that stand together in the question stand together in the text
    "substance": 0.3,  # has something to say
    "phrase": 0.5,  # what was put in quotes is meant to the letter
    "id": 3.0,  # named by its number: nothing else was asked for
    "topic": 1.0,  # the whole question is one of its names
    "name": 0.2,  # its project, file, tool or topic is named
    "author": 0.2,  # its author is the one asked about
    "date": 0.5,  # written in, or soon after, the time asked about
    "shape": 0.3,  # has what is asked for: a time, a number, a person
    "pinned": 0.05,  # somebody thought that it matters
    "related": 0.1,  # linked to one of the best
    "recent": 0.02,  # settles what is equal otherwise
}

_BEST = 3  # hits whose links count
_FAINT = 0.01
_DIGITS = 9  # so that the last bits of a sum do not decide an order


class Collection(Value):
    """The statistics that ranking needs: how many texts, their average length, and how many have each stem."""

    documents: int
    mean_length: float
    frequencies: Mapping[str, int]


class Hit(NamedTuple):
    """A ranked search candidate with its score; `reasons` is empty if nothing in it answers the question."""

    id: int
    score: float
    reasons: tuple[str, ...] = ()
    signals: Mapping[str, float] = NOTHING


_Parts = dict[str, float]  # a stem and what it adds
_Member = tuple[Candidate, _Parts]


def rank(
    question: Question,
    candidates: Sequence[Candidate],
    collection: Collection,
    *,
    constants: Constants = CONSTANTS,
) -> tuple[Hit, ...]:
    """Ranks search candidates: returns them best first, then newest, then by id."""
    author = _named_author(question, candidates)
    rarities = _rarities(question, collection, author, constants)
    places = _places([(c, _own(c, rarities, collection, constants)) for c in candidates], constants)
    top = max((sum(place.own.values()) for place in places), default=0.0)
    best_session = max((place.session for place in places), default=0.0)
    context = QuestionContext(question, author, top or 1.0, best_session or 1.0)
    return _ordered(context, places, constants)


def _ordered(
    context: QuestionContext, places: Sequence[CandidateContext], constants: Constants
) -> tuple[Hit, ...]:
    applicable = applicable_signals(context)
    found = [signals(context, place, applicable) for place in places]
    scores = [sum(constants[name] * value for name, value in each.items()) for each in found]
    best = sorted(zip((-score for score in scores), (place.candidate.id for place in places), strict=True))[
        :_BEST
    ]
    hits = []
    for place, each, score in zip(places, found, scores, strict=True):
        linked = next((number for _, number in best if number in place.candidate.related), None)
        bonus = 0.0 if linked is None else constants["related"]
        clauses = reasons(context, place, each, linked)
        hits.append(Hit(place.candidate.id, round(score + bonus, _DIGITS), clauses, each))
    created = {place.candidate.id: place.candidate.created_at for place in places}
    hits.sort(key=lambda hit: hit.id)
    return tuple(sorted(hits, key=lambda hit: (hit.score, created[hit.id]), reverse=True))


def _named_author(question: Question, candidates: Sequence[Candidate]) -> str:
    """The one author whom the question names, by a name or the start of one."""
    authors = {candidate.author or candidate.speaker for candidate in candidates} - {""}
    named = [author for author in authors if any(_calls(term.word, author) for term in question.terms)]
    return named[0] if len(named) == 1 else ""


def _calls(word: str, author: str) -> bool:
    return len(word) > 2 and any(name.startswith(word) for name in fold(author).split())


# Words: BM25 for each by itself, so that each can fade along the session by itself.


def _rarities(question: Question, collection: Collection, author: str, constants: Constants) -> _Parts:
    found = {}
    for term in question.terms:
        count = collection.frequencies.get(term.stem, 0)
        rarity = math.log1p(max(0.0, collection.documents - count + 0.5) / (count + 0.5))
        share = constants["author_word"] if _calls(term.word, author) else 1.0
        found[term.stem] = term.weight * share * rarity ** constants["rarity"]
    return found


def _own(candidate: Candidate, rarities: _Parts, collection: Collection, constants: Constants) -> _Parts:
    counts: _Parts = {}
    for text, worth in ((candidate.body, 1.0), (candidate.title, 1.0 + constants["title"])):
        for word in text:
            if word in rarities:
                counts[word] = counts.get(word, 0.0) + worth
    length = (len(candidate.title) + len(candidate.body)) / (collection.mean_length or 1.0)
    k1, b = constants["saturation"], constants["length"]
    halfway = k1 * (1 - b + b * length)
    return {word: rarities[word] * count * (k1 + 1) / (count + halfway) for word, count in counts.items()}


def _places(members: Sequence[_Member], constants: Constants) -> list[CandidateContext]:
    sessions: dict[str | int, list[_Member]] = {}
    for member in members:
        sessions.setdefault(member[0].session or member[0].id, []).append(member)
    return [place for session in sessions.values() for place in _session_places(session, constants)]


def _session_places(members: list[_Member], constants: Constants) -> Iterator[CandidateContext]:
    members.sort(key=lambda member: (member[0].position, member[0].id))
    before = _faded(members, constants["back"], constants["titled"])
    after = _faded(members[::-1], constants["ahead"], constants["titled"])[::-1]
    together = sum(_best_of(own for _, own in members).values())
    place = None
    for (candidate, own), earlier, later in zip(members, before, after, strict=True):
        follows = place is not None and candidate.position - place.candidate.position == 1
        place = CandidateContext(candidate, own, earlier, later, place if follows else None, together)
        yield place


def _best_of(owns: Iterable[_Parts]) -> _Parts:
    best: _Parts = {}
    for own in owns:
        best |= {word: value for word, value in own.items() if value > best.get(word, 0.0)}
    return best


LABEL = 2


def _has_title(candidate: Candidate) -> bool:
    """A word or two, or a number, are a label: such a note is as much in need of its neighbours as one without."""
    return sum(word.isalpha() and (len(word) > 2 or not word.isascii()) for word in candidate.title) > LABEL


def _faded(members: Sequence[_Member], fade: float, titled: float) -> list[_Parts]:
    """What reaches each member from those that stand ahead of it in the sequence."""
    reached: list[_Parts] = []
    carried: _Parts = {}
    position = members[0][0].position
    for candidate, own in members:
        left = fade ** abs(candidate.position - position)
        carried = {word: value * left for word, value in carried.items() if value * left > _FAINT}
        taken = titled if _has_title(candidate) else 1.0
        reached.append({word: value * taken for word, value in carried.items()})
        carried = carried | {word: max(value, carried.get(word, 0.0)) for word, value in own.items()}
        position = candidate.position
    return reached
