"""Ranks search candidates: BM25 by words, plus signals; each hit with the reasons for its rank."""

import heapq
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from modicum.base.named_tuple import NamedTuple
from modicum.base.value import NOTHING, Value
from modicum.search.features import (
    NO_WORDS,
    Candidate,
    CandidateContext,
    QuestionContext,
    Signal,
    applicable_signals,
    reasons,
    says_why,
)
from modicum.search.question import Question
from modicum.search.terms import Trait, fold

__all__ = ["CONSTANTS", "Candidate", "Collection", "Hit", "rank"]

Constants = Mapping[str, float]

# Everything that was chosen and not computed. From "context" down: what a signal adds to a score in which the best
# match by words alone is 1, so that it means the same for short and long questions.
CONSTANTS: Constants = {
    "saturation": 1.2,  # BM25 k1: the third mention of a word says little
    "length": 0.6,  # BM25 b: long texts match by chance, though notes less so than articles
    "rarity": 1.2,  # power of idf: what is rare in the collection is what was meant
    "title": 0.7,  # a word in the title counts as nearly one more in the text
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
    "author": 0.3,  # its author is the one asked about
    "date": 0.7,  # written in, or soon after, the time asked about
    "only_date": 1.0,  # where one thing at most is asked beside a time: of this time, and has that thing
    "only_thing": 0.7,  # has it: then it comes before what is of the time and no more
    "shape": 0.3,  # has what is asked for: a time, a number, a person
    "pinned": 0.05,  # somebody thought that it matters
    "related": 0.1,  # linked to one of the best
    "recent": 0.02,  # settles what is equal otherwise
    "meaning": 1.8,  # says something like what was asked, where a sentence model has compared them
    "meaning_of_turn": 0.8,  # the same of a turn of a dialogue: by itself it says only half of what is meant
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
    """A ranked search candidate with its score; the reasons are put into words when somebody reads them."""

    id: int
    score: float
    signals: Mapping[str, float] = NOTHING
    place: CandidateContext | None = None
    context: QuestionContext | None = None
    linked: int | None = None

    @property
    def answers(self) -> bool:
        """Returns True if there is a reason for the rank of the hit: something in or beside it answers the question."""
        return self.linked is not None or (self.place is not None and says_why(self.place, self.signals))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Returns the reasons for the rank of the hit, in words; none if nothing in it answers the question."""
        if self.place is None or self.context is None:
            return ()
        return reasons(self.context, self.place, self.signals, self.linked)


def is_low(hit: Hit) -> bool:
    """Returns True if what was ranked has a low standing: it comes last, whatever its words."""
    return hit.place is not None and bool(hit.place.candidate.traits & Trait.LOW)


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
    top = max((place.total for place in places), default=0.0)
    best_session = max((place.session for place in places), default=0.0)
    converses = any(place.previous for place in places)
    telling = question.telling if question.is_about_a_time else NO_WORDS
    context = QuestionContext(question, author, top or 1.0, best_session or 1.0, converses, telling)
    return _ordered(context, places, constants)


def _ordered(
    context: QuestionContext, places: Sequence[CandidateContext], constants: Constants
) -> tuple[Hit, ...]:
    weighed = [(signal, name, constants[name]) for name, signal in applicable_signals(context).items()]
    hits = [_hit(context, place, weighed) for place in places]
    best = [hit.id for hit in heapq.nsmallest(_BEST, hits, key=lambda hit: (-hit.score, hit.id))]
    if any(place.candidate.related for place in places):
        hits = [_linked(hit, best, constants["related"]) for hit in hits]
    return tuple(sorted(hits, key=_order, reverse=True))


def _order(hit: Hit) -> tuple[float, str, int]:
    return hit.score, hit.place.candidate.created_at if hit.place else "", -hit.id


def _hit(
    context: QuestionContext, place: CandidateContext, weighed: Sequence[tuple[Signal, str, float]]
) -> Hit:
    score, found = 0.0, {}
    for signal, name, weight in weighed:
        value = signal(context, place)
        if value:
            found[name] = value
            score += weight * value
    return Hit(place.candidate.id, round(score, _DIGITS), found, place, context)


def _linked(hit: Hit, best: Sequence[int], worth: float) -> Hit:
    """Returns the hit with its final score: one that is linked to one of the best is worth more."""
    related = hit.place.candidate.related if hit.place else frozenset()
    linked = next((number for number in best if number in related), None)
    return hit if linked is None else hit._replace(score=round(hit.score + worth, _DIGITS), linked=linked)


def _named_author(question: Question, candidates: Sequence[Candidate]) -> str:
    """The one author whom the question names, by a name or the start of one."""
    authors = {candidate.author or candidate.speaker for candidate in candidates} - {""}
    named = [author for author in authors if _is_named(question, author)]
    return named[0] if len(named) == 1 else ""


def _is_named(question: Question, author: str) -> bool:
    return any(_calls(term.word, author, question.text) for term in question.terms)


def _calls(word: str, author: str, text: str) -> bool:
    """Whether a word is a name of an author, or the start of one and written in the text with a capital."""
    names = fold(author).split()
    short = len(word) > 2 and word.capitalize() in text
    return word in names or (short and any(name.startswith(word) for name in names))


# Words: BM25 for each by itself, so that each can fade along the session by itself.


def _rarities(question: Question, collection: Collection, author: str, constants: Constants) -> _Parts:
    found = {}
    for term in question.terms:
        count = collection.frequencies.get(term.stem, 0)
        rarity = math.log1p(max(0.0, collection.documents - count + 0.5) / (count + 0.5))
        share = constants["author_word"] if _calls(term.word, author, question.text) else 1.0
        found[term.stem] = term.weight * share * rarity ** constants["rarity"]
    return found


def _own(candidate: Candidate, rarities: _Parts, collection: Collection, constants: Constants) -> _Parts:
    counts: _Parts = {}
    for text, worth in ((candidate.body, 1.0), (candidate.title, 1.0 + constants["title"])):
        for word in filter(rarities.__contains__, text):
            counts[word] = counts.get(word, 0.0) + worth
    if not counts:
        return counts
    length = (len(candidate.title) + len(candidate.body)) / (collection.mean_length or 1.0)
    k1, b = constants["saturation"], constants["length"]
    halfway = k1 * (1 - b + b * length)
    return {word: rarities[word] * count * (k1 + 1) / (count + halfway) for word, count in counts.items()}


def _places(members: Sequence[_Member], constants: Constants) -> list[CandidateContext]:
    sessions: dict[str | int, list[_Member]] = {}
    for member in members:
        sessions.setdefault(member[0].session or member[0].id, []).append(member)
    return [place for session in sessions.values() for place in _session_places(session, constants)]


def _session_places(members: list[_Member], constants: Constants) -> Iterable[CandidateContext]:
    if len(members) > 1:
        return _in_context(members, constants)
    ((candidate, own),) = members
    total = sum(own.values())
    return (CandidateContext(candidate, own, total=total, session=total),)


def _in_context(members: list[_Member], constants: Constants) -> Iterator[CandidateContext]:
    members.sort(key=lambda member: (member[0].position, member[0].id))
    before = _faded(members, constants["back"], constants["titled"])
    after = _faded(members[::-1], constants["ahead"], constants["titled"])[::-1]
    together = sum(_best_of(own for _, own in members).values())
    place: CandidateContext | None = None
    for (candidate, own), earlier, later in zip(members, before, after, strict=True):
        follows = place is not None and candidate.position - place.candidate.position == 1
        previous, total = place if follows else None, sum(own.values())
        place = CandidateContext(candidate, own, earlier, later, previous, together, total)
        yield place


def _best_of(owns: Iterable[_Parts]) -> _Parts:
    best: _Parts = {}
    for own in owns:
        best |= {word: value for word, value in own.items() if value > best.get(word, 0.0)}
    return best


def _faded(members: Sequence[_Member], fade: float, titled: float) -> list[Mapping[str, float]]:
    """What reaches each member from those that stand ahead of it in the sequence."""
    reached: list[Mapping[str, float]] = []
    carried: _Parts = {}
    position = members[0][0].position
    for candidate, own in members:
        if carried:
            left = fade ** abs(candidate.position - position)
            carried = {word: value * left for word, value in carried.items() if value * left > _FAINT}
        # A note with a title is less in need of its neighbours than one without.
        taken = titled if carried and candidate.traits & Trait.TITLED else 1.0
        reached.append({word: value * taken for word, value in carried.items()} if carried else NOTHING)
        if own:
            carried = carried | {word: max(value, carried.get(word, 0.0)) for word, value in own.items()}
        position = candidate.position
    return reached
