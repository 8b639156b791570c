"""The offers of blocks for a page: each block's improvements, what they cost, and the order they are tried in."""

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count, takewhile

from modicum.base.named_tuple import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.engine.page import Block, Detail, LeftOut, Section, View


BLANK_LINE = "\n\n"
JOINT = 2  # tokens that joining two texts may save: no more than that is no surroundings


class Improvement(NamedTuple):
    """An improvement that a block offers to a page: a longer text, and its cost with the gap before it."""

    place: int
    cost: int
    text: str


class Offers:
    """The improvements that all blocks of the sections offer to a page, with costs, in the order to be tried."""

    def __init__(self, sections: "Sequence[Section]", view: "View", *, breadth: bool) -> None:
        self.sections, self.breadth, self.envelope = sections, breadth, view.envelope
        self.limit = sys.maxsize if view.budget.limit is None else view.budget.limit
        self._measure = view.budget.measure
        self._alone = self.measure if view.envelope else view.budget.measure
        self.blocks = tuple(block for section in sections for block in section.blocks)
        self.position = {block.key: number for number, block in enumerate(self.blocks)}
        if len(self.position) < len(self.blocks):
            raise ValueError("two blocks have the same key")
        self.leads = tuple(_shared_leads(sections))
        self.section_of = [number for number, section in enumerate(sections) for _ in section.blocks]
        places = _places(view.detail, view.floor)
        if view.envelope:
            self._nothing = _nothing_shown(self.blocks)
        self._calibrate(*_two_longest(self.blocks, places))
        self.steps = [self._steps(block, places, s.gap) for s in sections for block in s.blocks]
        self.line = self._line(breadth=breadth)
        self._beside: dict[int, int] = {}

    def measure(self, text: str, left: "LeftOut | None" = None) -> int:
        """Returns the size of a page with this text and its envelope; without `left`, as if no block were shown."""
        if not self.envelope:
            return self._measure(text)
        return self._measure(self.envelope(text, left or self._nothing))

    def count(self, text: str) -> int:
        """Returns the size that an offered text adds to a page that has something on it already."""
        return self._alone(text) - self.around if text else 0

    def _calibrate(self, *texts: str) -> None:
        """Find out from the blocks' own texts what the measure counts beside a text, and what a gap adds to one."""
        self.around, self.blank_line, self.gap_costs = 0, 0, [0] * len(self.sections)
        if not texts:
            return
        first, second = texts[0], texts[-1]
        alone, joined = self.measure(first), self.measure(first + BLANK_LINE + second)
        around = alone + self.measure(BLANK_LINE + second) - joined
        self.around = around if around > JOINT else 0
        costs = {BLANK_LINE: self.measure(BLANK_LINE + first) - alone}
        for number, section in enumerate(self.sections):
            if section.gap not in costs:
                costs[section.gap] = self.measure(section.gap + first) - alone
            self.gap_costs[number] = costs[section.gap]
        self.blank_line = costs[BLANK_LINE]

    def _steps(self, block: "Block", places: "Sequence[tuple[Detail, int]]", gap: str) -> list[Improvement]:
        """What a block offers, shortest first. A form not smaller than a later one gives its place to that one."""
        steps: list[Improvement] = []
        forms, measure, around = block.forms, self._alone, self.around
        for start, place in places:
            text = forms.get(start)
            if not text or text.isspace():
                continue
            cost = measure(gap + text) - around
            if not steps or (cost < steps[-1].cost and place < steps[-1].place):
                steps.append(Improvement(place, cost, text))
            else:
                steps[-1] = steps[-1]._replace(place=place)
        steps.reverse()
        return steps

    def beside(self, number: int) -> int:
        """Returns the size that an offered block adds to the envelope beside its text, once it is shown."""
        if number not in self._beside:
            key, text = self.blocks[number].key, self.steps[number][0].text
            self._beside[number] = self.measure(text, self._nothing.showing(key)) - self.measure(text)
        return self._beside[number]

    def _line(self, *, breadth: bool) -> list[tuple[int, int]]:
        """Pinned first, then by detail if `breadth`, then by importance; a block's own steps stay in order."""
        importance = [(not block.pinned, block.rank, number) for number, block in enumerate(self.blocks)]
        stretches: dict[tuple[bool, int], list[tuple[int, int]]] = {}
        for later, _, number in sorted(importance):
            for level, step in enumerate(self.steps[number], start=1):
                stretches.setdefault((later, step.place if breadth else 0), []).append((number, level))
        return [offer for _, stretch in sorted(stretches.items()) for offer in stretch]

    def keys(self) -> tuple[str, ...]:
        """Returns the keys of the blocks that offer something to show."""
        return tuple(block.key for block, steps in zip(self.blocks, self.steps, strict=True) if steps)

    def excess(self) -> int:
        """Returns by how much all offers together exceed the limit, if joined texts measure what their parts do."""
        offers = zip(self.blocks, self.steps, strict=True)
        least = sum(steps[-1].cost for block, steps in offers if steps and not block.covered_by)
        return least - sum(self.gap_costs) - (self.limit - self.around)


@cache
def _places(detail: "Detail", floor: "Detail") -> "tuple[tuple[Detail, int], ...]":
    """The details at which forms may start within a view, highest first, each with its place in the line."""
    lowest = int(min(floor, detail))
    return tuple((start, max(lowest, int(start))) for start in reversed(type(detail)) if start <= detail)


def _two_longest(blocks: "Sequence[Block]", places: "Sequence[tuple[Detail, int]]") -> list[str]:
    """The longest forms that a view allows of the first two blocks that have one."""
    found: list[str] = []
    for block in blocks:
        for start, _ in places:
            text = block.forms.get(start)
            if text and not text.isspace():
                found.append(text)
                break
        if len(found) == 2:
            break
    return found


def _nothing_shown(blocks: "Sequence[Block]") -> "LeftOut":
    """What is left out of a page that shows no block."""
    from modicum.engine.page import LeftOut  # that module imports this one

    keys = tuple(block.key for block in blocks)
    return LeftOut(keys, (), 0, len(keys))


def _shared_leads(sections: "Sequence[Section]") -> Iterator[tuple[tuple[int, str], ...]]:
    """The leads of each section, numbered; those it has in common with the section above keep their numbers."""
    above: tuple[tuple[int, str], ...] = ()
    fresh = count()
    for section in sections:
        leads = [lead for lead in section.leads if lead.strip()]
        pairs = zip(above, leads, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0][1] == pair[1], pairs))
        above = above[:same] + tuple((next(fresh), text) for text in leads[same:])
        yield above
