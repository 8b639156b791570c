"""Finds the HTML comments in an instruction file that a tool drops before its model reads it. Pure."""

import re
from collections.abc import Iterator

from modicum.targets.loaders.code_lines import CodeLines, line_end

_OPENING = re.compile(r" {0,3}<!--")
_HEADING = re.compile(r" {0,3}#{1,6}(?:\s|\Z)")
_TAG = re.compile(r" {0,3}<(/?)([A-Za-z][\w-]*+)([^<>]*+)(>?)")
_BLANK_LINE = re.compile(r"\n[ \t\r]*+\n")
_CLOSING = re.compile(r"</(pre|script|style|textarea)>", re.IGNORECASE)
_WITH_ANY_TEXT = ("pre", "script", "style", "textarea")
# With one of these a line begins a block of HTML that goes on to the next blank line, whatever is above it.
_BLOCK_TAGS = (
    " address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt"
    " fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link"
    " main menu menuitem meta nav noframes ol optgroup option p param search section summary table tbody td tfoot th"
    " thead title tr track ul "
)


def comment_spans(text: str, start: int = 0, *, everywhere: bool = False) -> Iterator[tuple[int, int]]:
    """Returns where the comments are that a tool drops from an instruction file: those in lines of their own, or all of them.

    A comment within a line, in code, in a list or quotation, or in a block of other HTML is none that stands alone.
    """
    if everywhere:
        yield from _within(text, start, len(text))
        return
    code, in_paragraph = CodeLines(), False
    while start < len(text):
        end = line_end(text, start)
        line = text[start:end]
        inside = code.is_inside(line)
        if code.holds(line):
            in_paragraph = False
        elif not inside and _OPENING.match(line):
            end = _end_of_comment(text, start)
            yield from _dropped(text, start, end)
            in_paragraph = False
        elif not inside and (behind := _end_of_html(text, start, line, in_paragraph=in_paragraph)):
            end, in_paragraph = behind, False
        else:
            in_paragraph = bool(line.strip()) and not _HEADING.match(line)
        start = end


def _within(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while (opening := text.find("<!--", start, end)) >= 0:
        closing = text.find("-->", opening + 4, end)
        if closing < 0:
            return
        start = closing + 3
        yield opening, start


def _end_of_comment(text: str, start: int) -> int:
    """Where the line ends in which a comment is closed, with the empty lines behind it."""
    closing = text.find("-->", text.index("<!--", start) + 4)
    end = line_end(text, closing) if closing >= 0 else len(text)
    while text.startswith(("\n", "\r\n"), end):
        end = line_end(text, end)
    return end


def _dropped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The comments of a block; the whole block if nothing else is in it."""
    spans = [*_within(text, start, end)]
    edges = [start, *(edge for span in spans for edge in span), end]
    if spans and not any(text[a:b].strip() for a, b in zip(edges[::2], edges[1::2], strict=True)):
        yield start, end
    else:
        yield from spans


def _end_of_html(text: str, start: int, line: str, *, in_paragraph: bool) -> int:
    """Where a block of HTML ends that begins in a line; 0 if none does."""
    tag = _TAG.match(line)
    if not tag:
        return 0
    closing, name, rest, bracket = tag[1], tag[2].lower(), tag[3], tag[4]
    if name in _WITH_ANY_TEXT and not closing:
        ends = (found.end() for found in _CLOSING.finditer(text, start) if found[1].lower() == name)
        return line_end(text, next(ends, len(text)))
    alone = bracket and not line[tag.end() :].strip() and not in_paragraph
    if (f" {name} " in _BLOCK_TAGS and (not rest or rest[0] in " /\r\n")) or alone:
        blank = _BLANK_LINE.search(text, start)
        return blank.end() if blank else len(text)
    return 0
