"""Tells which lines of an instruction file are code, as Markdown has it: fenced, or indented. Pure."""

import re
from collections.abc import Iterator

_FENCE = re.compile(r"[ \t]*+(?:(`{3,}+)[^`]*+\Z|(~{3,}+))")
_ITEM = re.compile(r"( {0,3}(?:[-+*]|[0-9]{1,9}[.)]))(?:( {1,4})(?! )| |(?=[\r\n]|\Z))")
_INDENT = 4  # columns, from which on a line is code


def lines_of(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """Returns the lines of an instruction file, code or not, each with the index where it starts."""
    while start < len(text):
        end = line_end(text, start)
        yield start, text[start:end]
        start = end


def line_end(text: str, at: int) -> int:
    """Returns the index behind the line of an instruction file that an index is in."""
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


class CodeLines:
    """A scanner that is given the lines of an instruction file, and tells which of them are code."""

    def __init__(self) -> None:
        self.fence = ""
        self.item = 0  # the column from which on a line belongs to the list item above; 0: there is none
        self.apart = True  # nothing is above that an indented line could go on with

    def holds(self, line: str) -> bool:
        """Returns True if a loader takes the next line for code, or for the fence around it."""
        mark = _FENCE.match(line) if "```" in line or "~~~" in line else None
        run = mark[1] or mark[2] if mark else ""
        if self.fence:
            closes = run.startswith(self.fence) and not line.strip().strip(run[:1])
            self.fence = "" if run and closes else self.fence
            return True
        self.fence = run
        return bool(run) or self._is_indented(line)

    def is_inside(self, line: str) -> bool:
        """Returns True if a line belongs to the list item above it, so that its indent does not make it code."""
        return bool(self.item) and columns_before(line) >= self.item

    def _is_indented(self, line: str) -> bool:
        if not line.strip():
            self.apart = True
            return False
        if not self.is_inside(line):
            item = _ITEM.match(line)
            self.item = len(item[1]) + len(item[2] or " ") if item else 0
        self.apart = self.apart and not self.item and columns_before(line) >= _INDENT
        return self.apart


def columns_before(line: str) -> int:
    """Returns the number of columns before the first character of a line, by which loaders tell whether it is indented code."""
    if line[:1] not in (" ", "\t"):
        return 0
    blanks = line[: len(line) - len(line.lstrip(" \t"))]
    return len(blanks.expandtabs(_INDENT))
