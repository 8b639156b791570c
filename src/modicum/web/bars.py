"""The bars of the screen of tools: which piece of what a tool reads stands where, and where the tool stops reading."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from modicum.app.reading.tool_amounts import ReadPart, ToolAmounts

WIDTH = 1000  # units of the drawing, whatever its width on the screen
SHADES = 5  # of the colour of packs
_ROOM_BEHIND = 1.08
_TOKENS_PER_BYTE = 0.25  # where a tool reads nothing from which it could be known


class Segment(NamedTuple):
    """A piece of a bar on the screen of tools: where it starts, its width, what it is, and its text."""

    x: float
    width: float
    kind: str
    label: str
    tokens: int
    bytes: int

    @property
    def title(self) -> str:
        return f"{self.label}: {self.tokens:,} tokens"


class Bar(NamedTuple):
    """The bar of one tool: its pieces, the place of the cut-off (None: there is none), and the tool's amounts."""

    amounts: ToolAmounts
    segments: tuple[Segment, ...]
    cut_off: float | None

    @property
    def in_words(self) -> str:
        """Returns the bar of a tool as a sentence, for those who do not see it."""
        parts = ", ".join(f"{each.label} {each.tokens:,}" for each in self.segments)
        return f"{self.amounts.name} in tokens: {parts or 'nothing'}"


def bars(amounts: Sequence[ToolAmounts]) -> tuple[Bar, ...]:
    """Returns the bars for the screen of tools, all in the same scale."""
    most = max((each.tokens + _sum(each.lost) for each in amounts), default=0)
    scale = WIDTH / max(1.0, most * _ROOM_BEHIND)
    packs = dict.fromkeys(
        part.label
        for each in amounts
        for part in (*each.parts, *each.lost)
        if part.source.startswith("pack:")
    )
    shades = {name: f"pack{number % SHADES}" for number, name in enumerate(packs)}
    return tuple(_bar(each, scale, shades) for each in amounts)


def _bar(amounts: ToolAmounts, scale: float, shades: dict[str, str]) -> Bar:
    segments, x = list[Segment](), 0.0
    for number, part in enumerate(amounts.parts):
        kind = shades[part.label] if part.source.startswith("pack:") else part.source
        if kind == "yours" and number % 2:
            kind = "yours2"  # so that two files beside each other can be told apart
        segments.append(Segment(x, part.tokens * scale, kind, part.label, part.tokens, part.bytes))
        x += part.tokens * scale
    cut_off = x if amounts.lost else None
    for part in amounts.lost:
        label = f"lost of {part.label}"
        segments.append(Segment(x, part.tokens * scale, "lost", label, part.tokens, part.bytes))
        x += part.tokens * scale
    if amounts.limits and not amounts.lost:
        free = _free(amounts)
        width = min(free * scale, WIDTH - x)
        segments.append(Segment(x, width, "free", "free, about", free, amounts.limits[0].left))
        cut_off = x + width if free * scale <= WIDTH - x else None
    return Bar(amounts, tuple(each for each in segments if each.tokens), cut_off)


def _free(amounts: ToolAmounts) -> int:
    """About how many tokens a tool would read more, by how many there are in the bytes that it reads now."""
    per_byte = amounts.tokens / amounts.bytes if amounts.bytes else _TOKENS_PER_BYTE
    return round(min(limit.left for limit in amounts.limits) * per_byte)


def _sum(parts: Iterable[ReadPart]) -> int:
    return sum(part.tokens for part in parts)
