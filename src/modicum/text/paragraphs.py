"""Cuts a Markdown passage into its paragraphs, list items, code blocks and tables; together they are the passage. Pure."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from modicum.text.markdown import LINE_END
from modicum.text.prose import markdown_parser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

ITEM, STEPS, CODE, TABLE, PROSE = "item", "steps", "code", "table", "prose"
COMMENT, RULE, HEADING = "comment", "rule", "heading"
_SENTENCE_LINE = re.compile(r"[^\W_a-z`|<>#].*[.!?][)*_\"']*")
_STEP = re.compile(r"(?m)^ {0,3}(?=\d{1,9}[.)]\s)")
_KINDS = {
    "ordered_list_open": STEPS,
    "fence": CODE,
    "code_block": CODE,
    "table_open": TABLE,
    "html_block": COMMENT,
    "hr": RULE,
    "heading_open": HEADING,
}


class Paragraph(NamedTuple):
    """A paragraph of a Markdown passage, or what stands for one: a list item, numbered steps, a code block, a table.

    `blank` tells that an empty line follows, `line` on which line of the passage it starts, from 0 on; `language` is that
    of a code block.
    """

    kind: str
    text: str
    line: int
    blank: bool = False
    language: str = ""

    @property
    def is_lead(self) -> bool:
        """Returns True if the paragraph introduces what follows it: it ends in a colon."""
        return self.kind == PROSE and self.text.rstrip().rstrip("*_ ").endswith(":")


def split_paragraphs(passage: str) -> tuple[Paragraph, ...]:
    """Cuts a Markdown passage into paragraphs, in order; a bullet list is cut at its items, numbered steps stay whole."""
    lines = passage.split("\n")
    starts = [*_starts(markdown_parser().parse(passage))]
    # What the parser has no token for, such as the definition of a link, belongs to the paragraph before it.
    first = (
        [(0, PROSE, "")]
        if not starts or (starts[0][0] > 0 and any(map(str.strip, lines[: starts[0][0]])))
        else []
    )
    starts = [*first, *starts]
    ends = [*(start for start, _, _ in starts[1:]), len(lines)]
    cut = [
        _paragraph(kind, lines[start:end], start, language)
        for (start, kind, language), end in zip(starts, ends, strict=True)
    ]
    return tuple(each for paragraph in cut if paragraph.text for each in _sentence_lines(paragraph))


def whole_lines(text: str) -> list[str]:
    """Returns the lines from which paragraphs of Markdown are cut, with their line ends, whichever these are."""
    edges = [0, *(found.end() for found in LINE_END.finditer(text)), len(text)]
    return [text[start:end] for start, end in pairwise(edges) if start < end]


def _sentence_lines(paragraph: Paragraph) -> Iterator[Paragraph]:
    """The lines of a paragraph, if each one of them is a sentence; else the paragraph."""
    lines = paragraph.text.split("\n")
    if paragraph.kind != PROSE or len(lines) < 2 or not all(map(_SENTENCE_LINE.fullmatch, lines)):
        yield paragraph
        return
    for at, line in enumerate(lines):
        last = at == len(lines) - 1
        yield Paragraph(PROSE, line, paragraph.line + at, paragraph.blank and last)


def parts_of(paragraph: Paragraph) -> Iterator[tuple[int, str]]:
    """Yields the parts of a paragraph, with the line on which each starts: the items of a numbered list, the rows of a table, else the whole paragraph."""
    if paragraph.kind == STEPS:
        starts = [found.start() for found in _STEP.finditer(paragraph.text)]
        for start, end in zip(starts, [*starts[1:], None], strict=True):
            yield paragraph.line + paragraph.text.count("\n", 0, start), paragraph.text[start:end]
    elif paragraph.kind == TABLE:
        for at, row in enumerate(paragraph.text.split("\n")):
            yield paragraph.line + at, row
    else:
        yield paragraph.line, paragraph.text


def _starts(tokens: list[Token]) -> Iterator[tuple[int, str, str]]:
    for token in tokens:
        if token.map is None or token.nesting < 0:
            continue
        if token.level == 0 and token.type != "bullet_list_open":
            yield token.map[0], _KINDS.get(token.type, PROSE), token.info.strip()
        elif token.level == 1 and token.type == "list_item_open" and token.markup in "-+*":
            yield token.map[0], ITEM, ""


def _paragraph(kind: str, lines: list[str], start: int, language: str) -> Paragraph:
    text = "\n".join(lines)
    body = text.rstrip()
    blank = "\n" in text[len(body) :]
    if kind == COMMENT and not body.startswith("<!--"):
        kind = PROSE  # other HTML
    return Paragraph(kind, body, start, blank, language.split()[0].lower() if language else "")
