"""Makes the parts of a view from a reader's words: the detail by name, and limits in any unit as one budget."""

from collections.abc import Callable, Sequence

from modicum.engine.page import Budget, Detail, Measure
from modicum.engine.tokens import measure

DETAIL_NAMES = {
    **dict.fromkeys(("minimal", "summary", "compact", "concise"), Detail.SUMMARY),
    "standard": Detail.STANDARD,
    **dict.fromkeys(("full", "detailed"), Detail.FULL),
}


def parse_detail(word: str) -> Detail:
    """Returns the `Detail` that a word such as "compact" stands for; a ValueError lists the words that are known."""
    try:
        return DETAIL_NAMES[word.strip().lower()]
    except KeyError:
        raise ValueError(f'unknown detail "{word}": use one of {", ".join(DETAIL_NAMES)}') from None


def budget(
    limits: Sequence[tuple[str, int]],
    around: str = "",
    line_end: str = "\n",
    written: Callable[[str], str] | None = None,
) -> Budget:
    """Returns the budget of a view for all the limits, each in its unit; without limits, bytes are counted.

    What is counted is the text with `around` about it; or, exact and slower, what `written` makes of the text.
    """
    counts = [(_written(measure(unit), around, line_end, written), most) for unit, most in limits]
    if not counts:
        return Budget(None, _written(measure("bytes"), around, line_end, written))
    count, most = min(counts, key=lambda pair: pair[1] > 0)
    return Budget(most, count if len(counts) == 1 or most == 0 else _fullest(counts, most))


def _written(
    count: Measure, around: str, line_end: str, written: Callable[[str], str] | None = None
) -> Measure:
    if written is not None:
        return lambda text: count(written(text)) if text else 0
    if not around and line_end == "\n":
        return count
    beside = count(around)
    return lambda text: count(text.replace("\n", line_end)) + beside if text else 0


def _fullest(counts: Sequence[tuple[Measure, int]], scale: int) -> Measure:
    """How full the fullest of several limits is, in units of `scale`: within it exactly if all are kept."""

    def fullest(text: str) -> int:
        return max(-(-count(text) * scale // most) for count, most in counts)

    return fullest
