"""Packs as sections of blocks: what is read where, how much each part matters, and what covers what."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from modicum.packs.fetch import without_fetch_lines
from modicum.packs.model import Journey, KnownError, Pack, Sample, Text
from modicum.page import Block, Detail, Section, View, fit
from modicum.prose import plain
from modicum.text import Passage, Remark, snippet, split_outline

STARTS = {"core": Detail.SUMMARY, "detail": Detail.STANDARD, "extended": Detail.FULL}
FORMATS: Mapping[str, Callable[[str], str]] = {"markdown": str, "plain-prose": plain}
LONGEST_NOTE = 500

HEADER = "# Context\n\nCurated knowledge, kept up to date by modicum. Edit the packs, not this text."
NEWS, NOTES, CONSTRAINTS = "## What's New", "## Current Context", "## Constraints"
PATTERNS, JOURNEYS, ERRORS = "## Canonical Patterns", "## Recommended Learning", "## Known Errors"

# What comes first among the parts of one pack; packs themselves stand by weight.
PARTS = ("constraints", "context", "samples", "learning", "errors")
_GLOBS = re.compile(r"<!--\s*globs:\s*(.*?)\s*-->[ \t]*\n*")
_NOT_A_NAME = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class News:
    """A changelog entry that a tool has not been given yet."""

    pack: str
    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What a page tells beside its packs."""

    profile: str = ""
    news: tuple[News, ...] = ()
    notes: tuple[str, ...] = ()
    runtime: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A section of the page. One that applies only to some files has their globs, and a name for a file of its own."""

    section: Section
    name: str = ""
    globs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Composition:
    """All parts in reading order, and what was odd about the texts (file and remark)."""

    parts: tuple[Part, ...]
    remarks: tuple[tuple[str, Remark], ...] = ()

    def whole(self) -> tuple[Section, ...]:
        """Everything on one page, for a tool that knows no conditional rules."""
        return tuple(_labelled(part) for part in self.parts)

    def unconditional(self) -> tuple[Section, ...]:
        """What applies to every file."""
        return tuple(part.section for part in self.parts if not part.globs)

    def conditional(self) -> dict[tuple[str, tuple[str, ...]], tuple[Section, ...]]:
        """What applies to some files, by name and globs."""
        found: dict[tuple[str, tuple[str, ...]], tuple[Section, ...]] = {}
        for part in self.parts:
            if part.globs:
                name = (part.name, part.globs)
                found[name] = (*found.get(name, ()), part.section)
        return found


def compose(packs: Sequence[Pack], format: str) -> Composition:  # noqa: A002
    """What the packs say, before it is fitted. They come in reading order, with the weights that are in force."""
    composer = _Composer(packs, FORMATS[format], tables=format == "markdown")
    parts = (*composer.preambles(), *composer.knowledge())
    return Composition(_with_overlaps(parts, packs, composer.owners), tuple(composer.remarks))


def compose_whole(packs: Sequence[Pack], format: str, detail: Detail) -> Composition:  # noqa: A002
    """One block per pack, for the classic rule: whole packs in the order of their weight."""
    composer = _Composer(packs, FORMATS[format], tables=format == "markdown")
    parts = [*composer.preambles()]
    for pack in packs:
        alone = _Composer([pack], FORMATS[format], tables=format == "markdown")
        text = fit([part.section for part in alone.knowledge()], View(detail)).text
        names = frozenset(f"pack:{name}" for name in _subsumers(pack, packs))
        rank = composer.rank(pack, "context")
        block = Block(f"pack:{pack.id}", {Detail.SUMMARY: text}, rank, covered_by=names)
        parts.append(Part(Section((block,))))
        composer.remarks += alone.remarks
    return Composition(tuple(parts), tuple(composer.remarks))


def boilerplate(packs: Sequence[Pack], facts: Facts, format: str) -> tuple[Section, ...]:  # noqa: A002
    """What stands above the packs: notes matter most of all, the rest least."""
    composer = _Composer(packs, FORMATS[format], tables=format == "markdown")
    return tuple(part.section for part in composer.boilerplate(facts))


class _Composer:
    """Knows how parts are worded, ranked and named."""

    def __init__(self, packs: Sequence[Pack], say: Callable[[str], str], *, tables: bool) -> None:
        self.packs, self.say, self.tables = packs, say, tables
        by_weight = sorted(packs, key=lambda pack: (-pack.weight, pack.id))
        self.standing = {pack.id: number for number, pack in enumerate(by_weight, start=1)}
        self.remarks: list[tuple[str, Remark]] = []
        self.owners: dict[str, str] = {}

    def boilerplate(self, facts: Facts) -> Iterator[Part]:
        last = (len(self.packs) + 1) * len(PARTS)
        yield from self._plain("header", HEADER, last)
        profile = facts.profile and f"**Developer Profile:** {facts.profile}"
        yield from self._plain("profile", profile, last + 1)
        news = [self._bullet(f"news:{entry.pack}", entry.text, last + 2) for entry in facts.news]
        yield from self._part(news, NEWS)
        yield from self._part([self._bullet("note", note, 0) for note in facts.notes], NOTES)
        yield from self._plain("runtime", "\n".join(facts.runtime), last + 3)

    def preambles(self) -> Iterator[Part]:
        for pack in (pack for pack in self.packs if pack.base):
            for text in pack.preamble:
                yield from self._plain(f"pack:{pack.id}/preamble", text.text, 0, pinned=True)

    def knowledge(self) -> Iterator[Part]:
        for pack in self.packs:
            yield from self._texts(pack, pack.constraints, "constraints", (CONSTRAINTS,))
        for pack in self.packs:
            yield from self._texts(pack, pack.context, "context", ())
        yield from self._table(
            "samples", _sample_rows, (PATTERNS, "Pattern", "Description", "URL"), Detail.STANDARD
        )
        yield from self._table(
            "learning", _journey_rows, (JOURNEYS, "Title", "Level", "Duration"), Detail.FULL
        )
        yield from self._table("errors", _error_rows, (ERRORS, "Error", "Cause", "Fix"), Detail.FULL)

    def rank(self, pack: Pack, part: str) -> int:
        return self.standing[pack.id] * len(PARTS) + PARTS.index(part)

    def _key(self, wanted: str, owner: str = "") -> str:
        key, number = wanted, 1
        while key in self.owners:
            number += 1
            key = f"{wanted}.{number}"
        self.owners[key] = owner
        return key

    def _plain(self, key: str, text: str, rank: int, *, pinned: bool = False) -> Iterator[Part]:
        if text.strip():
            block = Block(self._key(key), {Detail.SUMMARY: self.say(text.strip())}, rank, pinned=pinned)
            yield Part(Section((block,)))

    def _bullet(self, key: str, text: str, rank: int) -> Block:
        folded = " ".join(text.split())
        short, whole = (f"- {self.say(wording)}" for wording in (snippet(folded, LONGEST_NOTE), folded))
        return Block(self._key(key), {Detail.SUMMARY: short, Detail.FULL: whole}, rank)

    def _part(
        self, blocks: Iterable[Block], lead: str, name: str = "", globs: tuple[str, ...] = ()
    ) -> Iterator[Part]:
        if found := tuple(blocks):
            yield Part(Section(found, (self.say(lead),), "\n"), name, globs)

    def _texts(self, pack: Pack, texts: Iterable[Text], part: str, above: tuple[str, ...]) -> Iterator[Part]:
        for text in texts:
            outline = split_outline(without_fetch_lines(text.text))
            self.remarks += [(text.file, remark) for remark in outline.remarks]
            for passage in outline.passages:
                yield self._passage(pack, passage, part, above)

    def _passage(self, pack: Pack, passage: Passage, part: str, above: tuple[str, ...]) -> Part:
        named = _GLOBS.match(passage.text)
        text = passage.text[named.end() :] if named else passage.text
        title = (_name(passage.leads[-1]) if passage.leads and part == "context" else "") or part
        key = self._key(f"pack:{pack.id}/{title}", pack.id)
        block = Block(key, {STARTS[passage.tier]: self.say(text)}, self.rank(pack, part))
        leads = tuple(map(self.say, (*above, *passage.leads)))
        globs = tuple(glob.strip() for glob in named[1].split(",")) if named else pack.globs
        return Part(Section((block,), leads), f"{pack.id}-{title}" if named else pack.id, globs)

    def _table(self, part: str, rows: "_Rows", head: tuple[str, ...], at: Detail) -> Iterator[Part]:
        """One table for all packs that apply everywhere, and one for each that does not."""
        title, *columns = head
        lead = f"{title}\n\n{_table_line(columns)}\n{'|---' * len(columns)}|" if self.tables else title

        def blocks(pack: Pack) -> Iterator[Block]:
            for row in rows(pack):
                key = self._key(row.key, pack.id)
                yield Block(key, {at: self._row(row, columns)}, self.rank(pack, part))

        yield from self._part(
            (block for pack in self.packs if not pack.globs for block in blocks(pack)), lead
        )
        for pack in (pack for pack in self.packs if pack.globs):
            yield from self._part(blocks(pack), lead, pack.id, pack.globs)

    def _row(self, row: "_Row", columns: Sequence[str]) -> str:
        if self.tables:
            return _table_line(row.cells)
        first, *rest = (self.say(cell) for cell in row.cells)
        told = (f"{column}: {cell}" for column, cell in zip(columns[1:], rest, strict=True) if cell)
        return "- " + "; ".join((first, *told))


@dataclass(frozen=True, slots=True)
class _Row:
    key: str
    cells: tuple[str, ...]


_Rows = Callable[[Pack], Iterator[_Row]]


def _sample_rows(pack: Pack) -> Iterator[_Row]:
    def row(sample: Sample) -> _Row:
        return _Row(f"sample:{sample.id}", (sample.label, sample.description, sample.url))

    return (row(sample) for sample in pack.samples if sample.inject)


def _journey_rows(pack: Pack) -> Iterator[_Row]:
    def row(journey: Journey) -> _Row:
        title = journey.title or journey.slug
        linked = f"[{title}]({journey.url})" if journey.url else title
        return _Row(f"learning:{pack.id}/{journey.slug}", (linked, journey.level, journey.duration))

    return (row(journey) for journey in pack.learning if journey.featured)


def _error_rows(pack: Pack) -> Iterator[_Row]:
    def row(error: KnownError) -> _Row:
        return _Row(f"error:{error.id}", (error.pattern, error.cause, error.fix))

    return (row(error) for error in pack.known_errors)


def _table_line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def _name(heading: str) -> str:
    return _NOT_A_NAME.sub("-", heading.lower()).strip("-")


def _labelled(part: Part) -> Section:
    if not part.globs:
        return part.section
    label = f"(Applies to {', '.join(part.globs)}.)"
    *outer, last = part.section.leads or ("",)
    return replace(part.section, leads=(*outer, f"{last}\n\n{label}".strip()))


def _subsumers(pack: Pack, packs: Sequence[Pack]) -> set[str]:
    """The packs that may stand for this one: those it overlaps, and on in turn. An empty one stands for nothing."""
    overlaps = {other.id: other.overlaps for other in packs if other.context or other.constraints}
    found: set[str] = set()
    open_ends = list(pack.overlaps)
    while open_ends:
        name = open_ends.pop()
        if name not in found and name != pack.id and name in overlaps:
            found.add(name)
            open_ends += overlaps[name]
    return found


def _with_overlaps(
    parts: Sequence[Part], packs: Sequence[Pack], owners: Mapping[str, str]
) -> tuple[Part, ...]:
    """A block of a pack is covered by blocks of the same tier in the packs that subsume it."""
    subsumers = {pack.id: found for pack in packs if (found := _subsumers(pack, packs))}
    tiers: dict[tuple[str, Detail], set[str]] = {}
    for block in (block for part in parts for block in part.section.blocks):
        tiers.setdefault((owners[block.key], min(block.forms)), set()).add(block.key)

    def cover(block: Block) -> Block:
        names = subsumers.get(owners[block.key], ())
        keys = (key for name in names for key in tiers.get((name, min(block.forms)), ()))
        return replace(block, covered_by=frozenset(keys)) if names else block

    def cover_all(section: Section) -> Section:
        return replace(section, blocks=tuple(map(cover, section.blocks)))

    return (
        tuple(replace(part, section=cover_all(part.section)) for part in parts) if subsumers else tuple(parts)
    )
