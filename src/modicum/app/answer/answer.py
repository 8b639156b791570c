"""Answers: makes a page from sections for any door, with true counts and a cursor for the next page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from modicum.app.answer.amount import Amount
from modicum.app.answer.cursor import Cursor, mark, next_batch, read_cursor, write_cursor
from modicum.base.value import NOTHING, Value, replace
from modicum.engine.page import Block, Detail, Fate, LeftOut, Order, Page, Section, View, fit
from modicum.engine.tokens import count, trim, unit_name

NUMBERED = "prompt"  # the kind of keys that carry a number behind the colon


class ItemList(Value):
    """All items that an answer can show page by page, in sections, and how many there are in all.

    Where they come from a store in batches: `size` of them were read, and `behind` is where the next batch begins.
    Items that are `whole_or_later` are shown whole at full detail, or left for the next page.
    """

    sections: tuple[Section, ...]
    total: int
    order: Order = Order.BREADTH
    stamp: str = ""
    size: int = 0
    behind: str = ""
    whole_or_later: bool = True
    facts: Mapping[str, Mapping[str, object]] = NOTHING  # of items, for JSON


def list_of(sections: Sequence[Section]) -> ItemList:
    """Returns sections as the item list of an answer; its cursors are good for the same list only."""
    keys = [block.key for section in sections for block in section.blocks]
    return ItemList(tuple(sections), len(keys), stamp=mark(" ".join(keys)), whole_or_later=False)


class Rest(NamedTuple):
    """The facts for an answer's closing line: items shown, shortened and left, and the next cursor.

    `too_large` is the key of an item that does not fit even alone: the cursor goes on behind it.
    """

    shown: int
    shortened: int
    total: int
    left: int
    next: str
    too_large: str = ""


Words = Callable[[Rest], str]
Wrapping = Callable[[str, Rest, tuple[str, ...]], str]


class Answer(Value):
    """An answer to a reader: one page of a list, the counts of all and remaining items, the next cursor."""

    page: Page
    amount: Amount
    total: int
    omitted: int
    next: str = ""
    too_large: str = ""
    facts: Mapping[str, Mapping[str, object]] = NOTHING

    @property
    def shown(self) -> tuple[str, ...]:
        """Returns the keys of the items on the answer's page, at any length."""
        return tuple(key for key, fate in self.page.fates.items() if fate is not Fate.CUT)

    @property
    def rest(self) -> Rest:
        shortened = sum(fate is Fate.SHORTENED for fate in self.page.fates.values())
        return Rest(len(self.shown), shortened, self.total, self.omitted, self.next, too_large=self.too_large)


def answer(
    listing: ItemList, amount: Amount, words: Words | None = None, wrapping: Wrapping | None = None
) -> Answer:
    """Returns the answer: the page of a list within an amount. `words` writes its closing line."""
    trim()  # what earlier pages left; this one is counted again in its JSON
    paging = _Paging(listing, amount)
    view = View(
        amount.detail,
        budget=amount.budget,
        order=listing.order,
        strict=True,
        pointer=(lambda left: words(paging.rest(left))) if words else None,
        envelope=(lambda text, left: wrapping(text, paging.rest(left), left.shown_keys))
        if wrapping
        else None,
        behind=paging.behind(),
    )
    whole_only = listing.whole_or_later and amount.detail is Detail.FULL
    page = fit(paging.sections(whole_only=whole_only), view)
    shown = sum(fate is not Fate.CUT for fate in page.fates.values())
    rest = paging.rest(LeftOut((), (), shown, len(page.fates)))
    return Answer(page, amount, listing.total, rest.left, rest.next, rest.too_large, listing.facts)


class _Paging:
    """The items of a listing in the order of importance, and those that no earlier page has shown."""

    def __init__(self, listing: ItemList, amount: Amount) -> None:
        self.listing = listing
        self.cursor = cursor = read_cursor(amount.cursor, listing.stamp)
        blocks = [block for section in listing.sections for block in section.blocks]
        self.keys = [block.key for block in sorted(blocks, key=lambda block: block.rank)]
        marks = {mark(key): at for at, key in reversed([*enumerate(self.keys, 1)])} if cursor.last else {}
        self.done = min(marks.get(cursor.last, cursor.done), len(self.keys))
        most = amount.most_items if amount.most_items and not listing.size else len(self.keys)
        self.fresh = self.keys[self.done : self.done + most]

    def behind(self) -> int:
        """Returns how many items come after those that this page of the answer may show."""
        left = self.listing.total - self.cursor.shown - len(self.fresh)
        return max(left, 1 if self.listing.behind else 0)

    def sections(self, *, whole_only: bool) -> tuple[Section, ...]:
        """Returns the sections of the answer without what was shown before. Nothing is pinned, so that is the first of them."""
        kept = frozenset(self.fresh)
        whole = kept - frozenset(self.fresh[:1]) if whole_only else frozenset[str]()
        found = (
            replace(section, blocks=tuple(_fresh(section.blocks, kept, whole)))
            for section in self.listing.sections
        )
        return tuple(section for section in found if section.blocks)

    def rest(self, left: LeftOut) -> Rest:
        """Returns what the answer has still to show after so many items: the next page begins behind them."""
        shown, total = left.shown, self.listing.total
        too_large = self.fresh[0] if self.fresh and not shown else ""
        counted = self.cursor.shown + shown
        following = self._next(shown + bool(too_large), counted)
        return Rest(shown, len(left.shortened), total, max(0, total - counted), following, too_large)

    def _next(self, passed: int, counted: int) -> str:
        done, listing = self.done + passed, self.listing
        if done < len(self.keys):
            last = mark(self.keys[done - 1])
            return write_cursor(Cursor(counted, done, listing.size, last, listing.stamp, self.cursor.start))
        return next_batch(self.cursor, counted - self.cursor.shown, listing.stamp, listing.behind)


def _fresh(blocks: tuple[Block, ...], kept: frozenset[str], whole: frozenset[str]) -> Iterator[Block]:
    for block in blocks:
        if block.key in kept:
            forms = {Detail.FULL: block.forms[max(block.forms)]} if block.key in whole else block.forms
            yield Block(block.key, forms, block.rank)


def answer_as_json(answer: Answer) -> dict[str, object]:
    """Returns an answer as JSON, in the one shape that all pages have."""
    items = [_item(answer, key) for key in answer.shown or filter(None, (answer.too_large,))]
    return page_as_json(answer.page.text, answer.rest, answer.amount, items)


def page_as_json(
    text: str, rest: Rest, amount: Amount, items: object, *, used: int | None = None
) -> dict[str, object]:
    """Returns an answer's page as JSON; `items` are records, or bare handles to save tokens."""
    return {
        "text": text,
        "used": count(text, amount.unit) if used is None else used,
        "limit": amount.limit,
        "unit": unit_name(amount.unit),
        "shown": rest.shown,
        "total": rest.total,
        "omitted": rest.left,
        "next": rest.next or None,
        "items": items,
    }


def handle(key: str) -> str:
    """Returns the handle of an item in an answer: the public id of a note, else the item's key."""
    return key.removeprefix("note:")


def _item(answer: Answer, key: str) -> dict[str, object]:
    page = answer.page
    kind, _, name = key.partition(":")
    return {
        "key": key,
        "id": int(name) if kind == NUMBERED else name,
        **answer.facts.get(key, {}),
        "fate": str(page.fates[key]),
        "size": page.sizes[key],
        "reason": page.reasons.get(key),
    }
