"""A plain question against all notes: candidates from the index, order and reasons from `rank`."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import accumulate, chain, zip_longest
from math import inf
from typing import NamedTuple
from zlib import crc32

from modicum.base.value import replace
from modicum.memory.cached import once
from modicum.memory.engines.database import FullText, SearchBounds, Transaction
from modicum.memory.find.candidates import CandidateNote, candidates, neighbours
from modicum.memory.find.index import marks_asked
from modicum.memory.find.spelling import respell
from modicum.memory.model import GLOBAL, Note, Prompt, Query, Results, SearchHit
from modicum.memory.names import storable, topic_name
from modicum.memory.tables import lists, notes
from modicum.memory.tables.sql import id_list, make_cursor, normal, read_cursor, select
from modicum.search.features import Candidate
from modicum.search.question import Question, Term, parse_question
from modicum.search.rank import Collection, Hit, rank

HITS = 150
NEARBY = (
    60  # hits whose neighbours are looked at: more of either changed nothing in the benchmark, and cost twice
)
RAREST = 12
MOST_ASKED = 4_000  # characters of a question that are read
MOST_TERMS = 40
SECRET = 1_000  # a word that is in more notes than this is nobody's alone
COUNTED = 10_000  # matches; that there are more is all that anybody wants to know
UNKNOWN = (0, inf)

LATEST = "SELECT coalesce(max(id), 0) FROM notes"
TOTALS = "SELECT name, value FROM totals WHERE name IN ('passages', 'words')"

TOPIC = "SELECT id FROM notes WHERE topic_key = :topic AND deleted_at = '' AND topic_key <> '' LIMIT 20"
Among = tuple[tuple[str, ...], ...]  # groups of marks: what may be seen has one of each

MATCHES = ("matches some of the words",)


class _Part(NamedTuple):
    """A part of the notes that may answer: within bounds, and marked so."""

    within: SearchBounds
    marks: Sequence[str]


class _List(NamedTuple):
    """Ids in an order, and whether they are all that match."""

    numbers: list[int]
    whole: bool


def search(
    tx: Transaction, words: FullText, text: str, query: Query, *, today: str, among: Among = ()
) -> Results:
    """One page of what answers; without any word, of what is recent."""
    query = normal(query)
    if not text.strip():
        return _recent(tx, query)
    if query.limit <= 0:
        return Results()
    kind = f"search {crc32(repr((text, query._replace(limit=0, cursor=''))).encode(errors='replace')):08x}"
    ((latest,),) = tx.rows(LATEST)
    upto, start, below = _place(query.cursor, kind, latest)
    within = SearchBounds(upto, query.since, query.until, among=among)
    asked = _Asked(tx, words, storable(text[:MOST_ASKED]), query, within, date.fromisoformat(today))
    return asked.page(kind, start, below)


def _place(cursor: str, kind: str, latest: int) -> tuple[int, int, int]:
    """What the first page has seen, how many ranked hits were shown, and below which id the rest goes on."""
    if not cursor:
        return latest, 0, 0
    upto, start, below = read_cursor(cursor, kind, int, int, int)
    return int(upto), max(0, int(start)), int(below)


def _recent(tx: Transaction, query: Query) -> Results:
    found = lists.recent(tx, query)
    return Results(tuple(SearchHit(each, 0.0) for each in found.items), lists.count(tx, query), found.next)


def search_prompts(tx: Transaction, words: FullText, text: str, query: Query) -> tuple[Prompt, ...]:
    """The prompts that have any of the words, best first."""
    query = normal(query)
    terms = parse_question(storable(text[:MOST_ASKED])).terms[:RAREST]
    if not terms or query.limit <= 0:
        return ()
    found = words.prompts(tx, [term.word for term in terms], project=query.project, limit=query.limit)
    rows = tx.rows(select(Prompt._fields, "prompts", "WHERE id IN", id_list(found)))
    by_id = {prompt.id: prompt for prompt in (Prompt(*row) for row in rows)}
    return tuple(by_id[number] for number in found if number in by_id)


class _Asked:
    """A question on its way through the index. Everything is found once, when it is first needed."""

    def __init__(
        self, tx: Transaction, words: FullText, text: str, query: Query, within: SearchBounds, today: date
    ) -> None:
        self.tx, self.words, self.text = tx, words, text
        self.query, self.within, self.today = query, within, today

    @once
    def frequencies(self) -> dict[str, int]:
        return {}

    @once
    def question(self) -> Question:
        """The question, with words that nobody wrote replaced by those that may have been meant."""
        plain = parse_question(self.text, today=self.today)
        plain = replace(plain, terms=plain.terms[:MOST_TERMS])
        found = self.words.frequencies(self.tx, [term.stem for term in plain.terms])
        self.frequencies |= {stem: number for stem, number in found.items() if self._is_seen(stem, number)}
        respelt = respell(self.tx, self.words, plain.terms, self.frequencies, self._is_seen)
        return replace(plain, terms=respelt)

    def _is_seen(self, stem: str, number: int) -> bool:
        """Whether whoever asks may see a note with a word: one that only others have must not change the answer."""
        if not self.within.among or number > SECRET:
            return True
        return bool(self.words.count(self.tx, self.words.matching([stem], (), ()), self.within, 1))

    @once
    def fragments(self) -> dict[Term, list[int]]:
        """Words that are in no index, and the notes that have them inside other words."""
        alone = len(self.question.terms) == 1
        unknown = [
            term
            for term in self.question.terms
            if term.stem not in self.frequencies and _is_fragment(term.word, alone=alone)
        ]
        found = {
            term: self.words.containing(self.tx, term.word, self.within, HITS) for term in unknown[:RAREST]
        }
        return {term: numbers for term, numbers in found.items() if numbers}

    @once
    def known(self) -> list[str]:
        """The stems to look for, the rarest first: those tell most."""
        known = [term.stem for term in self.question.terms if term.stem in self.frequencies]
        return sorted(known, key=lambda stem: self.frequencies[stem])[:RAREST]

    @once
    def phrases(self) -> Sequence[Sequence[str]]:
        """What must stand together to the letter, if it does so anywhere."""
        phrases = self.question.phrases
        if not phrases:
            return ()
        matches = ((self.words.matching((), phrases, part.marks), part.within) for part in self.parts)
        return phrases if any(self.words.newest(self.tx, *match, 1) for match in matches) else ()

    @once
    def parts(self) -> list[_Part]:
        """What may answer: as asked, or global."""
        elsewhere = [self.query._replace(project="", scope=GLOBAL)] if self.query.everywhere else []
        return [self._part(each) for each in (self.query, *elsewhere)]

    def _part(self, query: Query) -> _Part:
        return _Part(self.within._replace(project=query.project), marks_asked(query))

    def _matching(self, part: _Part) -> str:
        return self.words.matching(() if self.phrases else self.known, self.phrases, part.marks)

    @once
    def telling(self) -> tuple[list[str], list[str]]:
        """The stems that are rare enough to compare all that have one of them, and those that are not."""
        taken = list(accumulate(self.frequencies[stem] for stem in self.known))
        rare = bisect_right(taken, self.words.comparable)
        return self.known[:rare], self.known[rare:]

    def _narrowed(self, part: _Part) -> Iterator[str]:
        """What matches, then only what says more than one word that is everywhere: a rare one, or two of them."""
        yield self._matching(part)
        rare, common = self.telling
        if not self.phrases and (rare or len(common) > 1):
            yield self.words.matching(rare, (), part.marks, common)

    @once
    def lists(self) -> list[_List]:
        return [self._list(part) for part in self.parts if self.phrases or self.known]

    def _list(self, part: _Part) -> _List:
        """The best of what can be compared in time, or else the newest."""
        matches = [*self._narrowed(part)]
        for match in matches:
            every = match is matches[0]
            if self._is_comparable(match, part.within, *(self.bounds if every else UNKNOWN)):
                found = self.words.best(self.tx, match, part.within, self.frequencies, HITS)
                if found or every:
                    return _List(found, every and len(found) < HITS)
        newest = (self.words.newest(self.tx, match, part.within, HITS) for match in reversed(matches))
        return _List(next(filter(None, newest), []), whole=False)

    def _is_comparable(self, match: str, within: SearchBounds, least: int, most: float) -> bool:
        enough = self.words.comparable
        if least > enough or most <= enough:
            return most <= enough
        return self.words.count(self.tx, match, within, enough + 1) <= enough

    @once
    def bounds(self) -> tuple[int, float]:
        """How many match at least and at most, by how many have each word: to count them is much more work."""
        if self.phrases:
            return UNKNOWN
        counts = [self.frequencies[stem] for stem in self.known]
        plain = self.parts == [(SearchBounds(self.within.upto), [])] and not self.query.cursor
        return max(counts, default=0) if plain else 0, sum(counts)

    @once
    def hits(self) -> list[int]:
        """The best by their words, in turn from each list."""
        turns = chain.from_iterable(zip_longest(*(each.numbers for each in self.lists)))
        return list(dict.fromkeys(number for number in turns if number is not None))

    @once
    def named(self) -> set[int]:
        """What the question names by number or topic."""
        topics = self.tx.rows(TOPIC, {"topic": topic_name(self.text)})
        return {number for (number,) in topics} | set(self.question.ids)

    @once
    def candidates(self) -> dict[int, CandidateNote]:
        within = [number for numbers in self.fragments.values() for number in numbers]
        nearby = [*self.named, *self.hits[:NEARBY], *within[:NEARBY]]
        found = {*nearby, *self.hits, *within, *neighbours(self.tx, nearby, self.within.upto)}
        return candidates(self.tx, found, self.question, self.fragments)

    @once
    def ranked(self) -> list[Hit]:
        """The hits that the query admits, what was named by number or topic first."""
        frequencies = self.frequencies | {term.stem: len(ids) for term, ids in self.fragments.items()}
        totals: dict[str, int] = dict(self.tx.rows(TOTALS))
        documents = max(1, totals["passages"])
        collection = Collection(documents, totals["words"] / documents, frequencies)
        found = rank(self.question, [note.candidate for note in self.candidates.values()], collection)
        hits = [hit for hit in found if hit.reasons and self.query.admits(self.candidates[hit.id].note)]
        return sorted(hits, key=lambda hit: hit.id not in self.named)

    @property
    def whole(self) -> bool:
        """Whether the ranked hits are all there is."""
        return all(each.whole for each in self.lists)

    @once
    def total(self) -> int:
        if self.whole:
            return len(self.ranked)
        stems = set() if self.phrases else set(self.known)
        again = sum(_matches(self.candidates[hit.id].candidate, stems, self.phrases) for hit in self.ranked)
        return min(COUNTED, len(self.ranked) + self._count() - again)

    def _count(self) -> int:
        """How many match; what is in both lists is counted once."""
        if self.bounds[0] >= COUNTED:
            return COUNTED
        both = [self._part(self.query._replace(scope=GLOBAL))] if self.query.everywhere else []
        return sum(map(self._size, self.parts)) - sum(map(self._size, both))

    def _size(self, part: _Part) -> int:
        return self.words.count(self.tx, self._matching(part), part.within, COUNTED)

    def page(self, kind: str, start: int, below: int) -> Results:
        """The hits from a place on: ranked ones first, then the rest of what matches, newest first."""
        limit = self.query.limit
        ranked = self.ranked[start : start + limit + 1]
        rest = [] if self.whole else self._rest(below or self.within.upto + 1, limit + 1 - len(ranked))
        items = [*ranked, *(Hit(number, 0.0, MATCHES) for number in rest)]
        shown, left = items[:limit], items[limit:]
        place = (start + len(ranked[:limit]), shown[-1].id if rest and len(ranked) < limit else below)
        return Results(
            self._found(shown), self.total, make_cursor(kind, self.within.upto, *place) if left else ""
        )

    def _rest(self, below: int, limit: int) -> list[int]:
        """Matches that are not ranked, from the highest id below one."""
        found: list[int] = []
        ranked, size = {hit.id for hit in self.ranked}, limit + HITS
        while len(found) < limit:
            lists = [self._newest(part, below, size) for part in self.parts]
            batch = sorted({number for each in lists for number in each}, reverse=True)[:size]
            found += [number for number in batch if number not in ranked]
            if len(batch) < size:
                break
            below = batch[-1]
        return found[:limit]

    def _newest(self, part: _Part, below: int, limit: int) -> list[int]:
        within = part.within._replace(upto=below - 1)
        return self.words.newest(self.tx, self._matching(part), within, limit)

    def _found(self, hits: Sequence[Hit]) -> tuple[SearchHit, ...]:
        ids = id_list(hit.id for hit in hits)
        rows = self.tx.rows(select(notes.FIELDS, "notes", "WHERE id IN", ids))
        whole = {row[0]: Note(*row) for row in rows}
        seen = (hit for hit in hits if hit.id in whole)
        return tuple(
            SearchHit(whole[hit.id], hit.score, hit.reasons, self._is_nearby(hit.id)) for hit in seen
        )

    def _is_nearby(self, number: int) -> bool:
        if number in self.named or number not in self.candidates:
            return False
        stems = {term.stem for term in self.question.terms}
        return not _matches(self.candidates[number].candidate, stems, ())


def _is_fragment(word: str, *, alone: bool) -> bool:
    """Whether a word may be looked for inside of others: in a sentence, a short one is in all kinds of them."""
    return len(word) > (2 if alone or not word.isascii() else 4)


def _matches(candidate: Candidate, stems: set[str], phrases: Sequence[Sequence[str]]) -> bool:
    """Any of the stems, if there are any, and all of the phrases."""
    texts = (candidate.title, candidate.body)
    if stems and not any(stems.intersection(text) for text in texts):
        return False
    joined = [f" {' '.join(text)} " for text in texts] if phrases else []
    return all(any(f" {' '.join(phrase)} " in text for text in joined) for phrase in phrases)
