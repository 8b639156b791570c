"""Fits a page whose pointer line comes late: it takes no room that shows more without it. Pure."""

from collections.abc import Collection, Sequence

from modicum.base.value import replace
from modicum.engine.offers import BLANK_LINE
from modicum.engine.page import Block, Fate, LeftOut, Page, Section, View, fit

LEAST_SHARE = 4  # as wide as the line is, so often must there be room for blocks before there is any for it


def fit_line_last(sections: Sequence[Section], view: View, after: Collection[str] = ()) -> Page:
    """Returns the page for a view, with its pointer line only where that is wanted and takes the room of nothing.

    A larger limit never shows less: up to the least room that blocks must have they get all of it, then they keep
    that until the line fits beside them, and from there on the line's room is reserved. Before that, the line comes
    into what is left by chance, before the blocks whose keys are in `after`.
    """
    budget = view.budget
    bare = replace(view, pointer=None)
    page = fit(sections, bare)
    if budget.limit is None or not view.pointer or _is_whole(page, after):
        return page
    keys = tuple(block.key for section in sections for block in section.blocks)
    line = view.pointer(LeftOut(keys, keys, len(keys), len(keys)))
    one = budget.measure("x")
    width = budget.measure(f"x{BLANK_LINE}{line}") - one
    around = max(0, 2 * one - budget.measure("xx"))
    least = max(around + LEAST_SHARE * width, _least_room(sections, view))
    if budget.limit >= least + width:
        return fit(sections, view)
    kept = [_without(section, after) for section in sections]
    view = replace(view, budget=replace(budget, limit=min(budget.limit, least)))
    page = fit([each for each in kept if each.blocks], replace(view, pointer=None))
    return _with_fates(_with_line(page, replace(view, budget=budget)), keys)


def _is_whole(page: Page, after: Collection[str]) -> bool:
    return not any(f in (Fate.CUT, Fate.SHORTENED) for key, f in page.fates.items() if key not in after)


def _without(section: Section, keys: Collection[str]) -> Section:
    return replace(section, blocks=tuple(block for block in section.blocks if block.key not in keys))


def _with_fates(page: Page, keys: Sequence[str]) -> Page:
    """The page with the fates of blocks that were not even tried."""
    untried = [key for key in keys if key not in page.fates]
    fates = {key: page.fates.get(key, Fate.CUT) for key in keys}
    sizes = {key: page.sizes.get(key, 0) for key in keys}
    why = dict.fromkeys(untried, "What is left out is told before it.")
    return replace(page, fates=fates, sizes=sizes, reasons={**page.reasons, **why})


def _with_line(page: Page, view: View) -> Page:
    """The page with its pointer line, if there happens to be room for it."""
    fates = page.fates.items()
    cut, shortened = (tuple(key for key, was in fates if was is fate) for fate in (Fate.CUT, Fate.SHORTENED))
    shown = sum(fate in (Fate.SHOWN, Fate.SHORTENED) for _, fate in fates)
    line = view.pointer(LeftOut(cut, shortened, shown, len(fates))) if view.pointer else ""
    text = BLANK_LINE.join(filter(None, (page.text, line)))
    size = view.budget.measure(text)
    return replace(page, text=text, size=size) if page.text and size <= (view.budget.limit or 0) else page


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
