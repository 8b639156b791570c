"""Finds one part of a pack, or a whole pack, by its key, such as `pack:git` or `pack:git/commits`."""

from modicum.app.answer.whole import WholeText
from modicum.base.errors import ModicumError, Remedy
from modicum.base.near_words import nearest
from modicum.engine.page import Block, Detail, Section, View, fit
from modicum.packs.model import Library
from modicum.packs.sections import compose

_OF_A_PACK = ("pack", "sample", "learning", "error")


def whole_part(library: Library, key: str) -> WholeText:
    """Returns one part of a pack, or a pack, as a whole text for a door: the same that `modicum show` prints."""
    return WholeText(key, find_part(library, key), {"key": key})


def find_part(library: Library, key: str) -> str:
    """Returns the text of the one part that a key names: a pack, a heading in a pack, a row of a table."""
    sections = part_sections(library, key)
    if sections:
        return fit(sections, View(Detail.FULL)).text
    near = nearest(key if ":" in key else f"pack:{key}", sorted(part_keys(library)))
    remedy = f'did you mean "{near}"?' if near else Remedy("pack.list")
    raise ModicumError(f'there is nothing behind "{key}"', remedy=remedy)


def part_sections(library: Library, key: str) -> tuple[Section, ...]:
    """Returns one part of a pack, or a whole pack, as sections; none if the key is unknown."""
    sections = compose(library.every, "markdown").whole()
    wanted = (
        tuple(f"{kind}:{key.removeprefix('pack:')}/" for kind in _OF_A_PACK)
        if "/" not in key
        else (f"{key}.",)
    )
    chosen = (_only(section, key, wanted) for section in sections)
    return tuple(section for section in chosen if section.blocks)


def part_keys(library: Library) -> set[str]:
    """Returns every key by which one part of a pack, or a pack, can be found."""
    sections = compose(library.every, "markdown").whole()
    blocks = {block.key for section in sections for block in section.blocks}
    return blocks | {f"pack:{pack.id}" for pack in library.every}


def _only(section: Section, key: str, prefixes: tuple[str, ...]) -> Section:
    def is_meant(block: Block) -> bool:
        return block.key == key or block.key.startswith(prefixes)

    return Section(tuple(filter(is_meant, section.blocks)), section.leads, section.gap)
