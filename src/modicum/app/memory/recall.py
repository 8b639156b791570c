"""Memory as pages: what is recent, what answers a question, what happened around a note."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from modicum.app.answer.amount import Amount
from modicum.app.answer.answer import Answer, Fitting, done, page_of
from modicum.app.answer.cursor import PagePosition, mark, read_place, write_place
from modicum.base.value import replace
from modicum.engine.page import Order, Page
from modicum.memory.blocks import (
    note_key,
    prompt_key,
    recall_sections,
    search_sections,
    session_key,
    timeline_sections,
)
from modicum.memory.model import GLOBAL, Context, Note, Query, SearchHit, Timeline
from modicum.memory.names import project_name
from modicum.memory.store import Store

MOST_ITEMS = 500
RECENT_ITEMS = 20
SEARCH_ITEMS = 10
GLOBAL_ITEMS = 20
MOST_SEEN = 200  # items that a cursor names; from there on the store is asked for a nearer one


class RecallCounts(NamedTuple):
    """How much stands beside the notes of a recall."""

    sessions: int = 5
    prompts: int = 10
    pinned: int = 20


USUAL = RecallCounts()


def recall(
    store: Store, query: Query, amount: Amount, *, beside: RecallCounts = USUAL, cursor: str = ""
) -> Answer:
    """What a new session should know: everything is mentioned before anything is told at length.

    A limit of zero is the usual one; with less than zero there are no notes but the pinned ones.
    """
    return recalling(store, query, beside=beside, cursor=cursor)(amount)


def recalling(store: Store, query: Query, *, beside: RecallCounts = USUAL, cursor: str = "") -> Fitting:
    """What `recall` tells, in the amount that is still to be named."""
    place, limit = read_place(cursor), max(0, min(query.limit or RECENT_ITEMS, MOST_ITEMS))
    around = store.context(query._replace(limit=0, cursor=""), **beside._asdict())
    around = around._replace(everywhere=_from_elsewhere(store, query) if limit else ())
    aside = _aside(around)
    pins = [each.id for each in around.pinned]
    reading = _Reading(lambda cursor, size: _recent(store, query, cursor, size), place, limit, also=pins)
    left = [key for key in aside if place.aside is None or mark(key) in place.aside]
    sections = recall_sections(_left(around, frozenset(left))._replace(notes=reading.fresh))
    total = (store.count(query) if limit else len(pins)) + len(aside) - len(pins)

    def fitted(amount: Amount) -> Answer:
        page = page_of(sections, amount, Order.BREADTH)
        told = done(page)
        return _answer(page, amount, total, reading, [key for key in left if key not in told])

    return fitted


def search(store: Store, text: str, query: Query, amount: Amount, *, cursor: str = "") -> Answer:
    """What answers a plain question: the best whole before the next is mentioned."""
    limit = query.limit or amount.items(SEARCH_ITEMS)
    return searching(store, text, query._replace(limit=limit), cursor=cursor)(amount)


def searching(store: Store, text: str, query: Query, *, cursor: str = "") -> Fitting:
    """What `search` tells, in the amount that is still to be named."""
    place, limit = read_place(cursor), min(query.limit or SEARCH_ITEMS, MOST_ITEMS)
    query = query._replace(everywhere=_looks_elsewhere(query))
    hits: dict[str, SearchHit] = {}
    totals: list[int] = []

    def fetch(cursor: str, size: int) -> _Batch:
        found = store.search(text, query._replace(limit=size, cursor=cursor))
        totals.append(found.total)
        hits.update((note_key(hit.note.id), hit) for hit in found.items)
        return _Batch(tuple(hit.note for hit in found.items), found.next)

    reading = _Reading(fetch, place, limit)
    sections = search_sections([hits[note_key(each.id)] for each in reading.fresh])

    def fitted(amount: Amount) -> Answer:
        answer = _answer(page_of(sections, amount, Order.DEPTH), amount, totals[0], reading)
        return replace(answer, hits=hits)

    return fitted


def timeline(
    store: Store, number: int, amount: Amount, *, before: int = 5, after: int = 5, cursor: str = ""
) -> Answer:
    """A note among its neighbours in the session; the nearest first."""
    return surrounding(store, number, before=before, after=after, cursor=cursor)(amount)


def surrounding(store: Store, number: int, *, before: int = 5, after: int = 5, cursor: str = "") -> Fitting:
    """What `timeline` tells, in the amount that is still to be named."""
    place = read_place(cursor)
    found = store.timeline(number, before=min(before, MOST_ITEMS), after=min(after, MOST_ITEMS))
    near = _by_distance(found)
    reading = _Reading(lambda cursor, size: _Batch(near, ""), place, len(near))
    sections = timeline_sections(found, map(note_key, place.seen))

    def fitted(amount: Amount) -> Answer:
        return _answer(page_of(sections, amount, Order.BREADTH), amount, len(near), reading)

    return fitted


class _Batch(NamedTuple):
    items: tuple[Note, ...]
    next: str


_Fetch = Callable[[str, int], _Batch]


class _Reading:
    """A list in the store, read from a place on: what is `fresh` was not shown on an earlier page, or elsewhere."""

    def __init__(self, fetch: _Fetch, place: PagePosition, limit: int, also: Iterable[int] = ()) -> None:
        self.fetch, self.place, self.also = fetch, place, frozenset(also)
        self.batch = fetch(place.cursor, len(place.seen) + limit)
        self.listed = [each.id for each in self.batch.items]
        shown = self.also.union(place.seen)
        self.fresh = tuple(each for each in self.batch.items if each.id not in shown)

    def passed(self, told: frozenset[str], aside: Sequence[str]) -> str:
        """What does not fit even alone is passed over, or there would never be an end."""
        if told:
            return ""
        return next(iter((*aside, *(note_key(each.id) for each in self.fresh[:1]))), "")

    def following(self, told: frozenset[str], aside: Sequence[str]) -> PagePosition | None:
        """Where the next page begins; None if all is shown."""
        taken = [each.id for each in self.fresh if note_key(each.id) in told]
        marks = tuple(mark(key) for key in aside if key not in told)
        after = self.place.advance(self.listed, (*taken, *self._elsewhere()), self.batch.next)
        if after is None:
            end = self.place._replace(seen=tuple(self.listed), aside=marks)
            return end if marks else None
        return self._nearer(after._replace(aside=marks))

    def _elsewhere(self) -> list[int]:
        return [number for number in self.listed if number in self.also and number not in self.place.seen]

    def _nearer(self, place: PagePosition) -> PagePosition:
        seen = frozenset(place.seen)
        run = next((at for at, number in enumerate(self.listed) if number not in seen), 0)
        if run < MOST_SEEN or not seen:
            return place
        passed = frozenset(self.listed[:run])
        cursor = self.fetch(self.place.cursor, run).next
        return place._replace(
            cursor=cursor, seen=tuple(number for number in place.seen if number not in passed)
        )


def _looks_elsewhere(query: Query) -> bool:
    """Whether notes of scope global count that are of another project: not if a scope or session was named."""
    return bool(query.project) and not query.scope and not query.session


def _from_elsewhere(store: Store, query: Query) -> tuple[Note, ...]:
    if not _looks_elsewhere(query):
        return ()
    wide = query._replace(project="", scope=GLOBAL, limit=GLOBAL_ITEMS, cursor="")
    here = project_name(query.project)
    return tuple(each for each in store.recent(wide).items if each.project != here)


def _recent(store: Store, query: Query, cursor: str, size: int) -> _Batch:
    return _Batch(*store.recent(query._replace(limit=size, cursor=cursor)))


def _aside(around: Context) -> list[str]:
    pins = [note_key(each.id) for each in around.pinned]
    wide = [note_key(each.id) for each in around.everywhere]
    return [*pins, *wide, *map(session_key, around.sessions), *map(prompt_key, around.prompts)]


def _left(around: Context, keys: frozenset[str]) -> Context:
    return Context(
        tuple(each for each in around.sessions if session_key(each) in keys),
        tuple(each for each in around.prompts if prompt_key(each) in keys),
        (),
        tuple(each for each in around.pinned if note_key(each.id) in keys),
        tuple(each for each in around.everywhere if note_key(each.id) in keys),
    )


def _by_distance(found: Timeline) -> tuple[Note, ...]:
    beside: Sequence[tuple[Note, ...]] = (found.before[::-1], found.after)
    most = max(map(len, beside))
    return (found.focus, *(side[far] for far in range(most) for side in beside if far < len(side)))


def _answer(page: Page, amount: Amount, total: int, reading: _Reading, aside: Sequence[str] = ()) -> Answer:
    """The answer that a page makes; `aside` is what of the rest it does not tell of."""
    told = done(page)
    shown, passed = reading.place.shown + len(told), reading.passed(told, aside)
    following = reading.following(told | {passed}, aside)
    following = following and following._replace(shown=shown)
    word = write_place(following) if following else ""
    return Answer(page, amount, total, max(0, total - shown), word, passed)
