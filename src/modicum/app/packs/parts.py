"""The parts of packs as answers for the doors: the list of packs, the list of parts, and search results."""

from collections.abc import Sequence

from modicum.app.answer.amount import Amount
from modicum.app.answer.answer import ItemList
from modicum.app.answer.cursor import mark
from modicum.app.packs.one_part import find_part
from modicum.engine.page import Block, Detail, Order, Section
from modicum.engine.tokens import count
from modicum.packs.model import Library, Pack
from modicum.packs.sections import compose, pack_of
from modicum.search.features import telling_words
from modicum.search.question import parse_question
from modicum.search.rank import Candidate, Collection, rank
from modicum.search.terms import stems
from modicum.text.snippets import snippet

TITLE, SNIPPET = 120, 240


def list_packs(packs: Sequence[Pack], amount: Amount) -> ItemList:
    """Returns a list that names whole packs, not their parts: one line each, in the amount that the reader asks for."""
    return _listed([_pack(pack) for pack in packs], "\n", Order.BREADTH)


def read_parts(library: Library, key: str, amount: Amount) -> ItemList:
    """Returns the list of all parts of a pack, or of all packs, for a door: names, beginnings or whole texts."""
    wanted = key.removeprefix("pack:")
    packs = library.every if wanted else library.packs
    found = [block for block in _parts(packs) if not wanted or pack_of(block.key) == wanted]
    if wanted and not found:
        find_part(library, key if ":" in key else f"pack:{key}")  # says what is wrong, and what may be meant
    return _listed(found, _gap(amount), Order.BREADTH)


def search_parts(packs: Sequence[Pack], text: str, amount: Amount) -> ItemList:
    """Searches the parts of packs for a question from a door; returns the parts that answer, best first."""
    parts = _parts(packs)
    words = [(stems(_title(part)), stems(part.forms[Detail.FULL])) for part in parts]
    question = parse_question(text[:2_000])
    candidates = [Candidate(at, *both, telling=telling_words(*both)) for at, both in enumerate(words)]
    asked = {term.stem for term in question.terms}
    frequencies = {stem: sum(stem in title or stem in body for title, body in words) for stem in asked}
    length = sum(len(title) + len(body) for title, body in words) / max(1, len(words))
    hits = rank(question, candidates, Collection(len(parts), length, frequencies))
    return _listed([parts[hit.id] for hit in hits if hit.answers], _gap(amount), Order.DEPTH)


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


def _gap(amount: Amount) -> str:
    return "\n" if amount.detail is Detail.SUMMARY else "\n\n"


def _listed(blocks: Sequence[Block], gap: str, order: Order) -> ItemList:
    ranked = tuple(Block(block.key, block.forms, at) for at, block in enumerate(blocks))
    sections = (Section(ranked, gap=gap),) if ranked else ()
    return ItemList(sections, len(ranked), order, mark(" ".join(block.key for block in blocks)))
