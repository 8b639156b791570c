"""Makes pages over HTTP: reads the amount from a request's parameters and returns the page as JSON."""

from typing import Any

from modicum.app.answer.amount import TOKENIZER, Amount, bounded, parse_amount, whole_number
from modicum.app.answer.answer import ItemList, Rest, answer, answer_as_json, list_of
from modicum.app.answer.harmless import harmless_list
from modicum.app.memory import recall
from modicum.app.memory.lists import ReadItems
from modicum.app.session.handed_log import Handed, notes_in
from modicum.engine.page import Block, Detail, Section
from modicum.http.remedies import route_wording
from modicum.http.replies import Reply, json_reply
from modicum.http.request import ApiRequest
from modicum.memory.model import Query

MOST_ITEMS = recall.MOST_ITEMS
AROUND = 5

PageJson = dict[str, Any]


def page_reply(request: ApiRequest, page: PageJson) -> Reply:
    """Returns the HTTP reply with a page, and what the handed log says of it."""
    text = str(page["text"])
    tokens = page["used"] if page["unit"] == TOKENIZER else None
    size = len(text.encode("utf-8", "replace"))
    handed = Handed("http", "", "", request.text("project"), size, tokens, notes_in(page))
    return json_reply(page)._replace(handed=handed)


def recalled(request: ApiRequest, query: Query) -> PageJson:
    """Returns the page of an HTTP reply, as JSON: what a new session should know."""
    amount, number = _amount(request, least=0), count_of(request, "limit", recall.RECENT_ITEMS)
    query = query._replace(limit=0 if number else -1)  # for the store, -1 is none
    usual = recall.usual_counts(amount)
    counts = recall.RecallCounts(
        **{name: count_of(request, name, number) for name, number in usual._asdict().items()}
    )
    return _page(recall.recall(request.store, query, amount, counts), amount)


def searched(request: ApiRequest, words: str, query: Query) -> PageJson:
    """Returns the page, as JSON over HTTP, of the notes that answer a search."""
    amount = _amount(request)
    return _page(recall.search(request.store, words, query, amount), amount)


def around(request: ApiRequest, note: int) -> PageJson:
    """Returns the page, as JSON over HTTP, of a note and its neighbours in the session."""
    counts = {name: count_of(request, name, AROUND) for name in ("before", "after")}
    amount = _amount(request)
    return _page(recall.timeline(request.store, note, amount, **counts), amount)


def listed(request: ApiRequest, read: ReadItems) -> PageJson:
    """Returns a page of any list as JSON over HTTP, in the amount that the parameters ask for."""
    amount = _amount(request)
    return _page(read(amount), amount)


def packs(request: ApiRequest) -> PageJson:
    """Returns the page, as JSON over HTTP, of all packs; with `q`, of the pack parts that answer it."""
    from modicum.app.inject.load import load_told_library
    from modicum.app.packs.parts import list_packs, search_parts

    found, amount = load_told_library(request.require_config()).packs, _amount(request)
    words = request.text("q")
    return _page(search_parts(found, words, amount) if words.strip() else list_packs(found, amount), amount)


def pack(request: ApiRequest, key: str) -> PageJson:
    """Returns the page, as JSON over HTTP, of a pack's parts, or of one whole part that the key names."""
    from modicum.app.inject.load import load_told_library
    from modicum.app.packs.one_part import whole_part
    from modicum.app.packs.parts import read_parts

    library, amount = load_told_library(request.require_config()), _amount(request)
    if "/" not in key:
        return _page(read_parts(library, key, amount), amount)
    full = key if ":" in key else f"pack:{key}"
    block = Block(full, {Detail.SUMMARY: whole_part(library, full).body})
    return _page(list_of((Section((block,)),)), amount)


def specs(request: ApiRequest) -> PageJson:
    """Returns the page, as JSON over HTTP, of the project's documents, open changes and decisions."""
    from modicum.app.specs.sections import standing

    return _page(list_of(standing(request.require_config(), route_wording)), _amount(request))


def checked(request: ApiRequest, words: str, change: str) -> PageJson:
    """Returns the page of an HTTP reply, as JSON: specs, decisions and notes that bear on a change."""
    from modicum.app.specs.check import check

    amount = _amount(request)
    return _page(check(request.require_config(), request.store, words, amount, change=change), amount)


def _page(items: ItemList, amount: Amount) -> PageJson:
    return answer_as_json(answer(harmless_list(items, amount.detail), amount, _closing_line))


def _closing_line(rest: Rest) -> str:
    if rest.too_large:
        return f"… {rest.too_large} needs a larger max_tokens"
    if rest.next:
        return f"… {rest.left} more of {rest.total}: cursor={rest.next}"
    return f"… {rest.shortened} shortened of {rest.total}: ask for a larger max_tokens"


def _amount(request: ApiRequest, least: int = 1) -> Amount:
    amount = parse_amount(
        detail=request.text("detail"),
        max_tokens=request.text("max_tokens"),
        max_bytes=request.text("max_bytes"),
        tokenizer=request.text("tokenizer"),
        limit=str(count_of(request, "limit", 0, least=least)),
        cursor=request.text("cursor"),
    )
    return bounded(amount)


def count_of(request: ApiRequest, name: str, usual: int, *, least: int = 0, most: int = MOST_ITEMS) -> int:
    """Returns a number of items from a parameter of an HTTP request: at most `most`, and `usual` if it is missing."""
    word = request.text(name)
    return min(whole_number(name, word, least), most) if word else usual
