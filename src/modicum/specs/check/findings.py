"""The findings of a context check: the passages that match a question, ranked, with the kind of each. Pure."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from modicum.search.features import Candidate, telling_words
from modicum.search.question import Question
from modicum.search.rank import Collection, rank
from modicum.search.terms import stem as stem_of
from modicum.search.terms import traits
from modicum.specs.check.passages import Piece
from modicum.text.rules.intents import Intent, standing_against
from modicum.text.rules.opposites import Rare

MOST_CANDIDATES = 300  # pieces that are ranked; the others share fewer or commoner words
MOST_MATCHES = 3  # passages of one document that are shown
NAMED = 1.0  # what a name adds that has all of the words, weighed by how rare they are
UNRANKED = 0.1  # of a passage that was not worth ranking
RARE = 0.05  # of the pieces: a word that is in more of them says little by itself
ALWAYS_RARE = 3
SHOWN_WORDS = 4
PIECE, WORD = 240, 7  # characters, with the blank

# What every change does, whatever it is about. Such a word alone makes no rule bear on a change.
_EVERYDAY_WORDS = """
    add allow avoid begin build call change check create delete drop end ensure find fix give handle improve keep
    leave look mend move need new old put remove rename replace run save see set show start stop support switch
    take try turn update want without work
    """
EVERYDAY = frozenset(map(stem_of, _EVERYDAY_WORDS.split()))


class FindingKind(StrEnum):
    """The kind of a finding in a context check: a conflict, a decision, a rule, …"""

    CONFLICT = "possible conflict"
    SUPERSEDED = "superseded"
    DECISION = "decision"
    RULE = "rule"
    REQUIREMENT = "requirement"
    ATTEMPT = "earlier attempt"
    NOTE = "note"


# What a kind adds to a score in which the best match by words alone is 1: what must not be missed comes first.
WEIGHTS: Mapping[FindingKind, float] = {
    FindingKind.CONFLICT: 0.6,
    FindingKind.SUPERSEDED: 0.25,
    FindingKind.DECISION: 0.2,
    FindingKind.RULE: 0.1,
    FindingKind.REQUIREMENT: 0.1,
    FindingKind.ATTEMPT: 0.15,
    FindingKind.NOTE: 0.0,
}


# What was tried, or is no longer so, cannot be acted against.
BINDING = frozenset({FindingKind.DECISION, FindingKind.RULE, FindingKind.REQUIREMENT, FindingKind.NOTE})


class SourcePart(NamedTuple):
    """A part of a source that is searched for findings: a file, or another named text, cut into pieces."""

    file: str
    pieces: tuple[Piece, ...]
    size: int = 0  # characters or bytes, about


class CheckSource(NamedTuple):
    """A source that is searched for findings: a decision, an earlier change, a document, a pack, a note, …"""

    key: str
    kind: FindingKind
    name: str
    parts: tuple[SourcePart, ...]
    status: str = ""
    always: bool = False  # a finding even if nothing in it matches
    title: str = ""  # the stems of what it is called, between blanks
    least: float = (
        0.0  # the least share of the weight of what is asked, everyday words aside, of a passage that counts
    )


class PassageMatch(NamedTuple):
    """One match of a finding: where its passage stands, and which words of the question the passage has."""

    file: str
    line: int
    heading: str
    text: str
    words: tuple[str, ...]
    score: float = 0.0
    against: str = ""  # the words that stand against the change
    headed: bool = False  # only the headings above it have any of the words


class Finding(NamedTuple):
    """A finding of a context check: a source with its matching passages, best first."""

    key: str
    kind: FindingKind
    name: str
    score: float
    matches: tuple[PassageMatch, ...] = ()
    status: str = ""
    why: str = ""
    files: tuple[str, ...] = ()

    @property
    def where(self) -> PassageMatch | None:
        return self.matches[0] if self.matches else None


class _Place(NamedTuple):
    source: int
    part: int
    piece: Piece
    present: tuple[str, ...]


def find(question: Question, sources: Sequence[CheckSource], intent: Intent) -> tuple[Finding, ...]:
    """Returns the findings of a context check, best first: each source that matches, or is always a finding."""
    every, collection = _places(question, sources)
    weights = _weights(question, collection)
    telling = _without_everyday(weights)
    places = [place for place in every if _worth(place, telling) >= sources[place.source].least]
    matches = _matches(question, sources, places, collection, weights)
    is_rare = _rarity(collection)
    found = (
        _finding(source, matches.get(number, ()), intent, is_rare, _named(source, weights))
        for number, source in enumerate(sources)
        if source.always or number in matches
    )
    return ordered(found)


def _matches(
    question: Question,
    sources: Sequence[CheckSource],
    places: Sequence[_Place],
    collection: Collection,
    weights: Mapping[str, float],
) -> dict[int, list[PassageMatch]]:
    """Returns the passages of each source. The most promising are ranked; of other sources one passage is kept."""
    worth = {id(place): _worth(place, weights) for place in places}
    promising = sorted(places, key=lambda place: -worth[id(place)])
    chosen, rest = _chosen(promising, sources)
    hits = rank(question, [_candidate(at, place, sources) for at, place in enumerate(chosen)], collection)
    found: dict[int, list[PassageMatch]] = {}
    for hit in hits:
        place = chosen[hit.id]
        found.setdefault(place.source, []).append(_match(question, sources, place, hit.score))
    for place in rest:
        if place.source not in found:
            found[place.source] = [_match(question, sources, place, UNRANKED * worth[id(place)])]
    return found


def _worth(place: _Place, weights: Mapping[str, float]) -> float:
    return sum(weights[stem] for stem in place.present)


def _chosen(promising: Sequence[_Place], sources: Sequence[CheckSource]) -> tuple[list[_Place], list[_Place]]:
    """Returns the pieces that are ranked, and the others. What binds, and descriptions of changes, are always ranked."""
    chosen, rest = list(promising[:MOST_CANDIDATES]), list[_Place]()
    taken: dict[int, int] = {}
    for place in promising[MOST_CANDIDATES:]:
        taken[place.source] = taken.get(place.source, 0) + 1
        source = sources[place.source]
        binds = source.kind in BINDING and taken[place.source] <= MOST_MATCHES
        names = source.kind is FindingKind.ATTEMPT and place.part == 0
        (chosen if binds or names else rest).append(place)
    return chosen, rest


def _weights(question: Question, collection: Collection) -> dict[str, float]:
    """Returns how much each word counts, rare ones more; all together are 1."""
    counts = collection.frequencies
    raw = {term.stem: math.log1p(collection.documents / (counts[term.stem] + 0.5)) for term in question.terms}
    whole = sum(raw.values())
    return {stem: weight / whole for stem, weight in raw.items()}


def _without_everyday(weights: Mapping[str, float]) -> dict[str, float]:
    """Returns the weights with 0 for everyday words; the others together are 1, if there are any."""
    whole = sum(weight for stem, weight in weights.items() if stem not in EVERYDAY) or 1
    return {stem: 0.0 if stem in EVERYDAY else weight / whole for stem, weight in weights.items()}


def _named(source: CheckSource, weights: Mapping[str, float]) -> float:
    """Returns what a source's name adds to its score: a word in a short name says more than one in a long text."""
    return NAMED * math.sqrt(sum(weight for stem, weight in weights.items() if f" {stem} " in source.title))


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Returns findings sorted by score; equal ones by kind and key, so that the order is always the same."""
    kinds = list(FindingKind)
    return tuple(sorted(findings, key=lambda each: (-each.score, kinds.index(each.kind), each.key)))


def _places(question: Question, sources: Sequence[CheckSource]) -> tuple[list[_Place], Collection]:
    """Returns the pieces that have any of the stems, and statistics of all pieces."""
    wanted = [(term.stem, f" {term.stem} ") for term in question.terms]
    counts = dict.fromkeys((stem for stem, _ in wanted), 0)
    found: list[_Place] = []
    size = 0
    for number, source in enumerate(sources):
        for at, part in enumerate(source.parts):
            size += part.size
            for piece in part.pieces:
                text = piece.stems + piece.head
                present = tuple([stem for stem, padded in wanted if padded in text])
                if present:
                    found.append(_Place(number, at, piece, present))
                    for stem in present:
                        counts[stem] += 1
    # Told by the size alone: files that have none of the words need not have been cut up.
    return found, Collection(max(1, size // PIECE), PIECE / WORD, counts)


def _candidate(number: int, place: _Place, sources: Sequence[CheckSource]) -> Candidate:
    source = sources[place.source]
    title, body = tuple(place.piece.head.split()), tuple(place.piece.stems.split())
    return Candidate(
        id=number,
        title=title,
        body=body,
        names=(source.key.partition(":")[2], source.parts[place.part].file),
        session=f"{source.key} {place.part}",
        position=place.piece.line,
        traits=traits("", title),
        telling=telling_words(title, body),
    )


def _match(question: Question, sources: Sequence[CheckSource], place: _Place, score: float) -> PassageMatch:
    words = tuple(term.word for term in question.terms if term.stem in place.present)
    piece = place.piece
    file = sources[place.source].parts[place.part].file
    headed = not any(f" {stem} " in piece.stems for stem in place.present)
    return PassageMatch(file, piece.line, piece.heading, piece.text, words, score, headed=headed)


def _rarity(collection: Collection) -> Rare:
    """Returns the test for rare words: those in few pieces, or in the rarer half of the question."""
    counts = sorted((*collection.frequencies.values(), ALWAYS_RARE))
    most = max(ALWAYS_RARE, RARE * collection.documents, counts[len(counts) // 2])
    return lambda stem: collection.frequencies.get(stem, 0) <= most


def _finding(
    source: CheckSource, matches: Sequence[PassageMatch], intent: Intent, is_rare: Rare, bonus: float
) -> Finding:
    """Returns a source with its best passages; a passage that speaks against the change makes it a possible conflict."""
    if not matches:
        return _unmatched(source)
    own = [match for match in _once(matches) if not match.headed] or list(matches[:1])
    binds = source.kind in BINDING
    judged = (
        [match._replace(against=standing_against(intent, match.text, is_rare)) for match in own]
        if binds
        else own
    )
    kind = FindingKind.CONFLICT if any(match.against for match in judged) else source.kind
    shown = sorted(judged, key=lambda match: (not match.against, -match.score))[:MOST_MATCHES]
    best = max(match.score for match in judged)
    return Finding(
        source.key,
        kind,
        source.name,
        round(best + WEIGHTS[kind] + bonus, 6),
        tuple(shown),
        source.status,
        _why(shown, kind),
        tuple(part.file for part in source.parts),
    )


def _once(matches: Sequence[PassageMatch]) -> list[PassageMatch]:
    """Returns the matches without repetitions of the same text; of two, the one in a document is kept."""
    found: dict[str, PassageMatch] = {}
    for match in matches:
        words = " ".join(match.text.split())
        if words not in found or not found[words].file.endswith(".md"):
            score = max(match.score, found[words].score if words in found else match.score)
            found[words] = match._replace(score=score)
    return list(found.values())


def _unmatched(source: CheckSource) -> Finding:
    files = tuple(part.file for part in source.parts)
    return Finding(source.key, source.kind, source.name, 0.0, (), source.status, "shares no word", files)


def _why(matches: Sequence[PassageMatch], kind: FindingKind) -> str:
    words = list(dict.fromkeys(word for match in matches for word in match.words))
    more = f" and {len(words) - SHOWN_WORDS} more" if len(words) > SHOWN_WORDS else ""
    shared = f"shares {', '.join(words[:SHOWN_WORDS])}{more}"
    return f"{shared}; it says otherwise" if kind is FindingKind.CONFLICT else shared


def kinds_of(findings: Iterable[Finding]) -> Iterator[FindingKind]:
    """Yields each kind that some findings of a check have, in the order in which the kinds are read."""
    present = {finding.kind for finding in findings}
    return (kind for kind in FindingKind if kind in present)
