"""Parses the tips file of a pack: one tip under each second-level heading, with tags in a `Tags:` line."""

import re

from modicum.packs.model import Tip
from modicum.packs.web.fetch_markers import lines_of
from modicum.text.markdown import Kind, Scanner

_TITLE = r" {0,3}##(?!#)(.*)\Z"
_TAGS = r"(?i)[ \t]*tags[ \t]*:(.*)\Z"


def parse_tips(text: str) -> tuple[Tip, ...]:
    """Parses the tips in a pack's Markdown text; text above the first heading belongs to no tip."""
    tips: list[tuple[str, list[str]]] = []
    scanner = Scanner()
    for line in lines_of(text):
        heading = re.match(_TITLE, line.rstrip("\r\n")) if scanner.read(line) is Kind.HEADING else None
        if heading:
            tips.append((_title(heading[1]), []))
        elif tips:
            tips[-1][1].append(line)
    return tuple(_tip(title, lines) for title, lines in tips)


def _title(words: str) -> str:
    closed = words.rstrip().rstrip("#")
    return (closed if closed[-1:] in ("", " ", "\t") else words).strip()


def _tip(title: str, lines: list[str]) -> Tip:
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    found = re.match(_TAGS, lines[first].rstrip("\r\n")) if lines else None
    if not found:
        return Tip(title, (), "".join(lines).strip())
    tags = tuple(filter(None, (tag.strip() for tag in found[1].split(","))))
    return Tip(title, tags, "".join(lines[first + 1 :]).strip())
