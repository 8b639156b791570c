"""Finds the units of instruction files that repeat each other, and says which of two stays. Pure.

Only what is the same letter by letter, under the same headings and in another file, is said once. What is nearly the same
is told to the user, because a guess takes nothing away.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from modicum.app.adopt.unit import DROP, KEEP, PACK, SAME, AdoptUnit
from modicum.base.value import replace
from modicum.text.alike import Wording, find_alike, wording_of
from modicum.text.directives import forbids
from modicum.text.markdown import TIERS
from modicum.text.paragraphs import CODE, ITEM, parts_of
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
    """Returns the units of an adoption, of which each that another file says letter by letter refers to the one that stays.

    Of what is nearly the same, both stay, and the reason of one of them names the other.
    """
    made, introductions = [*units], _introductions(units)
    relied = set[int]()
    for one, other, _ in twins:
        covered, coverer = max(one, other), min(one, other)
        if made[covered].path == PACK or made[covered].fate not in TIERS or made[coverer].fate not in TIERS:
            continue
        is_law = _is_equal(made[covered], made[coverer]) and introductions[covered] == introductions[coverer]
        if is_law and covered not in relied and _may_go(made[covered], made[coverer]):
            relied.add(coverer)
            made[coverer] = _raised(made[coverer], made[covered])
            made[covered] = _repeated(made[covered], coverer, made[coverer].place)
        elif not is_law and not made[covered].is_forced:
            made[covered] = replace(made[covered], reason=f"{made[coverer].place} says nearly the same")
    return [*_without_idle_leads(made, introductions)]


def _is_equal(one: AdoptUnit, other: AdoptUnit) -> bool:
    below, others = _sections(one), [_words(lead) for lead in other.leads]
    return (
        one.text == other.text and below == others[len(others) - len(below) :] and len(below) <= len(others)
    )


def _sections(unit: AdoptUnit) -> list[str]:
    """The headings above a unit but for the title of its file."""
    return [_words(lead) for lead in unit.leads if not lead.startswith("# ") and not lead.endswith("=")]


def _words(lead: str) -> str:
    return lead.strip("#=- \n")


def _repeated(unit: AdoptUnit, coverer: int, place: str) -> AdoptUnit:
    return replace(unit, fate=SAME, reason=f"{place} says the same", same_as=coverer)


def _raised(coverer: AdoptUnit, covered: AdoptUnit) -> AdoptUnit:
    """The unit that stays, in the better tier of the two."""
    if TIERS.index(covered.fate) >= TIERS.index(coverer.fate) or coverer.is_forced or coverer.path == PACK:
        return coverer
    return replace(
        coverer, fate=covered.fate, reason=f"so is {covered.place}, which says the same: {covered.reason}"
    )


def _may_go(unit: AdoptUnit, coverer: AdoptUnit) -> bool:
    """Whether a unit may refer to one that says the same: what a file says twice, it says twice afterwards."""
    is_free = not unit.paragraph.is_lead and not unit.is_forced and unit.path != coverer.path
    return is_free and (not coverer.globs or coverer.globs == unit.globs)


def _without_idle_leads(units: Sequence[AdoptUnit], introductions: Sequence[str]) -> Iterator[AdoptUnit]:
    """The units; a paragraph that introduces nothing but what is said elsewhere, behind the same words, goes with it."""
    for at, unit in enumerate(units):
        follow = [*_introduced(units, at)] if unit.paragraph.is_lead and not unit.is_forced else []
        gone = [each.same_as for each in follow if each.fate == SAME and each.same_as >= 0]
        is_idle = bool(follow) and len(gone) == len(follow) and unit.fate in TIERS
        if is_idle and {introductions[other] for other in gone} == {unit.text}:
            reason = "what it introduces is said elsewhere"
            yield replace(unit, fate=SAME, reason=reason, same_as=gone[0])
        else:
            yield unit


def _introduced(units: Sequence[AdoptUnit], at: int) -> Iterator[AdoptUnit]:
    for unit in units[at + 1 :]:
        if (unit.path, unit.leads) != (units[at].path, units[at].leads) or unit.paragraph.kind != ITEM:
            return
        yield unit
