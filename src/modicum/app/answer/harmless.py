"""Harmless answers: what models read as data, without the signs that programs and models take for their own words.

Made harmless before it is measured, so that a page stays within its budget. What is saved stays as it was given.
"""

from typing import Any

from modicum.app.answer.answer import ItemList
from modicum.app.answer.whole import WholeText
from modicum.base.value import replace
from modicum.engine.page import Block, Detail
from modicum.text.neutralise import neutralise


def harmless_list(items: ItemList, detail: Detail, origin: str = "") -> ItemList:
    """Returns the items of an answer with harmless texts up to a detail, above which nothing is shown; their keys stay.

    An order in an item is quoted as words of the item's own origin, or of the one that is given for all.
    """

    def block_of(block: Block) -> Block:
        said_by = str(items.facts.get(block.key, {}).get("origin", origin))
        return _block(block, detail, said_by)

    sections = (
        replace(
            section,
            blocks=tuple(map(block_of, section.blocks)),
            leads=tuple(map(neutralise, section.leads)),
        )
        for section in items.sections
    )
    return replace(items, sections=tuple(sections))


def _block(block: Block, detail: Detail, origin: str) -> Block:
    forms = {at: neutralise(form, origin) if at <= detail else form for at, form in block.forms.items()}
    return replace(block, forms=forms)


def harmless_whole(whole: WholeText) -> WholeText:
    """Returns a whole text as an answer that is harmless in each of its parts."""
    origin = str(whole.fields.get("origin", ""))
    head, body = neutralise(whole.head, origin), neutralise(whole.body, origin)
    return whole._replace(head=head, body=body, fields=harmless_json(whole.fields))


def harmless_json(value: Any, origin: str = "") -> Any:  # noqa: ANN401 - any JSON, and the same kind of it is returned
    """Returns JSON of an answer with every text in it harmless, as words of their origin; names of fields stay."""
    if isinstance(value, str):
        return neutralise(value, origin)
    if isinstance(value, dict):
        said_by = str(value.get("origin") or origin)
        return {name: harmless_json(each, said_by) for name, each in value.items()}
    return [harmless_json(each, origin) for each in value] if isinstance(value, list | tuple) else value
