"""The library of packs for the doors: weigh, check and show packs and their parts, and start a new pack."""

import re
from collections.abc import Iterator
from pathlib import Path

from modicum.app.inject.load import Knowledge
from modicum.base.errors import ModicumError, Remedy
from modicum.base.near_words import nearest
from modicum.base.value import Value
from modicum.engine.page import Block, Detail, Section, View, fit
from modicum.engine.tokens import count
from modicum.packs.load import Layer, load_layers
from modicum.packs.model import Library, Pack
from modicum.packs.sections import STARTS, compose
from modicum.targets.disk import write_own
from modicum.text.markdown import split_tiers
from modicum.text.secrets import findings

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_OF_A_PACK = ("pack", "sample", "learning", "error")


class Weight(Value):
    """The number of bytes that a pack of the library has in each tier of context and constraints."""

    pack: Pack
    tiers: dict[str, int]


def token_count(pack: Pack) -> int:
    """Returns how many tokens a pack of the library takes on a page that has room for all of it."""
    return count(fit(compose([pack], "markdown").whole(), View(Detail.FULL)).text)


def weigh(pack: Pack) -> Weight:
    """Returns the weight of a pack in the library: the bytes of each tier."""
    tiers = dict.fromkeys(STARTS, 0)
    for text in (*pack.context, *pack.constraints):
        for run in split_tiers(text.text).runs:
            tiers[run.tier] += count(run.text, "bytes")
    return Weight(pack, tiers)


def find_part(knowledge: Knowledge, key: str) -> str:
    """Returns the whole text of a key in the library: a pack, a heading in a pack, a row of a table."""
    sections = part_sections(knowledge, key)
    if sections:
        return fit(sections, View(Detail.FULL)).text
    near = nearest(key if ":" in key else f"pack:{key}", sorted(part_keys(knowledge)))
    remedy = f'did you mean "{near}"?' if near else Remedy("pack.list")
    raise ModicumError(f'there is nothing behind "{key}"', remedy=remedy)


def part_sections(knowledge: Knowledge, key: str) -> tuple[Section, ...]:
    """Returns the sections of a pack in the library, or of one part; none if the key is unknown."""
    sections = compose(knowledge.library.every, "markdown").whole()
    wanted = (
        tuple(f"{kind}:{key.removeprefix('pack:')}/" for kind in _OF_A_PACK)
        if "/" not in key
        else (f"{key}.",)
    )
    chosen = (_only(section, key, wanted) for section in sections)
    return tuple(section for section in chosen if section.blocks)


def part_keys(knowledge: Knowledge) -> set[str]:
    """Returns the keys of all packs in the library and of their parts."""
    sections = compose(knowledge.library.every, "markdown").whole()
    blocks = {block.key for section in sections for block in section.blocks}
    return blocks | {f"pack:{pack.id}" for pack in knowledge.library.every}


def _only(section: Section, key: str, prefixes: tuple[str, ...]) -> Section:
    def is_meant(block: Block) -> bool:
        return block.key == key or block.key.startswith(prefixes)

    return Section(tuple(filter(is_meant, section.blocks)), section.leads, section.gap)


def complaints(library: Library) -> Iterator[tuple[str, bool]]:
    """Yields a sentence for each fault or oddity in a library of packs, and whether it is a fault."""
    yield from ((str(problem), True) for problem in library.problems)
    for file, remark in compose(library.packs, "markdown").remarks:
        yield f"{file}:{remark.line}: {remark.message}", False
    for pack in library.packs:
        for text in (*pack.preamble, *pack.constraints, *pack.context):
            yield from (
                (f"{text.file}:{remark.line}: {remark.message}", True) for remark in findings(text.text)
            )
        yield from _nothing_shown(pack)
        yield from _wrong_overlaps(pack, library)


def _nothing_shown(pack: Pack) -> Iterator[tuple[str, bool]]:
    tables = (pack.samples, pack.learning, pack.known_errors)
    if pack.preamble and not pack.base:
        yield f'{pack.id}: has a preamble.md, which is shown only with "base: true" in pack.yaml', False
    elif not (pack.preamble or pack.context or pack.constraints or any(tables)):
        yield f"{pack.id}: has neither context.md nor constraints.md, so it shows nothing", False


def _wrong_overlaps(pack: Pack, library: Library) -> Iterator[tuple[str, bool]]:
    importance = {other.id: other.importance for other in library.packs}
    for name in pack.overlaps:
        if name in importance and importance[name] >= pack.importance:
            yield f"{pack.id}: overlaps {name}, which matters no more, so it never makes way for it", False


def validate(folder: Path) -> Library:
    """Returns the library of packs in a folder (a layer or a single pack), with its problems, to validate."""
    if not folder.is_dir():
        raise ModicumError(f"{folder} is no folder", remedy="name a pack, or a folder that has packs/")
    root = (
        folder.parent.parent if (folder / "pack.yaml").exists() and folder.parent.name == "packs" else folder
    )
    library = load_layers([Layer(folder.name, root)])
    if root == folder and not (folder / "packs").is_dir():
        raise ModicumError(f"{folder} has no packs", remedy="packs live in a folder named packs")
    return library


CONTEXT = """\
## {name}

### Overview

{name} in one paragraph: what it is, and what an agent gets wrong without this page.

<!-- verbosity:detail -->
### How we work

- Start every commit with an imperative verb.

<!-- verbosity:extended -->
### Background

Why it is so. Shown to tools that have room for it.
"""

PACK = """\
id: {id}
name: {name}
description: {name}, as this team uses it
tags: [{id}]
weight: 50
"""

CONSTRAINTS = "1. Never commit a secret.\n"


def start_pack(layer: Path, name: str) -> Path:
    """Creates the folder of a new pack with an example text in each tier; returns its path."""
    if not _ID.fullmatch(name):
        raise ModicumError(
            f'"{name}" is no name for a pack', remedy="use at most 64 small letters, digits and hyphens"
        )
    folder = layer / "packs" / name
    if folder.exists():
        raise ModicumError(f"{folder} is there already", remedy="edit it, or choose another name")
    title = name.replace("-", " ").title()
    for file, text in (("pack.yaml", PACK), ("context.md", CONTEXT), ("constraints.md", CONSTRAINTS)):
        write_own(folder / file, text.format(id=name, name=title).encode(), private=False)
    return folder
