"""The page and its parts, and the function that makes it: `fit(sections, view)`; see docs/how-a-page-is-made.md."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, IntEnum, StrEnum
from itertools import compress, islice

from modicum.base.named_tuple import NamedTuple
from modicum.base.value import Value, replace
from modicum.engine.layout import Layout
from modicum.engine.offers import BLANK_LINE, JOINT, Offers

Measure = Callable[[str], int]


class Detail(IntEnum):
    """The detail at which each block of a page is worded."""

    SUMMARY = 1
    STANDARD = 2
    FULL = 3


class Order(Enum):
    """The order in which a page takes improvements: mention everything first, or show the best blocks whole."""

    BREADTH = "breadth"
    DEPTH = "depth"


class Fate(StrEnum):
    """The fate of a block on a page: shown, shortened, cut, …"""

    SHOWN = "shown"
    SHORTENED = "shortened"
    COVERED = "covered"
    HIDDEN = "hidden"
    CUT = "cut"


class Block(Value):
    """A block of a page, the smallest thing shown or left out; a form holds from its Detail to the next form's."""

    key: str
    forms: Mapping[Detail, str]
    rank: int = 0
    pinned: bool = False
    covered_by: frozenset[str] = frozenset()


class Section(Value):
    """A section of a page: blocks under the same headings (`leads`, outermost first), `gap` apart."""

    blocks: tuple[Block, ...]
    leads: tuple[str, ...] = ()
    gap: str = BLANK_LINE


class Budget(Value):
    """The budget of a page: the most that `measure` may count in its text. None is no limit; zero is a limit."""

    limit: int | None = None
    measure: Measure = len

    def __init__(self, limit: int | None = None, measure: Measure = len) -> None:
        if limit is not None and limit < 0:
            raise ValueError("a limit is zero or more")
        super().__init__(limit, measure)


class LeftOut(Value):
    """What a page's pointer line may say: the keys left out, in reading order, and how many blocks are shown.

    `behind` is how many items come after all the blocks, on later pages.
    """

    cut: tuple[str, ...]
    shortened: tuple[str, ...]
    shown: int
    total: int
    behind: int = 0
    shown_keys: tuple[str, ...] = ()

    def showing(self, key: str) -> "LeftOut":
        """Returns what is left out of the page after one more block is shown."""
        cut = tuple(each for each in self.cut if each != key)
        return replace(self, cut=cut, shown=self.shown + 1, shown_keys=(*self.shown_keys, key))


Pointer = Callable[[LeftOut], str]
Envelope = Callable[[str, LeftOut], str]


class View(Value):
    """The view of a reader on a page: budget and detail. `pointer` words the closing line, longest when all
    is left out.

    `envelope` makes of the text what is handed over, such as JSON with the text and its items; the budget is for that.
    `behind` says how many items come after all the blocks: the pointer line speaks of them too.
    """

    detail: Detail = Detail.STANDARD
    floor: Detail = Detail.SUMMARY
    budget: Budget = Budget()
    order: Order = Order.BREADTH
    strict: bool = False
    pointer: Pointer | None = None
    envelope: Envelope | None = None
    behind: int = 0


class Page(Value):
    """A page: its text, its size, and for every block its fate, its size and the reason.

    A `bare` page shows one block because there was no room for the envelope, or not even for the pointer line.
    """

    text: str
    size: int
    fates: Mapping[str, Fate]
    sizes: Mapping[str, int]
    reasons: Mapping[str, str]
    bare: bool = False


def fit(sections: Sequence[Section], view: View) -> Page:
    """Returns the page of these sections for a view: takes each improvement of a block that fits the budget."""
    offers = Offers(sections, view, breadth=view.order is Order.BREADTH)
    excess, ends_here = offers.excess(), not (view.behind and view.pointer)
    if ends_here and excess <= 0 and (whole := _Draft(offers, view)).holds_everything():
        return whole.page()
    draft = _Draft(offers, view, pointer=view.pointer).fill()
    # Joined texts may measure less than their sum.
    may_hold = ends_here and excess > 0 and draft.may_save(excess)
    if may_hold and (whole := _Draft(offers, view)).holds_everything():
        return whole.page()
    return draft.page() if draft.shows_something() else _least(sections, view, draft)


def _least(sections: Sequence[Section], view: View, draft: "_Draft") -> Page:
    """The page of a draft that shows nothing: neither the envelope nor the pointer line displaces the only content."""
    alone = _Draft(draft.offers, view)
    if view.envelope:
        bare = Offers(sections, replace(view, envelope=None), breadth=draft.offers.breadth)
        if (beside_line := _Draft(bare, view, pointer=view.pointer)).holds_one():
            return beside_line.page()
        alone = _Draft(bare, view)
    if (view.pointer or view.envelope) and alone.holds_one():
        return alone.page()
    if not draft.is_within() and alone.is_bare:
        alone.verdicts, draft = draft.verdicts, alone
    return draft.page()


class _Verdict(NamedTuple):
    """Why a block gets nothing more, and where in the line that was decided."""

    at: int
    covered: bool
    reason: str


class _Draft:
    """What the page holds so far, and what that costs."""

    def __init__(self, offers: Offers, view: View, *, pointer: Pointer | None = None) -> None:
        self.offers, self.view, self.strict, self.pointer = offers, view, view.strict, pointer
        self.room = offers.limit - offers.around - self._reserved()
        self.body, self.text, self.size, self.is_bare, self.saved = "", "", 0, False, 0
        self.verdicts: dict[int, _Verdict] = {}
        self._start()

    def _reserved(self) -> int:
        """The greatest width of the pointer line."""
        if not self.pointer:
            return 0
        keys, blocks = self.offers.keys(), self.offers.blocks
        widest = self.pointer(LeftOut(keys, keys, len(keys), len(blocks), self.view.behind))
        return self.offers.count(BLANK_LINE + widest) if widest else 0

    def _start(self) -> None:
        self.layout = Layout(self.offers)
        self.taken: list[tuple[int, int, int]] = []

    def holds_everything(self) -> bool:
        """Shows on the page all that nothing covers, and returns whether it keeps the limit."""
        levels, steps, blocks = self.layout.levels, self.offers.steps, self.offers.blocks
        for at, (number, level) in enumerate(self.offers.line):
            if level > 1:
                continue
            if blocks[number].covered_by and (coverer := self._coverer(number)):
                self.verdicts[number] = _Verdict(at, True, f"{coverer} is shown and covers it.")
            else:
                levels[number] = len(steps[number])
        self.layout.open_sections()
        return self.is_within()

    def _take(self, at: int, number: int, level: int, cost: int) -> None:
        self.taken.append((at, number, level))
        self.layout.take(number, level, cost)

    def holds_one(self) -> bool:
        """Shows one improvement on the page, the first that fits alone (with `strict` the first or none); returns whether one did."""
        limit, self.is_bare = self.offers.limit, True
        firsts = ((at, number) for at, (number, level) in enumerate(self.offers.line) if level == 1)
        for at, number in islice(firsts, 1 if self.strict else None):
            if self.offers.measure(self.layout.alone(number)) <= limit:
                self._take(at, number, 1, cost=0)
                self._refuse_the_rest()
                break
        return self.is_within() and bool(self.taken)

    def _refuse_the_rest(self) -> None:
        alone = "There is room for one block, and for nothing beside it."
        for at, (number, level) in enumerate(self.offers.line):
            if level > self.layout.levels[number]:
                self.verdicts.setdefault(number, _Verdict(at, False, alone))

    def shows_something(self) -> bool:
        """Returns whether any block is on the page, within the limit."""
        return any(self.layout.levels) and self.size <= self.offers.limit

    def fill(self) -> "_Draft":
        """Fills the page with what fits, and measures its text if that is anything."""
        self._walk(0)
        if not self.taken:
            return self
        while not self.is_within() and self.taken:
            self._walk(self._take_back())
        self.saved = spare = self._spare()
        while self._tops_up(spare):
            spare = self._spare()
        return self

    def may_save(self, excess: int) -> bool:
        """Returns whether joining all blocks may save this much, judged by what joining saved on this page."""
        limit, used = self.offers.limit - self.offers.around, self.layout.used
        if used <= 0:
            return excess <= 3 * limit
        return excess * used <= 4 * (self.saved + JOINT) * (excess + limit)

    def _spare(self) -> int:
        """By how much the text is smaller than the sum of its parts."""
        return self.layout.used - self.offers.count(self.body)

    def _tops_up(self, spare: int) -> bool:
        """Where the text is smaller than the sum of its parts, what did not fit is offered once more."""
        layout = self.layout
        if not (spare > 0 or layout.relieved) or not self.leaves_out():
            return False
        text, size, taken, verdicts = self.text, self.size, self.taken.copy(), self.verdicts
        layout.used, layout.relieved = layout.used - spare, False
        kept = self._standing_in() | {number for number, verdict in verdicts.items() if verdict.covered}
        self.verdicts = {number: verdict for number, verdict in verdicts.items() if number in kept}
        self._walk(0)
        if len(self.taken) > len(taken) and self.is_within():
            return True
        self._go_back(taken, verdicts, len(self.offers.line))
        self.text, self.size = text, size
        return False

    def _standing_in(self) -> set[int]:
        """Blocks that would cover what is shown because they did not fit."""
        names = (
            name
            for number, level in enumerate(self.layout.levels)
            if level
            for name in self.offers.blocks[number].covered_by
        )
        return {self.offers.position[name] for name in names if name in self.offers.position}

    def _walk(self, start: int) -> None:
        line, blocks, verdicts = self.offers.line, self.offers.blocks, self.verdicts
        layout, levels = self.layout, self.layout.levels
        stopped = self.strict and self.leaves_out()
        for at in range(start, len(line)):
            number, level = line[at]
            if number in verdicts or level <= levels[number]:
                continue
            if level == 1 and blocks[number].covered_by and (coverer := self._coverer(number)):
                verdicts[number] = _Verdict(at, True, f"{coverer} is shown and covers it.")
            elif stopped:
                verdicts[number] = _Verdict(
                    at, False, "Something before it did not fit, and the page is strict."
                )
            elif layout.used + (cost := layout.cost(number, level)) > self.room:
                verdicts[number] = _Verdict(at, False, self._shortage(cost, level))
                stopped = self.strict
            else:
                self._take(at, number, level, cost)

    def _coverer(self, number: int) -> str:
        """A block that stands for this one: named by it, taken, more important, and not starting later."""
        blocks, steps = self.offers.blocks, self.offers.steps
        for key in sorted(blocks[number].covered_by):
            other = self.offers.position.get(key, number)
            more_important = (blocks[other].rank, other) < (blocks[number].rank, number)
            if (
                more_important
                and self.layout.levels[other]
                and steps[other][0].place <= steps[number][0].place
            ):
                return key
        return ""

    def _shortage(self, cost: int, level: int) -> str:
        what = "It needs" if level == 1 else "Its longer form needs another"
        return f"{what} {cost:,} and {max(0, self.room - self.layout.used):,} of {self.offers.limit:,} were left."

    def _take_back(self) -> int:
        """Undo the end of the line, by halving, until the text fits (tokens do not add up); return where to go on."""
        whole, verdicts, fits, over = self.taken, self.verdicts, 0, len(self.taken)
        while over - fits > 1:
            middle = (fits + over) // 2
            self._go_back(whole[:middle], verdicts, whole[middle][0])
            fits, over = (middle, over) if self.is_within() else (fits, middle)
        at, number, _ = whole[fits]
        self._go_back(whole[:fits], verdicts, at)
        self.layout.used = max(self.layout.used, self.offers.count(self.layout.body()))
        self.verdicts[number] = _Verdict(at, False, "The finished page was over the limit with it.")
        return at + 1

    def _go_back(self, taken: list[tuple[int, int, int]], verdicts: dict[int, _Verdict], at: int) -> None:
        self.verdicts = {number: verdict for number, verdict in verdicts.items() if verdict.at < at}
        self._start()
        for past, number, level in taken:
            self._take(past, number, level, self.layout.cost(number, level))

    def is_within(self) -> bool:
        """Lays out the text of the page, measures it, and returns whether it keeps the limit."""
        pointed = self.pointer if self._is_incomplete() else None
        left = self._left() if pointed or self.offers.envelope else None
        line = pointed(left) if pointed and left else ""
        self.body = self.layout.body()
        self.text = BLANK_LINE.join(filter(None, (self.body, line)))
        self.size = self.offers.measure(self.text, left)
        return self.size <= self.offers.limit

    def leaves_out(self) -> bool:
        return any(not verdict.covered for verdict in self.verdicts.values())

    def _is_incomplete(self) -> bool:
        return bool(self.view.behind) or self.leaves_out()

    def _left(self) -> LeftOut:
        fates = self._fates()
        cut = tuple(key for key, fate in fates.items() if fate is Fate.CUT)
        shortened = tuple(key for key, fate in fates.items() if fate is Fate.SHORTENED)
        shown = tuple(compress(fates, self.layout.levels))
        return LeftOut(cut, shortened, len(shown), len(fates), self.view.behind, shown)

    def _fates(self) -> dict[str, Fate]:
        fates = {}
        levels, verdicts = self.layout.levels, self.verdicts
        for number, (block, steps) in enumerate(zip(self.offers.blocks, self.offers.steps, strict=True)):
            if level := levels[number]:
                fates[block.key] = Fate.SHOWN if level == len(steps) else Fate.SHORTENED
            elif number in verdicts and verdicts[number].covered:
                fates[block.key] = Fate.COVERED
            else:
                fates[block.key] = Fate.CUT if steps else Fate.HIDDEN
        return fates

    def page(self) -> Page:
        offers, fates = self.offers, self._fates()
        sizes, reasons = dict.fromkeys(fates, 0), {}
        for number, (block, steps) in enumerate(zip(offers.blocks, offers.steps, strict=True)):
            if level := self.layout.levels[number]:
                size = offers.count(steps[level - 1].text)
                sizes[block.key] = size if size > 0 else 1
            if number in self.verdicts:
                reasons[block.key] = self.verdicts[number].reason
            elif not steps:
                reasons[block.key] = "For more detail."
        return Page(self.text, self.size, fates, sizes, reasons, self.is_bare)
