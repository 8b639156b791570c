"""Finds the imports in an instruction file: `@path` in running text, not in code. Pure."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from modicum.base.named_tuple import NamedTuple
from modicum.targets.loaders.code_lines import CodeLines, lines_of
from modicum.text.markdown import code_span_edges

_MENTION = re.compile(r"(?<![^\s*_\[])@((?:[^\s\\]|\\ )++)")
_CLOSING = {"*": "*", "_": "_", "[": "]"}


class Import(NamedTuple):
    """An import in an instruction file: the path of another file as it is written, and where it stands.

    Only a tool that reads Markdown first finds a mention directly behind a mark, such as the bold `**@path**`.
    """

    path: str
    start: int
    end: int
    in_marks: bool = False


def imports_in(text: str) -> tuple[Import, ...]:
    """Returns the imports in an instruction file, in their order; those in code are none."""
    return _found(text) if "@" in text else ()


@lru_cache(maxsize=512)  # more than the files of a project that are followed
def _found(text: str) -> tuple[Import, ...]:
    starts = [found.start() for found in _MENTION.finditer(text)]
    return (*_mentions(text, starts[-1]),) if starts else ()


def _mentions(text: str, last: int) -> Iterator[Import]:
    code = CodeLines()
    for at, line in lines_of(text):
        if at > last:
            return
        if not code.holds(line) and "@" in line:
            yield from _in_line(line, at)


def _in_line(line: str, at: int) -> Iterator[Import]:
    edges = code_span_edges(line)
    for found in _MENTION.finditer(line):
        path, start = found[1], found.start()
        mark = _CLOSING.get(line[start - 1 : start], "")
        if mark:
            path = path[: path.rfind(mark)].rstrip(mark) if mark in path else ""
        name = path.partition("#")[0].replace("\\ ", " ")
        if name and bisect_right(edges, start) % 2 == 0:
            yield Import(name, at + start, at + start + 1 + len(path), bool(mark))
