"""Fits a page whose pointer line comes late: it takes no room that shows more without it. Pure."""

from collections.abc import Sequence

from modicum.base.value import replace
from modicum.engine.offers import BLANK_LINE
from modicum.engine.page import Block, Fate, LeftOut, Page, Section, View, fit

LEAST_SHARE = 4  # as wide as the line is, so often must there be room for blocks before there is any for it


def fit_line_last(sections: Sequence[Section], view: View) -> Page:
    """Returns the page for a view, with its pointer line only where that is wanted and takes the room of nothing.

    A larger limit never shows less: up to the least room that blocks must have they get all of it, then they keep
    that until the line fits beside them, and from there on the line's room is reserved.
    """
    budget = view.budget
    bare = replace(view, pointer=None)
    page = fit(sections, bare)
    if budget.limit is None or not view.pointer or not {Fate.CUT, Fate.SHORTENED} & {*page.fates.values()}:
        return page
    keys = tuple(block.key for section in sections for block in section.blocks)
    line = view.pointer(LeftOut(keys, keys, len(keys), len(keys)))
    one = budget.measure("x")
    width = budget.measure(f"x{BLANK_LINE}{line}") - one
    around = max(0, 2 * one - budget.measure("xx"))
    least = max(around + LEAST_SHARE * width, _least_room(sections, view))
    if budget.limit >= least + width:
        return fit(sections, view)
    return (
        page if budget.limit <= least else fit(sections, replace(bare, budget=replace(budget, limit=least)))
    )


def _least_room(sections: Sequence[Section], view: View) -> int:
    """The room without which no block is shown: that of the smallest one; if the page is strict, of the first."""
    rooms = [
        ((not block.pinned, block.rank, number), view.budget.measure(text))
        for number, (section, block) in enumerate((s, block) for s in sections for block in s.blocks)
        if (text := _alone(section, block, view))
    ]
    found = [min(rooms)[1]] if view.strict and rooms else [room for _, room in rooms]
    return min(found, default=0)


def _alone(section: Section, block: Block, view: View) -> str:
    """What the block is by itself, under its headings, in the shortest form that the view allows."""
    forms = [form for start, form in block.forms.items() if start <= view.detail and form.strip()]
    return section.gap.join((*section.leads, min(forms, key=len))) if forms else ""
