"""Takes instruction files apart into blocks, chooses the tier of each, and finds what is said twice. Pure."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from modicum.app.adopt.repeated_units import find_twins, without_repeats
from modicum.app.adopt.sources import AdoptSource, FoundFiles, LeftFile, imported_paths, is_utf8
from modicum.app.adopt.unit import KEEP, PACK, SAME, AdoptUnit
from modicum.base.value import Value, replace
from modicum.targets.loaders.files import ProjectFiles, folder_of, joined
from modicum.targets.loaders.front_matter import front_matter_end
from modicum.targets.loaders.imports import imports_in
from modicum.text.markdown import TIERS, Passage, split_outline
from modicum.text.paragraphs import (
    HEADING,
    PROSE,
    RULE,
    Paragraph,
    split_paragraphs,
)
from modicum.text.prose import markdown_parser
from modicum.text.tiers import TierChoice, choose_tiers

_NO_UTF8 = TierChoice(KEEP, "it is not UTF-8 text: save the file as UTF-8 to have it adopted")


class ChosenFate(NamedTuple):
    """A fate that a proposal has for a unit because somebody chose it, otherwise than the rules would, and why."""

    fate: str
    reason: str = "you chose it"


class AdoptBlock(NamedTuple):
    """A block of a proposal: units of an instruction file that follow each other under one heading with one fate."""

    key: str
    units: tuple[int, ...]


class Proposal(Value):
    """A proposal for an adoption: the units of all files in order, those of the present pack first, and files left alone.

    `hosts` are files that have a page in place of their text; their titles stay above it, unless all of them are to be equal.
    """

    sources: tuple[AdoptSource, ...]
    units: tuple[AdoptUnit, ...]
    left: tuple[LeftFile, ...] = ()
    pack: str = ""  # the present text of the pack, to which the rest is added
    twins: tuple[tuple[int, int, str], ...] = ()  # all pairs that say the same, and how alike they are
    hosts: frozenset[str] = frozenset()
    are_equal: bool = False

    def blocks(self) -> list[AdoptBlock]:
        """Returns what the proposal proposes, block by block; the key of a block is the same as long as its text and place are."""
        met: dict[str, int] = {}
        found = []
        numbered = [(at, unit) for at, unit in enumerate(self.units) if unit.path != PACK]
        for _, group in groupby(numbered, key=lambda pair: _group(*pair)):
            row = [*group]
            text = "\n".join((row[0][1].path, *(unit.text for _, unit in row)))
            code = hashlib.sha256(text.encode()).hexdigest()[:8]
            met[code] = met.get(code, 0) + 1
            key = code if met[code] == 1 else f"{code}.{met[code]}"
            found.append(AdoptBlock(key, tuple(at for at, _ in row)))
        return found


def _group(at: int, unit: AdoptUnit) -> tuple[object, ...]:
    apart = at if unit.fate == SAME else -1
    return unit.path, unit.leads, unit.fate, unit.reason, apart


def propose(
    found: FoundFiles, files: ProjectFiles, pack: str = "", chosen: Mapping[int, ChosenFate] | None = None
) -> Proposal:
    """Returns the proposal of an adoption for some instruction files and the present text of the pack.

    `chosen` are fates that the user wants, by the number of the unit.
    """
    chosen = chosen or {}
    before = propose(found, files, pack).units if chosen else ()
    there = [*_scoped(_units(AdoptSource(PACK, pack)))] if pack else []
    left = {*_left_whole(found.sources, chosen, len(there))}
    moved = {each.path for each in found.sources} - left
    taken = [unit for source in found.sources for unit in _with_imports(_units(source), source, moved, files)]
    units = [
        _forced(unit, chosen[at], before[at]) if at in chosen else unit
        for at, unit in enumerate((*there, *taken))
    ]
    kept = _kept_imports(units, found, files)
    units = [_imported_still(unit, kept[unit.path]) if unit.path in kept else unit for unit in units]
    twins = tuple(find_twins(units))
    return Proposal(found.sources, tuple(without_repeats(units, twins)), found.left, pack, twins)


def _left_whole(
    sources: Iterable[AdoptSource], chosen: Mapping[int, ChosenFate], first: int
) -> Iterator[str]:
    """The files of which every unit is to stay, so that a line that imports one stays, too; `first` is the first unit's number."""
    for source in sources:
        numbers = range(first, first + len(_units(source)))
        if numbers and all(at in chosen and chosen[at].fate == KEEP for at in numbers):
            yield source.path
        first = numbers.stop


def _forced(unit: AdoptUnit, choice: ChosenFate, before: AdoptUnit) -> AdoptUnit:
    is_apart = before.fate == SAME and choice.fate in TIERS
    return replace(unit, fate=choice.fate, reason=choice.reason, is_forced=True, is_apart=is_apart)


def _imported_still(unit: AdoptUnit, importer: str) -> AdoptUnit:
    return replace(unit, fate=KEEP, reason=f"a line that stays in {importer} imports it")


def _scoped(units: Iterable[AdoptUnit]) -> Iterator[AdoptUnit]:
    """The units of the present pack, with the globs of their sections."""
    leads: tuple[str, ...] = ()
    globs = ""
    for unit in units:
        if unit.text.startswith("<!-- globs:"):
            leads, globs = unit.leads, unit.text
        is_inside = bool(globs) and unit.leads[: len(leads)] == leads
        yield replace(unit, globs=(globs,)) if is_inside else unit


@lru_cache(maxsize=256)  # an adoption is tried several times
def _units(source: AdoptSource) -> tuple[AdoptUnit, ...]:
    end = front_matter_end(source.text)
    text = "\n" * source.text.count("\n", 0, end) + source.text[end:]
    made = [(passage.line, [*_of_passage(source, passage)]) for passage in split_outline(text).passages]
    for line, title in _headings_without_text(text):
        paragraph = Paragraph(PROSE, f"**{title}**", 0, blank=True)
        choice = TierChoice(TIERS[1], "a heading without text") if is_utf8(title) else _NO_UTF8
        made.append((line, [_unit(source, line, (), paragraph, choice)]))
    return tuple(unit for _, units in sorted(made, key=lambda pair: pair[0]) for unit in units)


def _of_passage(source: AdoptSource, passage: Passage) -> Iterator[AdoptUnit]:
    cut = [each for each in split_paragraphs(passage.text) if each.kind not in (RULE, HEADING)]
    for paragraph, choice in zip(cut, choose_tiers(cut, passage.leads), strict=True):
        marked = TierChoice(passage.tier, "it is marked so") if passage.tier != TIERS[0] else choice
        taken = marked if is_utf8("".join((*passage.leads, paragraph.text))) else _NO_UTF8
        yield _unit(source, passage.line + paragraph.line, passage.leads, paragraph, taken)


def _unit(
    source: AdoptSource, line: int, leads: tuple[str, ...], paragraph: Paragraph, choice: TierChoice
) -> AdoptUnit:
    return AdoptUnit(
        source.path, line, leads, paragraph, choice.tier, choice.reason, source.globs, source.title
    )


def _headings_without_text(text: str) -> Iterator[tuple[int, str]]:
    """The headings that lead nothing, with their lines: they would be lost, because a heading is shown with its text."""
    tokens = markdown_parser().parse(text)
    headings = [
        (at, token) for at, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0
    ]
    for at, token in headings:
        following = tokens[at + 3] if at + 3 < len(tokens) else None
        deeper = following is not None and following.type == "heading_open" and following.tag > token.tag
        empty = following is None or (following.type == "heading_open" and not deeper)
        line = (token.map or [0])[0] + 1
        if empty:
            yield line, tokens[at + 1].content.replace("\n", " ")


def _with_imports(
    units: Iterable[AdoptUnit], source: AdoptSource, taken: Collection[str], files: ProjectFiles
) -> Iterator[AdoptUnit]:
    """The units without the mentions of files that are adopted too; one that imports another file stays."""
    wanted = {*imported_paths(source, files)}
    for unit in units:
        mentions = [m for m in imports_in(unit.text) if _target(unit.path, m.path, files) in wanted]
        outside = [m.path for m in mentions if _target(unit.path, m.path, files) not in taken]
        if outside:
            why = f"it imports {outside[0]}, which stays as it is"
            yield replace(unit, fate=KEEP, reason=why)
        elif mentions:
            yield _without_mentions(unit, [(m.start, m.end, m.path) for m in mentions])
        else:
            yield unit


def _target(path: str, mention: str, files: ProjectFiles) -> str:
    return files.real(joined(folder_of(path), mention))


def _without_mentions(unit: AdoptUnit, spans: Sequence[tuple[int, int, str]]) -> AdoptUnit:
    text, rest = unit.text, unit.text
    for start, end, path in reversed(spans):
        text = f"{text[:start]}`{path}`{text[end:]}"
        rest = f"{rest[:start]}{rest[end:]}"
    if not rest.strip(" \t\n-*+_[]()"):
        return replace(unit, fate=SAME, reason="what it imports is adopted, too")
    return replace(unit, paragraph=unit.paragraph._replace(text=text))


def _kept_imports(units: Sequence[AdoptUnit], found: FoundFiles, files: ProjectFiles) -> dict[str, str]:
    """The files that are imported by a unit which the user keeps, each with the file that has the line."""
    only_imported = {source.path: source for source in found.sources if source.importer}
    kept: dict[str, str] = {}
    for unit in (unit for unit in units if unit.is_forced and unit.fate == KEEP):
        source = next(each for each in found.sources if each.path == unit.path)
        lines = source.text.split("\n")[unit.line - 1 : unit.line + unit.text.count("\n")]
        paths = [_target(unit.path, mention.path, files) for mention in imports_in("\n".join(lines))]
        kept |= {path: unit.path for path in paths if path in only_imported}
    return kept
