"""The passages of a reading in order: what arrives with its source, and in its place what does not, with the reason."""

from collections.abc import Callable, Iterable, Iterator

from modicum.app.reading.pack_lines import FRAME, PackLines, split_by_pack
from modicum.app.reading.tool_reading import ToolReading, our_spans
from modicum.base.value import Value, replace
from modicum.engine.page import Block, Detail, Fate, Page
from modicum.packs.sections import pack_of
from modicum.targets.loaders.reading import ReadPassage

READ, LEFT_OUT = "read", "left-out"
YOURS, OURS = "yours", "modicum"


class ShownPassage(Value):
    """A passage of a reading for display: its text, the file, whose words they are, and why they do not arrive.

    `source` is `yours`, `modicum` or `pack:NAME`. `state` is `read`, `shortened`, or why the passage does not arrive:
    `cut` by the tool, `left-out` of our page, `hidden`, `covered`, `dropped`, `later`, `twin`, `excluded`.
    """

    text: str
    path: str = ""
    source: str = YOURS
    state: str = READ
    why: str = ""
    importer: str = ""

    @property
    def arrives(self) -> bool:
        """Returns True if the passage that is shown arrives: the tool reads it."""
        return self.state in (READ, Fate.SHORTENED)


Split = Callable[
    [str, str], Iterable[ShownPassage]
]  # the path and the text of a passage of ours -> its passages


def split_with(lines: PackLines) -> Split:
    """Returns the function that splits our text in a file into passages to be shown, one for each pack."""

    def split(path: str, text: str) -> Iterator[ShownPassage]:
        for part, pack in split_by_pack(text, lines):
            yield ShownPassage(part, path, _source(pack))

    return split


def _source(pack: str) -> str:
    return OURS if pack == FRAME else f"pack:{pack}"


def passages_of(seen: ToolReading, split: Split) -> tuple[ShownPassage, ...]:
    """Returns all passages of what a tool reads, in its order, and in their places those that do not arrive."""
    return tuple(each for each in _ReadingWalk(seen, split).walk() if each.text.strip())


class _ReadingWalk:
    """Walks over the passages of one reading."""

    def __init__(self, seen: ToolReading, split: Split) -> None:
        self.seen, self.split = seen, split
        self.lost = [*seen.reading.unread, *seen.reading.dropped]
        self.at: dict[str, int] = {}

    def walk(self) -> Iterator[ShownPassage]:
        passages = self.seen.reading.passages
        last = {passage.path: number for number, passage in enumerate(passages)}
        for number, passage in enumerate(passages):
            yield from self._missing(passage.path, passage.start)
            yield from self._read(passage)
            self.at[passage.path] = passage.end
            if last[passage.path] == number:
                yield from self._missing(passage.path, len(self._text(passage.path)))
        for path in dict.fromkeys(each.path for each in self.lost):
            if path not in last:
                yield from self._missing(path, len(self._text(path)))

    def _text(self, path: str) -> str:
        return self.seen.files.text(path) or ""

    def _missing(self, path: str, end: int) -> Iterator[ShownPassage]:
        """What does not arrive of a file between the place that was reached and another one."""
        for each in sorted((each for each in self.lost if each.path == path), key=lambda each: each.start):
            start, stop = max(each.start, self.at.get(path, 0)), min(each.end, end)
            if start < stop:
                for part in self._whose(path, start, stop):
                    yield replace(part, state=each.kind, why=each.why) if part.arrives else part
                self.at[path] = stop

    def _read(self, passage: ReadPassage) -> Iterator[ShownPassage]:
        for part in self._whose(passage.path, passage.start, passage.end):
            yield replace(part, importer=passage.importer)

    def _whose(self, path: str, start: int, end: int) -> Iterator[ShownPassage]:
        """A span of a file, split into what is yours and what is ours."""
        text = self._text(path)
        for first, stop in our_spans(text):
            if first < end and stop > start:
                yield ShownPassage(text[start : max(start, first)], path)
                yield from self.split(path, text[max(start, first) : min(stop, end)])
                start = min(stop, end)
        yield ShownPassage(text[start:end], path)


def page_passages(page: Page, blocks: Iterable[Block], path: str) -> tuple[ShownPassage, ...]:
    """Returns the passages to be shown of a page of ours, block by block, with what was left out in its place."""
    found, at = list[ShownPassage](), 0
    for block in blocks:
        fate = page.fates.get(block.key, Fate.HIDDEN)
        source, why = _source(pack_of(block.key)), page.reasons.get(block.key, "")
        if fate not in (Fate.SHOWN, Fate.SHORTENED):
            state = LEFT_OUT if fate is Fate.CUT else str(fate)
            found.append(ShownPassage(_longest(block), path, source, state, why))
            continue
        form, start = _form_in(page.text, block, at)
        if start >= 0:
            state = READ if fate is Fate.SHOWN else str(fate)
            # A heading above it goes with the first block below.
            found.append(ShownPassage(page.text[at:start] + form, path, source, state, why))
            at = start + len(form)
    found.append(ShownPassage(page.text[at:], path, OURS))
    return tuple(each for each in found if each.text.strip())


def _longest(block: Block) -> str:
    return block.forms[max(block.forms, default=Detail.FULL)] if block.forms else ""


def _form_in(text: str, block: Block, at: int) -> tuple[str, int]:
    """The form of a block that a page has behind a place, and where; the longest form comes first."""
    for detail in sorted(block.forms, reverse=True):
        start = text.find(block.forms[detail], at) if block.forms[detail] else -1
        if start >= 0:
            return block.forms[detail], start
    return "", -1
