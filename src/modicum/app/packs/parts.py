"""Packs as answers: their parts in the amount that a reader asks for, what answers a question, and one part whole."""

from collections.abc import Sequence
from zlib import crc32

from modicum.app.answer.amount import Amount
from modicum.app.answer.answer import Answer, Fitting, done, page_of
from modicum.app.answer.cursor import PagePosition, read_place, write_place
from modicum.app.answer.reply import WholeText
from modicum.app.inject.load import Knowledge
from modicum.app.packs.library import find_part
from modicum.base.errors import ModicumError
from modicum.engine.page import Block, Detail, Order, Section
from modicum.engine.tokens import count
from modicum.packs.model import Pack
from modicum.packs.sections import compose, pack_of
from modicum.search.question import parse_question
from modicum.search.rank import Candidate, Collection, rank
from modicum.search.terms import stems
from modicum.text.markdown import snippet

MOST_PARTS = 500
TITLE, SNIPPET = 120, 240


def listing_packs(packs: Sequence[Pack], *, limit: int = 0, cursor: str = "") -> Fitting:
    """The packs that there are."""
    return _listing([_pack(pack) for pack in packs], limit, cursor, "\n", Order.BREADTH)


def reading_parts(shelf: Knowledge, key: str = "", *, limit: int = 0, cursor: str = "") -> Fitting:
    """The parts of a pack, or of all packs: names, beginnings, or all of it."""
    wanted = key.removeprefix("pack:")
    found = [block for block in _parts(shelf.library.packs) if not wanted or pack_of(block.key) == wanted]
    if not found:
        find_part(shelf, key if ":" in key else f"pack:{key}")  # says what is wrong, and what may be meant
    return _listing(found, limit, cursor, "\n\n", Order.BREADTH)


def searching_parts(packs: Sequence[Pack], text: str, *, limit: int = 0, cursor: str = "") -> Fitting:
    """The parts that answer a question, best first."""
    parts = _parts(packs)
    words = [(stems(_title(part)), stems(part.forms[Detail.FULL])) for part in parts]
    question = parse_question(text[:2_000])
    candidates = [Candidate(at, title, body) for at, (title, body) in enumerate(words)]
    asked = {term.stem for term in question.terms}
    frequencies = {stem: sum(stem in title or stem in body for title, body in words) for stem in asked}
    length = sum(len(title) + len(body) for title, body in words) / max(1, len(words))
    hits = rank(question, candidates, Collection(len(parts), length, frequencies))
    best = [parts[hit.id] for hit in hits if hit.reasons]
    return _listing(best, limit or 10, cursor, "\n\n", Order.DEPTH)


def whole_part(shelf: Knowledge, key: str) -> WholeText:
    """One part, or a whole pack, as `modicum show` prints it."""
    return WholeText(key, find_part(shelf, key), {"key": key})


def _pack(pack: Pack) -> Block:
    line = f"- pack:{pack.id} {snippet(pack.name or pack.id, TITLE)}"
    tags = f" [{', '.join(pack.tags)}]" if pack.tags else ""
    about = f": {snippet(pack.description, SNIPPET)}{tags}" if pack.description or tags else ""
    return Block(f"pack:{pack.id}", {Detail.SUMMARY: line, Detail.STANDARD: line + about})


def _parts(packs: Sequence[Pack]) -> list[Block]:
    sections = compose(packs, "markdown").whole()
    return [_part(block, section.leads) for section in sections for block in section.blocks]


def _part(block: Block, leads: Sequence[str]) -> Block:
    (text,) = block.forms.values()
    head = leads[-1].strip() if leads and not leads[-1].startswith("|") else ""
    title = snippet(head.lstrip("# "), TITLE)
    forms = {
        Detail.SUMMARY: f"- {block.key} {title} ({count(text)} tokens)".replace("  ", " "),
        Detail.STANDARD: f"{block.key}\n{snippet(text, SNIPPET)}",
        Detail.FULL: "\n".join(filter(None, (block.key, head, text))),
    }
    return Block(block.key, forms)


def _title(part: Block) -> str:
    return part.forms[Detail.SUMMARY].rpartition(" (")[0].removeprefix("- ")


def _listing(blocks: Sequence[Block], limit: int, cursor: str, gap: str, order: Order) -> Fitting:
    """The blocks that an earlier page has not told of; a cursor names them by where they stand."""
    place, stamp = read_place(cursor), f"{crc32(' '.join(block.key for block in blocks).encode()):x}"
    if place.cursor not in ("", stamp):
        raise ModicumError(
            "the cursor is of another listing, or the packs have changed",
            remedy="leave it out to begin at the first page",
        )
    seen = frozenset(place.seen)
    left = [(at, block) for at, block in enumerate(blocks) if at not in seen][: limit or MOST_PARTS]
    ranked = tuple(Block(block.key, block.forms, at) for at, block in left)

    def fitted(amount: Amount) -> Answer:
        between = "\n" if amount.detail is Detail.SUMMARY else gap
        page = page_of((Section(ranked, gap=between),) if ranked else (), amount, order)
        told = done(page)
        passed = left[0][1].key if left and not told else ""
        gone = (*place.seen, *(at for at, block in left if block.key in told or block.key == passed))
        shown = place.shown + len(told)
        following = write_place(PagePosition(stamp, gone, None, shown)) if len(gone) < len(blocks) else ""
        return Answer(page, amount, len(blocks), len(blocks) - shown, following, passed)

    return fitted
