"""Pages in the one JSON shape. The only module of this door that knows how answers are made and how much is asked for."""

from typing import TYPE_CHECKING, Any

from modicum.app.answer.amount import Amount, parse_amount
from modicum.app.answer.amount import whole_number as whole_number
from modicum.app.answer.answer import Answer, answer_as_json, done, page_of
from modicum.app.answer.cursor import PagePosition, read_place, write_place
from modicum.app.memory import recall
from modicum.base.value import replace
from modicum.engine.page import Block, Detail, Order, Section, fit
from modicum.http.request import ApiRequest
from modicum.memory.model import Query

if TYPE_CHECKING:
    from modicum.app.memory.lists import ReadBatch

MOST_ITEMS = recall.MOST_ITEMS
LISTED_ITEMS = 50
AROUND = 5

PageJson = dict[str, Any]


def recalled(request: ApiRequest, query: Query) -> PageJson:
    """What a new session should know."""
    counts = {name: _count(request, name, usual) for name, usual in recall.USUAL._asdict().items()}
    # For the store, 0 notes are the usual number, and -1 are none.
    query = query._replace(limit=_count(request, "limit", recall.RECENT_ITEMS) or -1)
    beside = recall.RecallCounts(**counts)
    return _shape(
        recall.recall(request.store, query, _amount(request), beside=beside, cursor=_cursor(request))
    )


def searched(request: ApiRequest, words: str, query: Query) -> PageJson:
    """The notes that answer a question."""
    query = query._replace(limit=_count(request, "limit", 0, least=1))
    answer = recall.search(request.store, words, query, _amount(request), cursor=_cursor(request))
    notes = {key: hit.note for key, hit in answer.hits.items()}
    facts = {
        key: {"title": note.title, "type": note.type, "date": note.created_at} for key, note in notes.items()
    }
    return _shape(replace(answer, facts=facts))


def around(request: ApiRequest, note: int) -> PageJson:
    """A note among its neighbours in the session."""
    counts = {name: _count(request, name, AROUND) for name in ("before", "after")}
    return _shape(recall.timeline(request.store, note, _amount(request), **counts, cursor=_cursor(request)))


def listed(request: ApiRequest, read: "ReadBatch") -> PageJson:
    """A list, from where the page before ended. A page ends at the first item that does not fit."""
    amount, place = _amount(request), read_place(_cursor(request))
    batch = read(place.cursor, _count(request, "limit", LISTED_ITEMS, least=1))
    page = fit(batch.sections, replace(amount.view(Order.BREADTH), strict=True))
    shown = len(done(page))
    passed = batch.keys[0] if batch.keys and not shown else ""  # it does not fit even alone
    shown_in_all = place.shown + shown
    following = batch.after(shown or 1)
    next_place = PagePosition(following, (), None, shown_in_all)
    answer = Answer(
        page,
        amount,
        batch.total,
        max(0, batch.total - shown_in_all),
        write_place(next_place) if following else "",
        passed,
        facts=batch.facts,
    )
    return _shape(answer)


def packs(request: ApiRequest) -> PageJson:
    """The packs there are; with `q`, the parts of packs that answer a question."""
    from modicum.app.inject.load import load_knowledge
    from modicum.app.packs.parts import listing_packs, searching_parts

    found = load_knowledge(request.require_config()).library.packs
    limit, cursor = _count(request, "limit", 0, least=1), _cursor(request)
    words = request.text("q")
    if words.strip():
        return _shape(searching_parts(found, words, limit=limit, cursor=cursor)(_amount(request)))
    return _shape(listing_packs(found, limit=limit, cursor=cursor)(_amount(request)))


def pack(request: ApiRequest, key: str) -> PageJson:
    """The parts of a pack; or, if the key names a part, that part, whole."""
    from modicum.app.inject.load import load_knowledge
    from modicum.app.packs.parts import reading_parts, whole_part

    knowledge = load_knowledge(request.require_config())
    if "/" not in key:
        limit = _count(request, "limit", 0, least=1)
        return _shape(reading_parts(knowledge, key, limit=limit, cursor=_cursor(request))(_amount(request)))
    full = key if ":" in key else f"pack:{key}"
    return _whole(request, full, whole_part(knowledge, full).body)


def specs(request: ApiRequest) -> PageJson:
    """Where the project stands: documents, open changes, decisions."""
    from modicum.app.specs.pages import overview, paging

    limit = _count(request, "limit", 0, least=1)
    sections = overview(request.require_config())
    return _shape(paging(sections, limit=limit, cursor=_cursor(request))(_amount(request)))


def checked(request: ApiRequest, words: str, change: str) -> PageJson:
    """What was specified, decided, tried or noted that bears on a change."""
    from modicum.app.specs.check import check

    limit = _count(request, "limit", 0, least=1)
    answer = check(
        request.require_config(),
        request.store,
        words,
        _amount(request),
        change=change,
        limit=limit,
        cursor=_cursor(request),
    )
    return _shape(answer)


def _whole(request: ApiRequest, key: str, text: str) -> PageJson:
    amount = _amount(request)
    page = page_of((Section((Block(key, {Detail.SUMMARY: text}),)),), amount, Order.BREADTH)
    omitted = 1 - len(done(page))
    return _shape(Answer(page, amount, 1, omitted, passed=key if omitted else ""))


def _shape(answer: Answer) -> PageJson:
    return answer_as_json(answer)


def _amount(request: ApiRequest) -> Amount:
    names = ("detail", "max_tokens", "max_bytes", "tokenizer")
    return parse_amount(**{name: request.text(name) for name in names})


def _cursor(request: ApiRequest) -> str:
    return request.text("cursor")


def _count(request: ApiRequest, name: str, usual: int, least: int = 0) -> int:
    """A number of items in a parameter; the usual one if it is not given."""
    word = request.text(name)
    return min(whole_number(name, word, least), MOST_ITEMS) if word else usual
