"""What the readers of memory and specs are handed: a page, true counts, and where to go on."""

from collections.abc import Callable, Mapping, Sequence

from modicum.app.answer.amount import Amount
from modicum.base.value import NOTHING, Value, replace
from modicum.engine.page import Block, Detail, Fate, LeftOut, Order, Page, Section, fit
from modicum.engine.tokens import count
from modicum.memory.model import SearchHit

NUMBERED = frozenset({"note", "prompt"})  # kinds of keys that carry a number behind the colon


class Answer(Value):
    """A page; how many items there are in all, how many are still to come, and the cursor to go on with.

    An item that was `passed` over does not fit even alone.
    """

    page: Page
    amount: Amount
    total: int
    omitted: int
    next: str = ""
    passed: str = ""
    hits: Mapping[str, SearchHit] = NOTHING
    facts: Mapping[str, Mapping[str, object]] = NOTHING  # of items, for JSON


Fitting = Callable[[Amount], Answer]  # what was read from a source, ready to be told in any amount


def page_of(sections: Sequence[Section], amount: Amount, order: Order) -> Page:
    """The page; if nothing of it can be told as it should be, it is told shorter rather than not at all."""
    page = fit(sections, amount.view(order))
    if amount.floor is Detail.SUMMARY or done(page):
        return page
    return fit(sections, amount._replace(floor=Detail.SUMMARY).view(order))


def done(page: Page) -> frozenset[str]:
    """The items that a page tells of, at any length."""
    return frozenset(key for key, fate in page.fates.items() if fate is not Fate.CUT)


def fit_lines(lines: Sequence[Sequence[str]], amount: Amount) -> Answer:
    """The page of lines, each with its wordings from the shortest on; the first lines matter most."""
    blocks = tuple(
        Block(
            f"line:{at}", {detail: text.rstrip("\n") for detail, text in zip(Detail, wordings, strict=False)}
        )
        for at, wordings in enumerate(lines, 1)
        if any(wordings)
    )
    # Strictly in order: what stands behind a line that is left out may mean nothing without it.
    view = replace(amount.view(Order.BREADTH), pointer=_larger, strict=True)
    page = fit((Section(blocks, gap="\n"),), view)
    return Answer(page, amount, len(blocks), sum(fate is Fate.CUT for fate in page.fates.values()))


def _larger(left: LeftOut) -> str:
    missing = ((len(left.cut), "left out"), (len(left.shortened), "shortened"))
    told = " and ".join(f"{number} {what}" for number, what in missing if number)
    return f"… {told} of {left.total}: say a larger --max-tokens"


def answer_as_json(answer: Answer) -> dict[str, object]:
    """An answer in the one shape that pages have as JSON."""
    page, amount = answer.page, answer.amount
    return {
        "text": page.text,
        "used": count(page.text, amount.unit),
        "limit": amount.limit,
        "unit": amount.unit,
        "shown": len(done(page)),
        "total": answer.total,
        "omitted": answer.omitted,
        "next": answer.next or None,
        "items": [_item(answer, key) for key in _told(answer)],
    }


def _told(answer: Answer) -> list[str]:
    """The items up to the last one on the page: those behind it are for the next one to tell of."""
    keys, shown = list(answer.page.fates), done(answer.page)
    last = max((at for at, key in enumerate(keys) if key in shown), default=-1)
    return keys[: last + 1] or [*filter(None, (answer.passed,))]


def handle(key: str) -> int | str:
    """What to ask for an item by: the number of a note, else the key."""
    kind, _, name = key.partition(":")
    return int(name) if kind == "note" else key


def _item(answer: Answer, key: str) -> dict[str, object]:
    page, hit = answer.page, answer.hits.get(key)
    kind, _, name = key.partition(":")
    return {
        "key": key,
        "id": int(name) if kind in NUMBERED else name,
        "fate": str(page.fates[key]),
        "size": page.sizes[key],
        "reason": page.reasons.get(key),
        **({"score": hit.score, "why": "; ".join(hit.reasons)} if hit else {}),
        **answer.facts.get(key, {}),
    }
