"""Answers as a tool hands them over: a text with one closing line, and the same as JSON, both within the limits.

Some clients show a model the text, others the JSON, so each of the two says all there is to say.
"""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

from modicum.app.answer.amount import TOKENIZER, Amount, parse_amount
from modicum.app.answer.answer import Answer, Fitting, done, handle
from modicum.base.errors import ModicumError
from modicum.engine.page import Detail, Fate
from modicum.engine.tokens import count, measure
from modicum.text.pieces import cut

USUAL_TOKENS = 6_000
MOST_TOKENS = 25_000
LEAST_JSON = 200  # tokens: with less room than this, the JSON around a text would be most of it
LEAST_HALVED = 200
TRIES = 24

Data = dict[str, object]


class ToolReply(NamedTuple):
    """What a tool says: as text, and as JSON."""

    text: str
    data: Data | None = None


class ReplyAmount(NamedTuple):
    """How an answer is told: how much of it, what to say if there is none, and what else there is to remark."""

    amount: Amount
    empty: str = "There is nothing."
    remarks: tuple[str, ...] = ()

    @property
    def most(self) -> int:
        return self.amount.limit or 0


def manner_of(detail: str, max_tokens: int | None, *, usual: Detail = Detail.STANDARD) -> ReplyAmount:
    """The manner that a reader asks for; what is too much is bounded, and says so."""
    amount = parse_amount(detail=detail or usual.name.lower())
    most = USUAL_TOKENS if max_tokens is None else min(max_tokens, MOST_TOKENS)
    remark = f"max_tokens is at most {MOST_TOKENS:,}" if (max_tokens or 0) > MOST_TOKENS else ""
    floor = Detail.FULL if amount.detail is Detail.FULL else Detail.SUMMARY
    full = amount._replace(limits=((TOKENIZER, most),), floor=floor)
    return ReplyAmount(full, remarks=tuple(filter(None, (remark,))))


def tell(fitting: Fitting, manner: ReplyAmount, standard: Fitting | None = None) -> ToolReply:
    """The answer within the limit. A summary takes at most half of what the standard detail would, unless that is short.

    What the standard detail would tell is given if it is another selection.
    """
    if manner.amount.detail is not Detail.SUMMARY:
        return _within(fitting, manner, manner.most)
    longer = manner._replace(amount=manner.amount._replace(detail=Detail.STANDARD))
    usual = _within(standard or fitting, longer, manner.most)
    size = count(usual.text)
    if size >= LEAST_HALVED:
        return _within(fitting, manner, size // 2)
    summary = _within(fitting, manner, manner.most)
    # Cursors are of one selection, so that one does not stand in for another.
    return summary if standard or count(summary.text) <= size else usual


def _within(fitting: Fitting, manner: ReplyAmount, most: int) -> ToolReply:
    """The fullest answer whose text has at most so many tokens, found by giving it less room each time it is over."""
    room = most
    for _ in range(TRIES):
        told = _worded(fitting(manner.amount._replace(limits=((TOKENIZER, room),))), manner)
        excess = max(count(told.text) - most, _excess(told, manner.most))
        if excess <= 0:
            return told
        if room == 0:
            break
        room = _less(min(room, count(told.text)), excess)
    nothing = _worded(fitting(manner.amount._replace(limits=((TOKENIZER, 0),))), manner)
    return nothing if count(nothing.text) <= most else _silent(nothing)


def _excess(told: ToolReply, most: int) -> int:
    """By how much the larger of the two forms is over the limit; with little room, only the text is measured."""
    data = json.dumps(told.data, ensure_ascii=False, separators=(",", ":"))
    json_most = most if most >= LEAST_JSON else MOST_TOKENS
    return max(count(told.text) - most, count(data) - json_most)


def _less(room: int, excess: int) -> int:
    """The room for the next try; half of it if the excess is of a form that counts more than the text does."""
    return room - excess if room > excess else room // 2


def _silent(told: ToolReply) -> ToolReply:
    return ToolReply("", {**(told.data or {}), "text": "", "used": 0})


def _worded(answer: Answer, manner: ReplyAmount) -> ToolReply:
    page, told = answer.page, [key for key in answer.page.fates if key in done(answer.page)]
    line = " ".join((_counts(answer, len(told)), *(f"({remark})" for remark in manner.remarks)))
    body = page.text if answer.total else manner.empty
    text = "\n\n".join(filter(None, (body, line if answer.total or manner.remarks else "")))
    data: Data = {
        "text": text,
        "used": count(text),
        "limit": manner.most,
        "unit": TOKENIZER,
        "shown": len(told),
        "total": answer.total,
        "omitted": answer.omitted,
        "next": answer.next or None,
        "items": [handle(key) for key in told],
    }
    return ToolReply(text, {**data, "passed": handle(answer.passed)} if answer.passed else data)


def _counts(answer: Answer, shown: int) -> str:
    """Shown, total, left out, and how to get the rest."""
    start = f"{shown} of {answer.total} shown"
    shortened = sum(fate is Fate.SHORTENED for fate in answer.page.fates.values())
    start += f" ({shortened} shortened)" if shortened else ""
    if not answer.omitted and not answer.next:
        return f"{start}."
    if answer.passed:
        return f"{start}, {answer.omitted} left: {answer.passed} needs a larger max_tokens."
    rest = f"go on with cursor={answer.next}" if answer.next else "they need a larger max_tokens"
    return f"{start}, {answer.omitted} left: {rest}"


class WholeText(NamedTuple):
    """A text that is told whole: its head, its body, what else is known of it, and what to call it."""

    head: str
    body: str
    fields: Data
    field: str = "content"  # the body's name among the fields


def tell_whole(
    whole: WholeText, cursor: str = "", *, max_tokens: int | None = None, remarks: Sequence[str] = ()
) -> ToolReply:
    """The text byte for byte: at once if it is within the limit, else by pieces that together are the text."""
    most = MOST_TOKENS if max_tokens is None else min(max_tokens, MOST_TOKENS)
    start = _start(whole, cursor)
    for told in _pieces(whole, start, most, remarks):
        if _excess(told, most) <= 0:
            return told
    # Not even the head fits: what there is of it, and nothing to go on with, for it would be the same again.
    return ToolReply("", _piece(whole, start, start, next_=None))


def _pieces(whole: WholeText, start: int, most: int, remarks: Sequence[str]) -> Iterator[ToolReply]:
    """The rest of it at once, then smaller and smaller pieces."""
    room, past = most, len(whole.body)
    if len(whole.body) - start <= most * 16:
        yield _part(whole, start, past, remarks)
    for _ in range(TRIES):
        end = cut(whole.body, start, room, measure(TOKENIZER))
        if end == start:
            return
        told = _part(whole, start, end, remarks)
        yield told
        room = _less(min(room, count(whole.body[start:end])), max(_excess(told, most), 1))


def _part(whole: WholeText, start: int, end: int, remarks: Sequence[str]) -> ToolReply:
    total, following = len(whole.body), _next(whole, end)
    about = [f"Characters {start:,} to {end:,} of {total:,}."] if end - start < total else []
    about += [f"Go on with cursor={following}"] if following else []
    line = " ".join((*about, *(f"({remark})" for remark in remarks)))
    text = "\n\n".join(filter(None, (whole.head, whole.body[start:end], line)))
    return ToolReply(text, _piece(whole, start, end, following or None))


def _piece(whole: WholeText, start: int, end: int, next_: str | None) -> Data:
    total = len(whole.body)
    counts: Data = {
        "shown": end - start,
        "total": total,
        "omitted": total - end,
        "unit": "chars",
        "next": next_,
    }
    return {**whole.fields, whole.field: whole.body[start:end], **counts}


def _next(whole: WholeText, end: int) -> str:
    return f"{end}.{_stamp(whole)}" if end < len(whole.body) else ""


def _stamp(whole: WholeText) -> str:
    return f"{crc32(whole.body.encode('utf-8', 'replace')):x}"


def _start(whole: WholeText, cursor: str) -> int:
    if not cursor:
        return 0
    at, _, text = cursor.partition(".")
    if text != _stamp(whole) or not (at.isascii() and at.isdigit() and int(at[:18]) < len(whole.body)):
        raise ModicumError(
            "this is no cursor of this text, or the text has changed", remedy="leave it out to begin again"
        )
    return int(at)
