"""Pages in the amount asked for, on engram's routes, when one of our parameters is given."""

from modicum.app.answer.amount import Amount, parse_amount, whole_number
from modicum.app.answer.answer import answer as make_page
from modicum.app.answer.answer import answer_as_json
from modicum.app.memory import recall
from modicum.base.errors import ModicumError
from modicum.http.replies import Answering, Reply, RequestParts, answer, answer_page, ok
from modicum.memory.model import Query
from modicum.memory.store import Store
from modicum.memory.times import parse_time

OURS = ("detail", "max_tokens", "cursor")
AROUND = 5


def either(compatible: Answering, page: Answering) -> Answering:
    """A page if one of our parameters is there, else what engram replies."""

    def answering(store: Store, asked: RequestParts) -> Reply:
        if any(name in asked.query for name in OURS):
            return answer_page(page, store, asked)
        return answer(compatible, store, asked)

    return answering


def context(store: Store, asked: RequestParts) -> Reply:
    usual = recall.RecallCounts()._asdict()
    counts = recall.RecallCounts(
        **{name: max(0, _count(asked, name) or number) for name, number in usual.items()}
    )
    number = _count(asked, "observations") or _count(asked, "limit")
    amount = _amount(asked)._replace(most_items=max(0, number))
    found = recall.recall(store, _query(asked)._replace(limit=min(0, number)), amount, counts)
    return ok(answer_as_json(make_page(found, amount)))


def search(store: Store, asked: RequestParts) -> Reply:
    if not asked.text("q"):
        raise ModicumError("q is missing", remedy="say what to look for, as in ?q=why+is+login+slow")
    amount = _amount(asked)._replace(most_items=max(0, _count(asked, "limit")))
    found = recall.search(store, asked.text("q"), _query(asked), amount)
    return ok(answer_as_json(make_page(found, amount)))


def timeline(store: Store, asked: RequestParts) -> Reply:
    number = whole_number("observation_id", asked.text("observation_id"))
    around = {name: max(0, _count(asked, name) or AROUND) for name in ("before", "after")}
    amount = _amount(asked)
    found = recall.timeline(store, number, amount, **around)
    return ok(answer_as_json(make_page(found, amount)))


def _amount(asked: RequestParts) -> Amount:
    return parse_amount(
        detail=asked.text("detail"),
        max_tokens=asked.text("max_tokens"),
        max_bytes=asked.text("max_bytes"),
        tokenizer=asked.text("tokenizer"),
        cursor=asked.text("cursor"),
    )


def _count(asked: RequestParts, name: str) -> int:
    """How many: zero is as many as usual and less is none, as in the parameters that these come from."""
    word = asked.text(name)
    number = whole_number(name, word.removeprefix("-")) if word else 0
    return -1 if word.startswith("-") and number else min(number, recall.MOST_ITEMS)


def _query(asked: RequestParts) -> Query:
    project, scope, kind, namespace, session = map(
        asked.text, ("project", "scope", "type", "namespace", "session")
    )
    since, until = _time(asked, "since"), _time(asked, "until", end=True)
    return Query(project, scope, kind, namespace, session, since, until)


def _time(asked: RequestParts, name: str, *, end: bool = False) -> str:
    word = asked.text(name)
    return parse_time(word, end=end) if word else ""
