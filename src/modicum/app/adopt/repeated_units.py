"""Finds the units of instruction files that repeat each other, and says which of two stays. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from modicum.app.adopt.unit import DROP, KEEP, PACK, SAME, AdoptUnit
from modicum.base.value import replace
from modicum.text.alike import NEARLY, Wording, find_alike, wording_of
from modicum.text.directives import directives, forbids
from modicum.text.markdown import TIERS
from modicum.text.paragraphs import CODE, ITEM, STEPS, TABLE, parts_of
from modicum.text.tiers import is_forbidding


class _Part(NamedTuple):
    unit: int
    wording: Wording


def find_twins(units: Sequence[AdoptUnit]) -> Iterator[tuple[int, int, str]]:
    """Yields the pairs of units of which one repeats the other, or a step or row of it, and how alike they are."""
    introductions = _introductions(units)
    parts = [part for at, unit in enumerate(units) for part in _parts(at, unit, introductions[at])]
    for one, other, how in find_alike([part.wording for part in parts]):
        pair = parts[one].unit, parts[other].unit
        if pair[0] != pair[1]:
            yield *pair, how


def _parts(at: int, unit: AdoptUnit, introduction: str) -> Iterator[_Part]:
    if unit.fate in (KEEP, DROP, SAME) or unit.is_apart:
        return
    forbidden = any(map(is_forbidding, unit.leads[-2:])) or forbids(introduction)
    for _, text in parts_of(unit.paragraph):
        yield _Part(at, wording_of(text, forbidden=forbidden, is_code=unit.paragraph.kind == CODE))


def _introductions(units: Sequence[AdoptUnit]) -> list[str]:
    """By unit, the paragraph that introduces the list that it is in; the empty text if none does."""
    found: list[str] = []
    for at, unit in enumerate(units):
        before = units[at - 1] if at and units[at - 1].leads == unit.leads else None
        if unit.paragraph.kind != ITEM or before is None:
            found.append("")
        else:
            found.append(before.text if before.paragraph.is_lead else found[-1])
    return found


def without_repeats(units: Sequence[AdoptUnit], twins: Iterable[tuple[int, int, str]]) -> list[AdoptUnit]:
    """Returns the units of an adoption, of which each that repeats another one refers to the one that stays."""
    made, introductions = [*units], _introductions(units)
    relied = set[int]()
    for one, other, how in twins:
        for covered, coverer in _preferred(made, one, other):
            # An item means the same without its introduction, if that is no instruction or both have it.
            lead = introductions[covered]
            led_alike = not directives(lead) or lead == introductions[coverer]
            if (
                led_alike
                and covered not in relied
                and _may_go(made[covered])
                and _may_stand(made[coverer], made[covered], how)
            ):
                relied.add(coverer)
                made[coverer] = _raised(made[coverer], made[covered])
                made[covered] = _repeated(made[covered], coverer, made[coverer].place, how)
                break
    return [*_without_idle_leads(made)]


def _repeated(unit: AdoptUnit, coverer: int, place: str, how: str) -> AdoptUnit:
    reason = f"{place} says {'nearly ' * (how == NEARLY)}the same"
    return replace(unit, fate=SAME, reason=reason, same_as=coverer)


def _raised(coverer: AdoptUnit, covered: AdoptUnit) -> AdoptUnit:
    """The unit that stays, in the better tier of the two."""
    if TIERS.index(covered.fate) >= TIERS.index(coverer.fate) or coverer.is_forced or coverer.path == PACK:
        return coverer
    return replace(
        coverer, fate=covered.fate, reason=f"so is {covered.place}, which says the same: {covered.reason}"
    )


def _preferred(units: Sequence[AdoptUnit], one: int, other: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The longer one stays, or else the earlier."""
    longer = len(units[other].text.split()) > len(units[one].text.split())
    return ((one, other), (other, one)) if longer else ((other, one), (one, other))


def _may_go(unit: AdoptUnit) -> bool:
    fixed = unit.paragraph.kind in (STEPS, TABLE) or unit.paragraph.is_lead
    return unit.fate in TIERS and not fixed and not unit.is_forced and unit.path != PACK


def _may_stand(coverer: AdoptUnit, covered: AdoptUnit, how: str) -> bool:
    # "See docs/style.md, and always follow it" has the words of "docs/style.md", which orders nothing.
    tells_only = how == NEARLY and not directives(coverer.text) and bool(directives(covered.text))
    return coverer.fate in TIERS and not tells_only and (not coverer.globs or coverer.globs == covered.globs)


def _without_idle_leads(units: Sequence[AdoptUnit]) -> Iterator[AdoptUnit]:
    """The units; a paragraph that introduces nothing but what is said elsewhere goes with it."""
    for at, unit in enumerate(units):
        follow = [*_introduced(units, at)] if unit.paragraph.is_lead and not unit.is_forced else []
        if follow and all(each.fate == SAME and each.same_as >= 0 for each in follow) and unit.fate in TIERS:
            reason = "what it introduces is said elsewhere"
            yield replace(unit, fate=SAME, reason=reason, same_as=follow[0].same_as)
        else:
            yield unit


def _introduced(units: Sequence[AdoptUnit], at: int) -> Iterator[AdoptUnit]:
    for unit in units[at + 1 :]:
        if (unit.path, unit.leads) != (units[at].path, units[at].leads) or unit.paragraph.kind != ITEM:
            return
        yield unit
