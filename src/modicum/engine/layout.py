"""The layout of a page while it is being filled: which blocks are shown, what they cost, and the text."""

from itertools import compress

from modicum.engine.offers import BLANK_LINE, Offers


class Layout:
    """The layout of a page: its blocks by number with the level they have reached, and leads above them."""

    def __init__(self, offers: Offers) -> None:
        self.offers = offers
        self.levels = [0] * len(offers.blocks)
        self.used, self.relieved = 0, False
        self.open: set[int] = set()
        self.holders: dict[int, int] = {}

    def cost(self, number: int, level: int) -> int:
        """Returns what an improvement adds to the layout: its text less what it replaces, and any new leads."""
        steps, section = self.offers.steps[number], self.offers.section_of[number]
        if level > 1:
            return steps[level - 1].cost - steps[level - 2].cost
        cost = steps[0].cost + (0 if section in self.open else self._opening(section))
        return cost + self.offers.beside(number) if self.offers.envelope else cost

    def _opening(self, section: int) -> int:
        """The blank line above a section, and the leads that are not shown yet or move up to it from a later one."""
        count, sections = self.offers.count, self.offers.sections
        gap = sections[section].gap
        cost = (self.offers.blank_line if self.open else 0) - self.offers.gap_costs[section]
        for lead, text in self.offers.leads[section]:
            holder = self.holders.get(lead)
            if holder is None or holder > section:
                cost += count(gap + text)
            if holder is not None and holder > section:
                cost -= count(sections[holder].gap + text)
        return cost

    def take(self, number: int, level: int, cost: int) -> None:
        """Takes an improvement into the layout: shows a block at a level."""
        self.used += cost
        self.relieved |= cost < 0  # a lead moved to where its gap is smaller
        self.levels[number] = level
        section = self.offers.section_of[number]
        if section not in self.open:
            self._open(section)

    def open_sections(self) -> None:
        """Opens the sections of the layout for all blocks that have a level."""
        for section in dict.fromkeys(compress(self.offers.section_of, self.levels)):
            self._open(section)

    def _open(self, section: int) -> None:
        self.open.add(section)
        for lead, _ in self.offers.leads[section]:
            self.holders[lead] = min(section, self.holders.get(lead, section))

    def body(self) -> str:
        """Returns the text of the layout: the shown blocks in reading order, each lead above its first block."""
        offers, texts = self.offers, {}
        for section in sorted(self.open):
            texts[section] = [text for lead, text in offers.leads[section] if self.holders[lead] == section]
        for number, level in enumerate(self.levels):
            if level:
                texts[offers.section_of[number]].append(offers.steps[number][level - 1].text)
        return BLANK_LINE.join(offers.sections[section].gap.join(pieces) for section, pieces in texts.items())

    def alone(self, number: int) -> str:
        """Returns the text of a layout that shows this block alone, at its first level, under its leads."""
        offers, section = self.offers, self.offers.section_of[number]
        leads = [text for _, text in offers.leads[section]]
        return offers.sections[section].gap.join([*leads, offers.steps[number][0].text])
