"""Makes pages and whole texts as MCP tool replies: text and JSON, both within max_tokens."""

import json
from collections.abc import Callable, Sequence

from modicum.app.answer.amount import MOST_TOKENS, TOKENIZER, Amount, parse_amount
from modicum.app.answer.answer import ItemList, Rest, answer, handle, page_as_json
from modicum.app.answer.harmless import harmless_json, harmless_list, harmless_whole
from modicum.app.answer.whole import TextPiece, WholeText, piece_of
from modicum.engine.page import Detail
from modicum.engine.tokens import count
from modicum.mcp.arguments import Arguments
from modicum.mcp.reply import Data, ToolReply

USUAL_TOKENS = 6_000


def amount_of(arguments: Arguments, *, usual: Detail = Detail.STANDARD, items: int = 0) -> Amount:
    """Returns the amount of the page that an MCP tool call asks for; `items` counts where max_tokens is not given."""
    level = arguments.text("detail_level").strip()
    most = arguments.number("max_tokens")
    if (most or 0) > MOST_TOKENS:
        arguments.remarks.append(f"max_tokens is at most {MOST_TOKENS:,}")
    amount = parse_amount(detail=level, cursor=arguments.text("cursor"), usual=usual)
    wanted = arguments.number("limit") or (items if most is None else 0)
    limit = USUAL_TOKENS if most is None else min(most, MOST_TOKENS)
    return amount._replace(limits=((TOKENIZER, limit),), most_items=wanted)


def page_reply(items: ItemList, amount: Amount, arguments: Arguments, empty: str) -> ToolReply:
    """Returns a page of items as an MCP tool reply, within max_tokens; `empty` is the text for no items."""
    limit, noted = amount.limit or 0, _noted(arguments.remarks)
    if not items.total:
        text = noted(empty)
        data = _data(text, Rest(0, 0, 0, 0, ""), amount, ())
        return ToolReply(text if count(text) <= limit else "", data if count(_json(data)) <= limit else None)

    def wrapping(text: str, rest: Rest, keys: tuple[str, ...]) -> str:
        return _json(_data(noted(text), rest, amount, keys, used=limit))

    found = answer(harmless_list(items, amount.detail), amount, _closing, wrapping)
    if found.page.bare:
        return ToolReply(found.page.text)
    text = noted(found.page.text)
    return ToolReply(text, _data(text, found.rest, amount, found.shown))


def _noted(remarks: Sequence[str]) -> Callable[[str], str]:
    """Returns a function that puts the remarks about a call below a text."""
    line = harmless_json(" ".join(f"({remark})" for remark in remarks))
    return lambda text: "\n\n".join(filter(None, (text, line)))


def _data(text: str, rest: Rest, amount: Amount, keys: Sequence[str], used: int | None = None) -> Data:
    data = page_as_json(text, rest, amount, [harmless_json(handle(key)) for key in keys], used=used)
    return {**data, "too_large": harmless_json(handle(rest.too_large))} if rest.too_large else data


def _json(data: Data) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _closing(rest: Rest) -> str:
    """Returns the closing line of a page: shown, total, left out, and how to get the rest."""
    shortened = f" ({rest.shortened} shortened)" if rest.shortened else ""
    start = f"{rest.shown} of {rest.total} shown{shortened}"
    if rest.too_large:
        return f"{start}, {rest.left} left: {rest.too_large} needs a larger max_tokens."
    if rest.next:
        return f"{start}, {rest.left} left: go on with cursor={rest.next}"
    return f"{start}."


def whole_reply(whole: WholeText, arguments: Arguments) -> ToolReply:
    """Returns a whole text as an MCP tool reply; in pieces, by cursor, if it passes max_tokens."""
    whole = harmless_whole(whole)
    most, noted, cursor = arguments.number("max_tokens"), _noted(arguments.remarks), arguments.text("cursor")
    limit = MOST_TOKENS if most is None else min(most, MOST_TOKENS)

    def text_size(piece: TextPiece) -> int:
        return count(noted(_piece_text(piece)))

    piece = piece_of(whole, cursor, limit, lambda piece: max(text_size(piece), count(_json(piece.as_json()))))
    if piece.text or not whole.body:
        return ToolReply(noted(_piece_text(piece)), piece.as_json())
    piece = piece_of(whole, cursor, limit, text_size)  # with so little room, only the text
    return ToolReply(noted(_piece_text(piece)) if piece.text else "")


def _piece_text(piece: TextPiece) -> str:
    total = len(piece.whole.body)
    about = [] if piece.is_all else [f"Characters {piece.start:,} to {piece.end:,} of {total:,}."]
    about += [f"Go on with cursor={piece.next}"] if piece.next else []
    return "\n\n".join(filter(None, (piece.whole.head, piece.text, " ".join(about))))
