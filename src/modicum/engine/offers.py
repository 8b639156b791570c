"""What every block offers within a view, what each improvement costs, and the line in which they come up."""

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import count, takewhile
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from modicum.engine.page import Block, Detail, Section, View


BLANK_LINE = "\n\n"


class Improvement(NamedTuple):
    """An improvement: from what a block shows so far to `text`. The cost is that of the gap and `text`."""

    place: int
    cost: int
    text: str


class Offers:
    """The sections read once. Blocks are known by their number in reading order, steps by their level from 1."""

    def __init__(self, sections: "Sequence[Section]", view: "View", *, breadth: bool) -> None:
        self.sections = sections
        self.limit = sys.maxsize if view.budget.limit is None else view.budget.limit
        self.measure = view.budget.measure
        self.around = _surroundings(self.measure)
        self.leads = tuple(_shared_leads(sections))
        self.blocks = tuple(block for section in sections for block in section.blocks)
        self.position = {block.key: number for number, block in enumerate(self.blocks)}
        if len(self.position) < len(self.blocks):
            raise ValueError("two blocks have the same key")
        self.section_of = [number for number, section in enumerate(sections) for _ in section.blocks]
        self.gap_costs = [self.count(section.gap) for section in sections]
        floor = int(min(view.floor, view.detail))
        downwards = [(d, max(floor, int(d))) for d in reversed(type(view.detail)) if d <= view.detail]
        self.steps = [
            self._steps(block, downwards, section.gap) for section in sections for block in section.blocks
        ]
        self.line = self._line(breadth=breadth)

    def count(self, text: str) -> int:
        """What a text adds to a page that has something on it already."""
        return self.measure(text) - self.around if text else 0

    def _steps(self, block: "Block", downwards: "list[tuple[Detail, int]]", gap: str) -> list[Improvement]:
        """What a block offers, shortest first. A form not smaller than a later one gives its place to that one."""
        steps: list[Improvement] = []
        forms, measure = block.forms, self.measure
        for start, place in downwards:
            text = forms.get(start)
            if not text or text.isspace():
                continue
            cost = measure(gap + text) - self.around
            if not steps or (cost < steps[-1].cost and place < steps[-1].place):
                steps.append(Improvement(place, cost, text))
            else:
                steps[-1] = steps[-1]._replace(place=place)
        steps.reverse()
        return steps

    def _line(self, *, breadth: bool) -> list[tuple[int, int]]:
        """Pinned first, then by detail if `breadth`, then by importance; a block's own steps stay in order."""
        importance = [(not block.pinned, block.rank, number) for number, block in enumerate(self.blocks)]
        stretches: dict[tuple[bool, int], list[tuple[int, int]]] = {}
        for later, _, number in sorted(importance):
            for level, step in enumerate(self.steps[number], start=1):
                stretches.setdefault((later, step.place if breadth else 0), []).append((number, level))
        return [offer for _, stretch in sorted(stretches.items()) for offer in stretch]

    def keys(self) -> tuple[str, ...]:
        """The blocks that have something to show."""
        return tuple(block.key for block, steps in zip(self.blocks, self.steps, strict=True) if steps)

    def may_fit_whole(self) -> bool:
        """Whether everything might fit. Parts that do not add up may save by joining, but no measure saves three in four."""
        adds_up = self.count("a") + self.count("b") == self.count("ab")
        offers = zip(self.blocks, self.steps, strict=True)
        least = sum(steps[-1].cost for block, steps in offers if steps and not block.covered_by)
        return least - sum(self.gap_costs) <= (1 if adds_up else 4) * (self.limit - self.around)


def _surroundings(measure: Callable[[str], int]) -> int:
    """What a measure counts beside the text, such as front matter: the same for two texts as for both in one.

    The texts are of a length that most numbers divide, so that measures which round have nothing to round.
    """
    one, other = "aaaa" + " aaa" * 629, " aaa" * 630
    return measure(one) + measure(other) - measure(one + other)


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
