"""Compares what an AI tool reads before an adoption and after it, line by line. Pure.

The law: every line that a tool read, it reads afterwards, as often as one file said it; and what it read for some files
only, it does not read always. Marks of lists, headings and code do not count, nor does the front matter.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from modicum.app.adopt.sources import AdoptSource
from modicum.base.value import Value
from modicum.targets.loaders.front_matter import front_matter_end
from modicum.targets.loaders.imports import imports_in
from modicum.targets.model import Adapter

_MARKS = re.compile(r"[\s*`_#>|\-•]+")


class ToolTexts(Value):
    """The texts that are compared for one AI tool: what it reads at its start in each folder, and what it reads later.

    `own` has the user's part of that by folder and file; `later`, by file, what is read for some files only; `heard` is what
    arrives in the root, with what arrives twice.
    """

    adapter: Adapter
    start: Mapping[str, str]
    own: Mapping[str, Mapping[str, str]]
    later: Mapping[str, str]
    heard: str = ""


class MissingLine(NamedTuple):
    """A line that the comparison of an adoption misses: its file, and the line as it stood there."""

    path: str
    line: str


def lost_lines(before: ToolTexts, after: ToolTexts) -> list[MissingLine]:
    """Returns the lines that a tool would no longer read in the comparison, or less often than one file said them."""
    lost: dict[str, MissingLine] = {}
    for folder, files in before.own.items():
        # A tool that puts an import into the middle of a line reads that line all the same.
        told = _counted(after.start[folder]) | _counted_together(after.own[folder].values())
        for path, text in files.items():
            _add_missing(lost, path, text, told)
    everything = _counted_together((*after.start.values(), *after.later.values()))
    for path, text in before.later.items():
        _add_missing(lost, path, text, Counter({plain: len(text) for plain in everything}))
    return [*lost.values()]


def _counted_together(texts: Iterable[str]) -> Counter[str]:
    return sum(map(_counted, texts), Counter[str]())


def _add_missing(lost: dict[str, MissingLine], path: str, text: str, told: Counter[str]) -> None:
    for plain, times in _counted(text).items():
        if told[plain] < times and plain not in lost:
            lost[plain] = MissingLine(path, _words_of(text)[plain])


def doubled_lines(before: ToolTexts, after: ToolTexts) -> Iterator[str]:
    """Yields the lines of the comparison that a tool read, and reads more often afterwards."""
    was, now = _counted(before.heard), _counted(after.heard)
    return (plain for plain, times in was.items() if now[plain] > times)


def missing_in(text: str, after: str) -> bool:
    """Returns True if a text lacks lines that another one of the comparison had."""
    return bool(_counted(text).keys() - _counted(after).keys())


def widened_files(before: ToolTexts, after: ToolTexts, sources: Iterable[AdoptSource]) -> Iterator[str]:
    """Yields the files for some files only of which the tool of a comparison would read something always, or in more folders.

    Headings and the ends of code are in many files, and so are lines that a file for all files has, too.
    """
    sources = [*sources]
    always = {plain for source in sources if not source.globs for plain in _counted(source.text)}
    scoped = {source.path: _said(source.text) - always for source in sources if source.globs}
    for folder in before.start if scoped else ():
        newly = _counted(after.start[folder]).keys() - _counted(before.start[folder]).keys()
        yield from (path for path, lines in scoped.items() if newly & lines)


def _said(text: str) -> set[str]:
    """The lines of a text without headings and the ends of code."""
    return {plain for plain, line in _lines(text) if not line.startswith(("#", "```", "~~~"))}


def plain_lines(text: str) -> frozenset[str]:
    """Returns the lines of a text as they are compared."""
    return frozenset(_counted(text))


@lru_cache(maxsize=256)
def _counted(text: str) -> Counter[str]:
    return Counter(plain for plain, _ in _lines(text))


@lru_cache(maxsize=16)
def _words_of(text: str) -> dict[str, str]:
    return dict(_lines(text))


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in without_mentions(text[front_matter_end(text) :]).splitlines():
        if plain := _MARKS.sub(" ", line).strip().lower():
            yield plain, line.strip()


def without_mentions(text: str) -> str:
    """Returns a text of the comparison with plain paths for the imports in it, and none for those that are a line."""
    for mention in reversed(imports_in(text)):
        line = text[text.rfind("\n", 0, mention.start) + 1 : mention.start]
        rest = text[mention.end :].partition("\n")[0]
        path = text[mention.start + 1 : mention.end] if (line + rest).strip(" \t-*+_[]()") else ""
        text = text[: mention.start] + path + text[mention.end :]
    return text
