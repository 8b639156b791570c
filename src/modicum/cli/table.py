"""Lays out a table for the terminal: as wide as it needs to be, with cells that wrap where there is no room."""

from collections.abc import Sequence
from itertools import zip_longest

from modicum.base.named_tuple import NamedTuple

GAP = "  "
LEAST = 4


class Cell(NamedTuple):
    """A cell of a table: a text, and the colour it has on a terminal."""

    text: str
    colour: str = ""


Row = Sequence[str | Cell]


class Line(NamedTuple):
    """One printed line of a table row, its cells padded to the width of each column."""

    cells: tuple[Cell, ...]


def laid_out(rows: Sequence[Row], *, right: Sequence[int] = (), room: int | None = None) -> list[list[Line]]:
    """Returns the printed lines of each table row; columns in `right` hold numbers. Without `room`, nothing wraps."""
    cells = [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in rows]
    widths = _widths([list(column) for column in zip(*cells, strict=True)], room)
    return [_lines(row, widths, right) for row in cells]


def narrowest(columns: int) -> int:
    """Returns how wide a terminal must be for a table of so many columns."""
    return columns * LEAST + (columns - 1) * len(GAP)


def width(text: str) -> int:
    """Returns how many terminal columns a text takes in a table."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(sign) else 1 + (east_asian_width(sign) in "WF") for sign in text)


def _widths(columns: list[list[Cell]], room: int | None) -> list[int]:
    widths = [max(width(cell.text) for cell in column) for column in columns]
    least = [max(map(width, " ".join(cell.text for cell in column).split(" "))) for column in columns]
    excess = 0 if room is None else sum(widths) + len(GAP) * (len(widths) - 1) - room
    for bounds in (least, [LEAST] * len(widths)):  # between words first, then within them
        while excess > 0 and any(wide > low for wide, low in zip(widths, bounds, strict=True)):
            at = max(range(len(widths)), key=lambda n: (widths[n] > bounds[n], widths[n]))
            widths[at] -= 1
            excess -= 1
    return widths


def _lines(row: Sequence[Cell], widths: Sequence[int], right: Sequence[int]) -> list[Line]:
    wrapped = [_wrapped(cell.text, wide) for cell, wide in zip(row, widths, strict=True)]
    lines = []
    for texts in zip_longest(*wrapped, fillvalue=""):
        padded = (
            _padded(text, wide, is_number=at in right)
            for at, (text, wide) in enumerate(zip(texts, widths, strict=True))
        )
        lines.append(Line(tuple(Cell(text, cell.colour) for text, cell in zip(padded, row, strict=True))))
    return lines


def _padded(text: str, wide: int, *, is_number: bool) -> str:
    blanks = " " * (wide - width(text))
    return blanks + text if is_number else text + blanks


def _wrapped(text: str, wide: int) -> list[str]:
    if width(text) <= wide:
        return [text]
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if width(joined) <= wide:
            lines[-1] = joined
            continue
        pieces = _cut(word, wide)
        lines[len(lines) - (not lines[-1]) :] = pieces
    return lines


def _cut(word: str, wide: int) -> list[str]:
    pieces = [""]
    for sign in word:
        if pieces[-1] and width(pieces[-1] + sign) > wide:
            pieces.append("")
        pieces[-1] += sign
    return pieces
