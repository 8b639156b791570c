"""Whole texts as answers: one text at once where it fits, else in pieces with a cursor."""

from collections.abc import Callable
from typing import NamedTuple

from modicum.app.answer.cursor import Cursor, mark, read_cursor, write_cursor
from modicum.text.pieces import cut

Data = dict[str, object]


class WholeText(NamedTuple):
    """A text that is answered whole: its head, its body, other facts about the text, and its name."""

    head: str
    body: str
    fields: Data
    field: str = "content"  # the body's name among the fields


class TextPiece(NamedTuple):
    """A piece of a whole text, from one character to another, and the cursor of the next piece."""

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
        """Returns the piece of a whole text as JSON, with its facts; counts are in characters."""
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
    """Returns the longest piece of a whole text from a cursor on within the limit, or an empty one."""
    start = min(read_cursor(cursor, mark(whole.body)).shown, len(whole.body))
    end = cut(whole.body, start, limit, lambda text: size(TextPiece(whole, start, start + len(text))))
    return TextPiece(whole, start, end)
