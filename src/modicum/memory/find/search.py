"""Searches all notes for answers to a question: candidates from the index, order and reasons from `rank`."""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date
from functools import partial
from itertools import accumulate, chain, zip_longest
from math import inf
from zlib import crc32

from modicum.base.named_tuple import NamedTuple
from modicum.base.value import replace
from modicum.memory.engines.database import Frequencies, Match, SearchBounds, Transaction
from modicum.memory.filters.model import normal
from modicum.memory.find.candidates import LATEST, candidates, ids_in, neighbours
from modicum.memory.find.dated import MOST_DATED, dated, windows
from modicum.memory.find.index import marks_asked
from modicum.memory.find.joined import apart, together
from modicum.memory.find.likeness import NO_MODEL, NOTHING_ALIKE, Likeness, Near, with_likeness
from modicum.memory.find.spelling import respell
from modicum.memory.model import GLOBAL, Note, Query, Results, SearchHit
from modicum.memory.names import storable, topic_name
from modicum.memory.tables import lists, notes
from modicum.memory.tables.sql import admitting, id_list, make_cursor, of_hits, read_cursor, select
from modicum.search.features import Candidate
from modicum.search.neighbours import behind_hits
from modicum.search.question import Question, Term, parse_question
from modicum.search.rank import Collection, Hit, is_low, rank
from modicum.search.spread import spread
from modicum.search.terms import LONGEST_RESPELT, Trait
from modicum.search.word_lists import NEAR_WORDS

HITS = 150
COMPARED = 100  # of these, whatever they are; behind them only notes without a title, as in conversations
# Hits whose neighbours are looked at: more of either changed nothing in the benchmark, and cost twice.
NEARBY = 60
RAREST = 12
MOST_ASKED = 4_000  # characters of a question that are read
MOST_TERMS = 40
COUNTED = 10_000  # matches; that there are more is all that anybody wants to know

TOPIC = "SELECT id FROM notes WHERE topic_key = :topic AND deleted_at = '' AND topic_key <> '' LIMIT 20"

MATCHES = ("matches some of the words",)


class _Part(NamedTuple):
    """A part of the notes that may answer: within bounds, and with these marks."""

    within: SearchBounds
    marks: tuple[str, ...]


class _Place(NamedTuple):
    """Where a page begins: the highest id of the first page's notes, the ranked hits before it, the id below which the rest goes on."""

    upto: int
    start: int = 0
    below: int = 0


class _IndexQuestion(NamedTuple):
    """A question in the words of the index."""

    query: Query
    question: Question  # with words that nobody wrote replaced by those that may have been meant
    frequencies: Frequencies
    fragments: dict[
        Term, list[int]
    ]  # words, and the notes that have them inside other words or written as two
    parts: tuple[_Part, ...]  # what may answer: as asked, or global
    stems: tuple[str, ...]  # to look for, the rarest first: those tell most
    phrases: tuple[tuple[str, ...], ...]  # what must stand together to the letter, if it does so anywhere
    named: frozenset[int]  # notes that the question names by number or topic
    is_word: bool  # one word was asked for, and nothing beside it
    times: tuple[tuple[str, str], ...]  # that the question names

    def match(self, part: _Part) -> Match:
        """What matches in a part."""
        return Match(() if self.phrases else self.stems, self.phrases, part.marks)


class _List(NamedTuple):
    """Ids in an order, and whether they are all that match."""

    numbers: list[int]
    is_whole: bool


class _Ranked(NamedTuple):
    """The hits in their order, and whether these are all that match."""

    hits: list[Hit]
    is_whole: bool


def search(tx: Transaction, text: str, query: Query, *, today: str, near: Near = NO_MODEL) -> Results:
    """Searches the notes for a question; returns a page of hits, best first; without words, recent notes."""
    query = normal(query)
    if not text.strip():
        total = lists.count(tx, query)
        recent = lists.recent_notes(tx, query if total else query._replace(limit=0))
        return Results(tuple(SearchHit(each, 0.0) for each in recent.items), total, recent.next)
    if query.limit <= 0:
        return Results()
    kind = f"search {crc32(repr((text, query._replace(limit=0, cursor=''))).encode(errors='replace')):08x}"
    place = _place(tx, query.cursor, kind)
    indexed = _ask(tx, storable(text[:MOST_ASKED]), query, place.upto, date.fromisoformat(today))
    ranked = _rank(tx, indexed, place.upto, near)
    return _page(tx, indexed, ranked, place, kind)


def _place(tx: Transaction, cursor: str, kind: str) -> _Place:
    if not cursor:
        return _Place(*tx.rows(LATEST)[0])
    upto, start, below = read_cursor(cursor, kind, int, int, int)
    return _Place(int(upto), max(0, int(start)), int(below))


# The question


def _ask(tx: Transaction, text: str, query: Query, upto: int, today: date) -> _IndexQuestion:
    plain = parse_question(text, today=today)
    terms = plain.terms[:MOST_TERMS]
    counts = tx.words.frequencies(tx, [term.stem for term in terms])
    question = replace(plain, terms=respell(tx, terms, counts), ids=plain.ids | ids_in(tx, text))
    known = [term.stem for term in question.terms if term.stem in counts]
    stems = tuple(sorted(known, key=counts.__getitem__)[:RAREST])
    parts = tuple(_part(query=each, upto=upto) for each in _queries(query))
    topics = tx.rows(TOPIC, {"topic": topic_name(text)})
    named = frozenset({number for (number,) in topics} | set(question.ids))
    frequencies, fragments = Frequencies(counts, tx.words.totals(tx)), _fragments(tx, question, counts, upto)
    return _IndexQuestion(
        query,
        question,
        frequencies,
        fragments,
        parts,
        stems,
        _phrases(tx, question, parts),
        named,
        _is_word(terms),
        tuple(windows(plain.dates, today)),
    )


def _is_word(terms: Sequence[Term]) -> bool:
    """True if a question asks for one word, and for nothing beside it but a day such as "yesterday"."""
    return len([term for term in terms if term.word not in NEAR_WORDS] or terms) == 1


def _queries(query: Query) -> tuple[Query, ...]:
    return (query, query._replace(project="", scope=GLOBAL)) if query.everywhere else (query,)


def _part(query: Query, upto: int) -> _Part:
    return _Part(SearchBounds(upto, query.since, query.until, query.project), marks_asked(query))


def _phrases(tx: Transaction, question: Question, parts: Sequence[_Part]) -> tuple[tuple[str, ...], ...]:
    phrases = tuple(map(tuple, question.phrases))
    if not phrases:
        return ()
    matches = ((Match(phrases=phrases, marks=part.marks), part.within) for part in parts)
    return phrases if any(tx.words.newest(tx, *match, 1) for match in matches) else ()


def _fragments(
    tx: Transaction, question: Question, frequencies: dict[str, int], upto: int
) -> dict[Term, list[int]]:
    alone = _is_word(question.terms)
    unknown = [
        term
        for term in question.terms
        if term.stem not in frequencies and _is_fragment(term.word, alone=alone)
    ]
    within = SearchBounds(upto)
    inside = {term: tx.words.containing(tx, term.word, within, HITS) for term in unknown[:RAREST]}
    terms = question.terms
    if question.phrases:  # what is quoted is meant to the letter
        return {term: numbers for term, numbers in inside.items() if numbers}
    ways = (inside, apart(tx, terms, within, HITS), together(tx, question.text, terms, within, HITS))
    found = {term: [*chain.from_iterable(way.get(term, ()) for way in ways)] for term in terms}
    return {term: numbers for term, numbers in found.items() if numbers}


def _is_fragment(word: str, *, alone: bool) -> bool:
    """True if a word may be looked for inside of others: in a sentence, a short one is in all kinds of them."""
    shortest = 3 if alone or not word.isascii() else 5
    return shortest <= len(word) <= LONGEST_RESPELT


# The candidates


def _list(tx: Transaction, indexed: _IndexQuestion, part: _Part) -> _List:
    """Returns the best of what can be compared in time, or else the newest."""
    matches = [indexed.match(part), *_narrowed(tx, indexed, part)]
    for match in matches:
        every = match is matches[0]
        if _is_comparable(tx, match, part.within, *(_bounds(tx, indexed) if every else (0, inf))):
            best = tx.words.best(tx, match, part.within, indexed.frequencies, HITS)
            if best or every:
                return _List(best, every and len(best) < HITS)
    newest = (tx.words.newest(tx, match, part.within, HITS) for match in reversed(matches))
    return _List(next(filter(None, newest), []), is_whole=False)


def _narrowed(tx: Transaction, indexed: _IndexQuestion, part: _Part) -> list[Match]:
    """Returns what says more than one word that is everywhere: a rare one, or two of them."""
    if indexed.phrases:
        return []
    taken = list(accumulate(indexed.frequencies.stems[stem] for stem in indexed.stems))
    some = bisect_right(taken, tx.words.comparable)
    rare, common = indexed.stems[:some], indexed.stems[some:]
    return [Match(rare, (), part.marks, common)] if rare or len(common) > 1 else []


def _is_comparable(tx: Transaction, match: Match, within: SearchBounds, least: int, most: float) -> bool:
    enough = tx.words.comparable
    if least > enough or most <= enough:
        return most <= enough
    return tx.words.count(tx, match, within, enough + 1) <= enough


def _bounds(tx: Transaction, indexed: _IndexQuestion) -> tuple[int, float]:
    """Returns how many match at least and at most, by how many have each word: to count them is much more work."""
    if indexed.phrases:
        return 0, inf
    counts = [indexed.frequencies.stems[stem] for stem in indexed.stems]
    (part, *others), query = indexed.parts, indexed.query
    plain = not others and part == (SearchBounds(part.within.upto), ()) and not query.cursor
    return max(counts, default=0) if plain and tx.words.is_exact else 0, sum(counts)


def _rank(tx: Transaction, indexed: _IndexQuestion, upto: int, near: Near) -> _Ranked:
    """Returns the hits that the query admits, what was named by number or topic first."""
    found = [_list(tx, indexed, part) for part in indexed.parts if indexed.stems or indexed.phrases]
    compared = _candidates(tx, indexed, [each.numbers for each in found], upto)
    alike = _alike(tx, indexed, compared, upto, near)
    more = alike.keys() - {each.id for each in compared}
    compared += candidates(tx, more, (), indexed.question, indexed.fragments) if more else []
    counts, totals = indexed.frequencies
    inside = {term.stem: counts.get(term.stem, 0) + len(ids) for term, ids in indexed.fragments.items()}
    documents = max(1, totals.passages)
    collection = Collection(documents, totals.words / documents, counts | inside)
    ranked = rank(indexed.question, [with_likeness(each, alike) for each in compared], collection)
    admitted = admitting(tx, of_hits(indexed.query), [hit.id for hit in ranked])
    hits = [hit for hit in ranked if hit.answers and hit.id in admitted]
    hits = [hit for hit in hits if not (indexed.is_word and _is_nearby(indexed, hit))]
    if indexed.question.asks_for_many:
        hits = spread(hits)
    hits.sort(key=lambda hit: _turn(indexed, hit))
    hits = behind_hits(hits, partial(_is_nearby, indexed))
    hits.sort(key=lambda hit: hit.id not in indexed.named and is_low(hit))
    missing = {number for each in found for number in each.numbers} - {each.id for each in compared}
    return _Ranked(hits, not missing and all(each.is_whole for each in found))


def _alike(
    tx: Transaction, indexed: _IndexQuestion, found: Sequence[Candidate], upto: int, near: Near
) -> Likeness:
    """Returns what is like the question in meaning; what stands in quotes is meant to the letter."""
    if indexed.question.phrases:
        return NOTHING_ALIKE
    names = {each.author or each.speaker for each in found}
    return near(tx, indexed.question.text, indexed.query, names, upto)


def _turn(indexed: _IndexQuestion, hit: Hit) -> int:
    """Returns when it is a hit's turn: first what was named, last notes with a title that have none of the words.

    In conversations, a turn without the words is as often the answer as one with them: it comes behind the one it
    stands beside.
    """
    stands_alone = hit.place is not None and hit.place.candidate.traits & Trait.TITLED
    return 0 if hit.id in indexed.named else 2 if stands_alone and _is_nearby(indexed, hit) else 1


def _is_nearby(indexed: _IndexQuestion, hit: Hit) -> bool:
    """Returns whether a note is there only for what stands beside it: it has none of the words."""
    told_otherwise = hit.id in indexed.named or hit.linked is not None or "date" in hit.signals
    return hit.place is not None and not (hit.place.own or hit.place.candidate.alike or told_otherwise)


def _candidates(
    tx: Transaction, indexed: _IndexQuestion, found: Sequence[list[int]], upto: int
) -> list[Candidate]:
    """Returns the hits, in turn from each list, with what was named and what stands beside the best."""
    turns = chain.from_iterable(zip_longest(*found))
    hits = list(dict.fromkeys(number for number in turns if number is not None))
    inside = [number for numbers in indexed.fragments.values() for number in numbers]
    nearby = [*indexed.named, *hits[:NEARBY], *inside[:NEARBY]]
    sure = {*nearby, *hits[:COMPARED], *inside, *_of_the_time(tx, indexed, upto)}
    if not indexed.is_word:
        sure |= neighbours(tx, nearby, upto, room=HITS - len(sure))
    return candidates(tx, sure, hits[COMPARED:], indexed.question, indexed.fragments)


def _of_the_time(tx: Transaction, indexed: _IndexQuestion, upto: int) -> set[int]:
    """Returns the notes of the time that the question names: those with its words, and others."""
    if not indexed.times:
        return set()
    found = set(dated(tx, _queries(indexed.query), indexed.times, upto))
    if indexed.stems and _bounds(tx, indexed)[1] <= tx.words.comparable:
        for part in indexed.parts:
            for since, until in indexed.times:
                within = part.within._replace(
                    since=max(since, part.within.since), until=min(until, part.within.until or until)
                )
                found |= {*tx.words.best(tx, indexed.match(part), within, indexed.frequencies, MOST_DATED)}
    return found


# The page


def _page(tx: Transaction, indexed: _IndexQuestion, ranked: _Ranked, place: _Place, kind: str) -> Results:
    """Returns the hits from a place on: ranked ones first, then the rest of what matches, newest first."""
    limit = indexed.query.limit
    first = ranked.hits[place.start : place.start + limit + 1]
    below = place.below or place.upto + 1
    rest = [] if ranked.is_whole else _rest(tx, indexed, ranked, below, limit + 1 - len(first))
    items = [*first, *(Hit(number, 0.0) for number in rest)]
    shown, left = items[:limit], items[limit:]
    last = shown[-1].id if rest and len(first) < limit else place.below
    more = make_cursor(kind, place.upto, place.start + len(first[:limit]), last) if left else ""
    return Results(_whole(tx, indexed, shown), _total(tx, indexed, ranked), more)


def _rest(tx: Transaction, indexed: _IndexQuestion, ranked: _Ranked, below: int, limit: int) -> list[int]:
    """Returns matches that are not ranked, from the highest id below one."""
    found: list[int] = []
    known, size = {hit.id for hit in ranked.hits}, limit + HITS
    while len(found) < limit:
        each = [
            tx.words.newest(tx, indexed.match(part), part.within._replace(upto=below - 1), size)
            for part in indexed.parts
        ]
        batch = sorted({number for numbers in each for number in numbers}, reverse=True)[:size]
        found += [number for number in batch if number not in known]
        if len(batch) < size:
            break
        below = batch[-1]
    return found[:limit]


def _whole(tx: Transaction, indexed: _IndexQuestion, hits: Sequence[Hit]) -> tuple[SearchHit, ...]:
    """Returns the hits with their notes in full."""
    rows = tx.rows(select(notes.FIELDS, "notes", "WHERE id IN", id_list(hit.id for hit in hits)))
    whole = {row[0]: Note(*row) for row in rows}
    return tuple(
        SearchHit(
            whole[hit.id],
            hit.score,
            hit.reasons or MATCHES,
            _is_nearby(indexed, hit),
        )
        for hit in hits
        if hit.id in whole
    )


def _total(tx: Transaction, indexed: _IndexQuestion, ranked: _Ranked) -> int:
    """Counts what answers, up to `COUNTED`; what is in both parts is counted once."""
    if ranked.is_whole:
        return len(ranked.hits)
    again = sum(_matches(hit, indexed) for hit in ranked.hits)
    least, most = _bounds(tx, indexed)
    if least >= min(most, COUNTED):
        matching = least
    else:
        upto, query = indexed.parts[0].within.upto, indexed.query
        both = [_part(query._replace(scope=GLOBAL), upto)] if query.everywhere else []
        sizes = [
            tx.words.count(tx, indexed.match(part), part.within, COUNTED) for part in (*indexed.parts, *both)
        ]
        matching = sum(sizes[: len(indexed.parts)]) - sum(sizes[len(indexed.parts) :])
    return min(COUNTED, len(ranked.hits) + matching - again)


def _matches(hit: Hit, indexed: _IndexQuestion) -> bool:
    """True if it has any of the stems, or all of the phrases if there are some."""
    if hit.place is None:
        return False
    if not indexed.phrases:
        return not hit.place.own.keys().isdisjoint(indexed.stems)
    texts = (hit.place.candidate.title, hit.place.candidate.body)
    joined = [f" {' '.join(text)} " for text in texts]
    return all(any(f" {' '.join(phrase)} " in text for text in joined) for phrase in indexed.phrases)
