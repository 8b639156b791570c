"""Harmless answers: what models read as data, without the signs that programs and models take for their own words.

Made harmless before it is measured, so that a page stays within its budget. What is saved stays as it was given.
"""

from typing import Any

from modicum.app.answer.answer import ItemList
from modicum.app.answer.whole import WholeText
from modicum.base.value import replace
from modicum.engine.page import Block, Detail, Section
from modicum.text.fence import neutralise


def harmless_list(items: ItemList, detail: Detail) -> ItemList:
    """Returns the items of an answer with harmless texts up to a detail, above which nothing is shown; their keys stay."""
    return replace(items, sections=tuple(_section(section, detail) for section in items.sections))


def _section(section: Section, detail: Detail) -> Section:
    leads = tuple(map(neutralise, section.leads))
    return replace(section, blocks=tuple(_block(block, detail) for block in section.blocks), leads=leads)


def _block(block: Block, detail: Detail) -> Block:
    forms = {at: neutralise(form) if at <= detail else form for at, form in block.forms.items()}
    return replace(block, forms=forms)


def harmless_whole(whole: WholeText) -> WholeText:
    """Returns a whole text as an answer that is harmless in each of its parts."""
    head, body = neutralise(whole.head), neutralise(whole.body)
    return whole._replace(head=head, body=body, fields=harmless_json(whole.fields))


def harmless_json(value: Any) -> Any:  # noqa: ANN401 - any JSON, and the same kind of it is returned
    """Returns JSON of an answer with every text in it harmless; names of fields stay."""
    if isinstance(value, str):
        return neutralise(value)
    if isinstance(value, dict):
        return {name: harmless_json(each) for name, each in value.items()}
    return [harmless_json(each) for each in value] if isinstance(value, list | tuple) else value
