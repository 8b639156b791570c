"""A plain question against all observations: candidates from the index, order and reasons from `rank`."""

from bisect import bisect_right
from collections.abc import Collection as Ids
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import accumulate, chain, zip_longest
from math import inf
from typing import NamedTuple
from zlib import crc32

from modicum import spoken
from modicum.memory import lists, observations
from modicum.memory.database import Row, Transaction, Within, Words
from modicum.memory.indexing import marks_asked
from modicum.memory.model import GLOBAL, Found, Observation, Prompt, Query, Results
from modicum.memory.names import default_session, storable, topic_name
from modicum.memory.once import once
from modicum.memory.spelling import respell
from modicum.memory.sql import make_cursor, normal, read_cursor, select
from modicum.question import Question, Term, parse_question
from modicum.rank import Collection, Hit, rank
from modicum.signals import Candidate
from modicum.terms import Trait
from modicum.value import replace

HITS = 150
NEARBY = (
    60  # hits whose neighbours are looked at: more of either changed nothing in the benchmark, and cost twice
)
RAREST = 12
BESIDE = 2  # notes on each side of a hit: what they say reaches it
MOST_ASKED = 4_000  # characters of a question that are read
MOST_TERMS = 40
COUNTED = 10_000  # matches; that there are more is all that anybody wants to know
UNKNOWN = (0, inf)
ALONE = default_session("")  # what is saved outside of any session has no neighbours
LONG = 20_000  # characters of stems after which a body is only asked for the words of the question

LATEST = "SELECT coalesce(max(id), 0) FROM observations"
TOTALS = "SELECT name, value FROM totals WHERE name IN ('passages', 'words')"

NEIGHBOURS = (
    "SELECT DISTINCT near.id FROM passages AS hit JOIN passages AS near ON near.session_id = hit.session_id",
    f"AND near.position BETWEEN hit.position - {BESIDE} AND hit.position + {BESIDE}",
    "WHERE near.id <= :upto AND hit.session_id NOT LIKE :alone AND hit.id IN",
)

# Both tables are asked by number: a database that joins first may read all of one.
CANDIDATES = """
SELECT o.id, o.session_id, o.type, o.tool_name, o.author, o.project, o.scope, o.topic_key, o.namespace, o.pinned,
  o.created_at, o.title, substr(o.content, 1, {head}), p.position, p.title, p.traits, p.body
FROM observations AS o JOIN passages AS p ON p.id = o.id AND p.project = o.project WHERE p.id IN {among} AND o.id IN {among}
"""

TOPIC = (
    "SELECT id FROM observations WHERE topic_key = :topic AND deleted_at = '' AND topic_key <> '' LIMIT 20"
)
LINKS = "SELECT from_id, to_id FROM relations WHERE"

Among = tuple[tuple[str, ...], ...]  # groups of marks: what may be seen has one of each

MATCHES = ("matches some of the words",)


class _List(NamedTuple):
    """Ids in an order, and whether they are all that match."""

    numbers: list[int]
    whole: bool


def search(
    tx: Transaction, words: Words, text: str, query: Query, *, today: str, among: Among = ()
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
    # What is global answers from any project: the marks alone say which of both kinds is meant.
    project = "" if query.everywhere else query.project
    within = Within(upto, query.since, query.until, project, among)
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
    return Results(tuple(Found(each, 0.0) for each in found.items), lists.count(tx, query), found.next)


def search_prompts(tx: Transaction, words: Words, text: str, query: Query) -> tuple[Prompt, ...]:
    """The prompts that have any of the words, best first."""
    query = normal(query)
    terms = parse_question(storable(text[:MOST_ASKED])).terms[:RAREST]
    if not terms or query.limit <= 0:
        return ()
    found = words.prompts(tx, [term.word for term in terms], project=query.project, limit=query.limit)
    rows = tx.rows(select(Prompt._fields, "prompts", "WHERE id IN", _among(found)))
    by_id = {prompt.id: prompt for prompt in (Prompt(*row) for row in rows)}
    return tuple(by_id[number] for number in found if number in by_id)


def _among(numbers: Iterable[int]) -> str:
    return f"({', '.join(str(int(number)) for number in numbers) or 'NULL'})"


class _Asked:
    """A question on its way through the index. Everything is found once, when it is first needed."""

    def __init__(
        self, tx: Transaction, words: Words, text: str, query: Query, within: Within, today: date
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
        self.frequencies |= self.words.frequencies(self.tx, [term.stem for term in plain.terms])
        respelt = respell(self.tx, self.words, plain.terms, self.frequencies)
        return replace(plain, terms=respelt)

    @once
    def fragments(self) -> dict[Term, list[int]]:
        """Words that are in no index, and the notes that have them inside other words."""
        unknown = [
            term for term in self.question.terms if term.stem not in self.frequencies and len(term.word) > 2
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
        matches = (self.words.matching((), phrases, marks) for marks in self.marks)
        return phrases if any(self.words.newest(self.tx, m, self.within, 1) for m in matches) else ()

    @once
    def marks(self) -> list[Sequence[str]]:
        """What a note is marked with that may answer: as asked, or global."""
        asked = [self.query]
        if self.query.everywhere:
            asked.append(self.query._replace(project="", scope=GLOBAL))
        return [marks_asked(each) for each in asked]

    def _matching(self, marks: Sequence[str]) -> str:
        return self.words.matching(() if self.phrases else self.known, self.phrases, marks)

    @once
    def telling(self) -> tuple[list[str], list[str]]:
        """The stems that are rare enough to compare all that have one of them, and those that are not."""
        taken = list(accumulate(self.frequencies[stem] for stem in self.known))
        rare = bisect_right(taken, self.words.comparable)
        return self.known[:rare], self.known[rare:]

    def _narrowed(self, marks: Sequence[str]) -> Iterator[str]:
        """What matches, then only what says more than one word that is everywhere: a rare one, or two of them."""
        yield self._matching(marks)
        rare, common = self.telling
        if not self.phrases and (rare or len(common) > 1):
            yield self.words.matching(rare, (), marks, common)

    @once
    def lists(self) -> list[_List]:
        return [self._list([*self._narrowed(marks)]) for marks in self.marks if self.phrases or self.known]

    def _list(self, matches: Sequence[str]) -> _List:
        """The best of what can be compared in time, or else the newest."""
        for match in matches:
            every = match is matches[0]
            if self._is_comparable(match, *(self.bounds if every else UNKNOWN)):
                found = self.words.best(self.tx, match, self.within, self.frequencies, HITS)
                if found or every:
                    return _List(found, every and len(found) < HITS)
        newest = (self.words.newest(self.tx, match, self.within, HITS) for match in reversed(matches))
        return _List(next(filter(None, newest), []), whole=False)

    def _is_comparable(self, match: str, least: int, most: float) -> bool:
        enough = self.words.comparable
        if least > enough or most <= enough:
            return most <= enough
        return self.words.count(self.tx, match, self.within, enough + 1) <= enough

    @once
    def bounds(self) -> tuple[int, float]:
        """How many match at least and at most, by how many have each word: to count them is much more work."""
        if self.phrases:
            return UNKNOWN
        counts = [self.frequencies[stem] for stem in self.known]
        plain = self.marks == [[]] and self.within[1:] == Within(0)[1:] and not self.query.cursor
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
    def candidates(self) -> dict[int, tuple[Observation, Candidate]]:
        within = [number for numbers in self.fragments.values() for number in numbers]
        nearby = [*self.named, *self.hits[:NEARBY], *within[:NEARBY]]
        beside = self.tx.rows(
            " ".join((*NEIGHBOURS, _among(nearby))), {"upto": self.within.upto, "alone": f"{ALONE}%"}
        )
        found = {*nearby, *self.hits, *within, *(number for (number,) in beside)}
        links = self._links(found)
        rows = self.tx.rows(CANDIDATES.format(among=_among(found), head=spoken.HEAD))
        return self._conversing([self._candidate(row, links.get(row[0], frozenset())) for row in rows])

    def _conversing(
        self, found: Sequence[tuple[Observation, Candidate]]
    ) -> dict[int, tuple[Observation, Candidate]]:
        """The candidates, by the speaker whom the text names if the store knows no author, and of the day it names."""
        labels = {each.id: spoken.label(each.title, each.content) for each, _ in found if not each.author}
        speakers = spoken.speakers(labels.values())
        dated = bool(self.question.dates)
        return {
            each.id: (
                each,
                candidate._replace(
                    author=each.author or (label if (label := labels[each.id]) in speakers else ""),
                    created_at=_said_at(each) if dated else each.created_at,
                ),
            )
            for each, candidate in found
        }

    def _links(self, numbers: Ids[int]) -> dict[int, frozenset[int]]:
        among = _among(numbers)
        rows = self.tx.rows(" ".join((LINKS, "from_id IN", among)))
        rows += self.tx.rows(" ".join((LINKS, "to_id IN", among)))
        links: dict[int, set[int]] = {}
        for one, other in rows:
            links.setdefault(one, set()).add(other)
            links.setdefault(other, set()).add(one)
        return {number: frozenset(others) for number, others in links.items()}

    def _candidate(self, row: Row, related: frozenset[int]) -> tuple[Observation, Candidate]:
        number, session, kind, tool, author, project, scope, topic, namespace, pinned, created, *texts = row
        named, head, position, title, traits, body = texts
        observation = Observation(
            number, "", session, kind, named, head, tool, author, project, scope, topic, namespace, pinned,
            created_at=created,
        )  # fmt: skip
        candidate = Candidate(
            id=number,
            title=tuple(title.split()),
            body=(*self._body(body), *(term.stem for term, ids in self.fragments.items() if number in ids)),
            names=tuple(filter(None, (topic, project, tool, kind))),
            author=author,
            session="" if session.startswith(ALONE) else session,
            position=position,
            created_at=created,
            traits=Trait(traits),
            related=related,
            pinned=bool(pinned),
        )
        return observation, candidate

    def _body(self, stems: str) -> list[str]:
        if len(stems) <= LONG:
            return stems.split()
        padded = f" {stems} "
        asked = [term.stem for term in self.question.terms if f" {term.stem} " in padded]
        return stems[:LONG].split() + asked

    @once
    def ranked(self) -> list[Hit]:
        """The hits that the query admits, what was named by number or topic first."""
        frequencies = self.frequencies | {term.stem: len(ids) for term, ids in self.fragments.items()}
        totals: dict[str, int] = dict(self.tx.rows(TOTALS))
        documents = max(1, totals["passages"])
        collection = Collection(documents, totals["words"] / documents, frequencies)
        found = rank(self.question, [candidate for _, candidate in self.candidates.values()], collection)
        hits = [hit for hit in found if hit.reasons and self.query.admits(self.candidates[hit.id][0])]
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
        again = sum(_matches(self.candidates[hit.id][1], stems, self.phrases) for hit in self.ranked)
        return min(COUNTED, len(self.ranked) + self._count() - again)

    def _count(self) -> int:
        """How many match; what is in both lists is counted once."""
        if self.bounds[0] >= COUNTED:
            return COUNTED
        both = [marks_asked(self.query._replace(scope=GLOBAL))] if self.query.everywhere else []
        counts = [
            self.words.count(self.tx, self._matching(marks), self.within, COUNTED)
            for marks in (*self.marks, *both)
        ]
        return sum(counts[: len(self.marks)]) - sum(counts[len(self.marks) :])

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
        """Matches that are not among the candidates, from the highest id below one."""
        found: list[int] = []
        matches, size = [self._matching(marks) for marks in self.marks], limit + HITS
        while len(found) < limit:
            within = self.within._replace(upto=below - 1)
            lists = [self.words.newest(self.tx, match, within, size) for match in matches]
            batch = sorted({number for each in lists for number in each}, reverse=True)[:size]
            found += [number for number in batch if number not in self.candidates]
            if len(batch) < size:
                break
            below = batch[-1]
        return found[:limit]

    def _found(self, hits: Sequence[Hit]) -> tuple[Found, ...]:
        among = _among(hit.id for hit in hits)
        rows = self.tx.rows(select(observations.FIELDS, "observations", "WHERE id IN", among))
        whole = {row[0]: Observation(*row) for row in rows}
        seen = (hit for hit in hits if hit.id in whole)
        return tuple(Found(whole[hit.id], hit.score, hit.reasons, self._is_nearby(hit.id)) for hit in seen)

    def _is_nearby(self, number: int) -> bool:
        if number in self.named or number not in self.candidates:
            return False
        stems = {term.stem for term in self.question.terms}
        return not _matches(self.candidates[number][1], stems, ())


def _said_at(note: Observation) -> str:
    """The day that its head names, unless that was still to come when it was saved."""
    return min(spoken.day(note.title, note.content) or note.created_at, note.created_at)


def _matches(candidate: Candidate, stems: set[str], phrases: Sequence[Sequence[str]]) -> bool:
    """Any of the stems, if there are any, and all of the phrases."""
    texts = (candidate.title, candidate.body)
    if stems and not any(stems.intersection(text) for text in texts):
        return False
    joined = [f" {' '.join(text)} " for text in texts] if phrases else []
    return all(any(f" {' '.join(phrase)} " in text for text in joined) for phrase in phrases)
