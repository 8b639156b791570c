"""Tells which pack each line of our pages comes from, also in files that were written long ago."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from modicum.packs.model import Pack
from modicum.packs.sections import compose, pack_of

PackLines = Mapping[str, str]  # the pack of each line that packs have, without white space around it

FRAME = ""  # the source of lines of a page that no pack has: markers, its title, how to get more


def pack_lines(packs: Sequence[Pack], format: str) -> PackLines:
    """Returns the lines of packs in a format, each with its pack; of a line in several packs, the first one."""
    found: dict[str, str] = {}
    for section in compose(packs, format).whole():
        for block in section.blocks:
            for form in block.forms.values():
                for line in form.splitlines():
                    found.setdefault(line.strip(), pack_of(block.key))
    found.pop("", None)
    return found


def split_by_pack(text: str, lines: PackLines) -> Iterator[tuple[str, str]]:
    """Splits a page of ours by the packs that its lines are from: yields each passage with its pack's name, or none for the frame."""
    rows = text.splitlines(keepends=True)
    for pack, group in groupby(zip(_packs_of(rows, lines), rows, strict=True), key=lambda pair: pair[0]):
        yield "".join(row for _, row in group), pack


def _packs_of(rows: Sequence[str], lines: PackLines) -> list[str]:
    """The pack of each row: a heading goes with what is below it, an empty row with what is above it."""
    found: list[str] = []
    below = FRAME
    for row in reversed(rows):
        word = row.strip()
        if word and not _is_heading(word):
            below = lines.get(word, FRAME)
        found.append(lines.get(word, below) if word else "?")
    return [*_filled(reversed(found))]


def _is_heading(word: str) -> bool:
    return word.startswith("#")


def _filled(packs: Iterable[str]) -> Iterator[str]:
    above = FRAME
    for pack in packs:
        above = above if pack == "?" else pack
        yield above
