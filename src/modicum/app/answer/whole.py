"""One text handed over whole: at once where it fits, else in pieces that together are the text."""

from collections.abc import Callable
from typing import NamedTuple

from modicum.app.answer.cursor import Cursor, mark, read_cursor, write_cursor
from modicum.text.pieces import cut

Data = dict[str, object]


class WholeText(NamedTuple):
    """A text that is shown whole: its head, its body, what else is known of it, and what to call it."""

    head: str
    body: str
    fields: Data
    field: str = "content"  # the body's name among the fields


class TextPiece(NamedTuple):
    """The part of a whole text from one character to another, and the cursor to go on with."""

    whole: WholeText
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.whole.body[self.start : self.end]

    @property
    def next(self) -> str:
        if self.end >= len(self.whole.body):
            return ""
        return write_cursor(Cursor(self.end, stamp=mark(self.whole.body)))

    @property
    def is_all(self) -> bool:
        return (self.start, self.end) == (0, len(self.whole.body))

    def as_json(self) -> Data:
        """The piece with what is known of the text; counts are in characters."""
        total = len(self.whole.body)
        counts: Data = {
            "shown": self.end - self.start,
            "total": total,
            "omitted": total - self.end,
            "unit": "chars",
            "next": self.next or None,
        }
        return {**self.whole.fields, self.whole.field: self.text, **counts}


def piece_of(whole: WholeText, cursor: str, limit: int, size: Callable[[TextPiece], int]) -> TextPiece:
    """Returns the longest piece from the cursor on whose size is within the limit; an empty one if none is."""
    start = min(read_cursor(cursor, mark(whole.body)).shown, len(whole.body))
    end = cut(whole.body, start, limit, lambda text: size(TextPiece(whole, start, start + len(text))))
    return TextPiece(whole, start, end)
