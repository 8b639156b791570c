"""Composes packs into sections of blocks for a page: their order, their rank, and which covers which."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from modicum.base.value import Value, replace
from modicum.engine.page import Block, Detail, Section, View, fit
from modicum.packs.model import Pack, PackText
from modicum.packs.tables import TABLES, Rows, TableRow, each_once, table_head, table_line
from modicum.packs.web.fetch_markers import without_fetch_lines
from modicum.text.markdown import Passage, Remark, Scanner, split_outline, split_tiers
from modicum.text.prose import plain

STARTS = {"core": Detail.SUMMARY, "detail": Detail.STANDARD, "extended": Detail.FULL}
FORMATS: Mapping[str, Callable[[str], str]] = {"markdown": str, "plain-prose": plain}

CONSTRAINTS = "## Constraints"

# What comes first among the parts of one pack; packs themselves stand by origin and weight.
PARTS = ("constraints", "context", "samples", "learning", "errors")
_GLOBS = re.compile(r"<!--\s*+globs:\s*+(.*?)(?:\n\s*+)?-->[ \t]*+\n*+")
_COMMA = r",(?![^{}]{0,200}\})"
_NOT_A_NAME = r"[\W_]+"
_MAY_STAY_OPEN = ("```", "~~~", "<!--")


class PagePart(Value):
    """A section composed from packs; for some files only, it has their globs and a name of its own."""

    section: Section
    name: str = ""
    globs: tuple[str, ...] = ()
    label: str = ""  # says to which files it applies, where everything is on one page
    label_at: int = 0  # how many leads stand above the label

    def labelled(self) -> Section:
        """Returns the section with a label of the files it applies to, for a page with all sections."""
        if not self.globs:
            return self.section
        leads, at = self.section.leads, self.label_at
        return replace(self.section, leads=(*leads[:at], self.label, *leads[at:]))


class Composition(Value):
    """The sections composed from packs, in reading order, and remarks about odd texts by file."""

    parts: tuple[PagePart, ...]
    remarks: tuple[tuple[str, Remark], ...] = ()

    def whole(self) -> tuple[Section, ...]:
        """Returns all composed sections of packs for one page, for a tool without conditional rules."""
        return tuple(part.labelled() for part in self.parts)

    def unconditional(self) -> tuple[Section, ...]:
        """Returns the composed sections of packs that apply to every file."""
        return tuple(part.section for part in self.parts if not part.globs)

    def conditional(self) -> dict[tuple[str, tuple[str, ...]], tuple[Section, ...]]:
        """Returns those sections of packs that apply to some files only, by name and globs."""
        found: dict[tuple[str, tuple[str, ...]], tuple[Section, ...]] = {}
        for part in self.parts:
            if part.globs:
                name = (part.name, part.globs)
                found[name] = (*found.get(name, ()), part.section)
        return found


def compose(packs: Sequence[Pack], format: str) -> Composition:
    """Composes packs, given in reading order with weights, into sections, before they are fitted."""
    composer = _Composer(packs, format)
    parts = (*composer.preambles(), *composer.knowledge())
    return Composition(_with_overlaps(parts, packs, composer.owners), tuple(composer.remarks))


def compose_whole(packs: Sequence[Pack], format: str, detail: Detail) -> Composition:
    """Composes each pack into one block of a section: whole packs, base packs first, then by weight."""
    composer, subsumers = _Composer(packs, format), _subsumers(packs)
    parts = [*composer.preambles()]
    for pack in packs:
        alone = _Composer([pack], format)
        text = fit([part.labelled() for part in alone.knowledge()], View(detail)).text
        names = frozenset(f"pack:{name}" for name in subsumers.get(pack.id, ()))
        rank = 0 if pack.base else composer.rank(pack, "context")
        block = Block(f"pack:{pack.id}", {Detail.SUMMARY: text}, rank, covered_by=names)
        parts.append(PagePart(Section((block,))))
        composer.remarks += alone.remarks
    return Composition(tuple(parts), tuple(composer.remarks))


def pack_of(key: str) -> str:
    """Returns the id of the pack that a block of a section is from; "" for boilerplate."""
    kind, _, rest = key.partition(":")
    return rest.split("/")[0] if kind in ("pack", "sample", "learning", "error") else ""


class _Composer:
    """Knows how parts are worded, ranked and named."""

    def __init__(self, packs: Sequence[Pack], format: str) -> None:
        self.packs, self.say, self.tables = packs, FORMATS[format], format == "markdown"
        best_first = sorted(packs, key=lambda pack: pack.importance)
        self.standing = {pack.id: number for number, pack in enumerate(best_first, start=1)}
        self.remarks: list[tuple[str, Remark]] = []
        self.owners: dict[str, str] = {}
        self.headed = False  # a heading stands above what comes next

    def preambles(self) -> Iterator[PagePart]:
        for pack in (pack for pack in self.packs if pack.base):
            for text in pack.preamble:
                tiers = split_tiers(text.text)
                self.remarks += [(text.file, remark) for remark in tiers.remarks]
                for run in (run for run in tiers.runs if run.text.strip()):
                    forms = {STARTS[run.tier]: self.say(closed(run.text.strip()))}
                    block = Block(self._key(f"pack:{pack.id}/preamble"), forms, pinned=True)
                    yield PagePart(Section((block,)))

    def knowledge(self) -> Iterator[PagePart]:
        constraints = [part for pack in self.packs for part in self._constraints(pack)]
        # A label would seem to be about all that follows under the one heading.
        yield from sorted(constraints, key=lambda part: bool(part.globs))
        self.headed |= bool(constraints)
        for pack in self.packs:
            parts = [*self._texts(pack, pack.context, "context", ())]
            self.headed |= any(part.section.leads for part in parts)
            yield from parts
        for part, rows, title, columns, start in TABLES:
            yield from self._table(part, rows, (title, columns), start)

    def rank(self, pack: Pack, part: str) -> int:
        return self.standing[pack.id] * len(PARTS) + PARTS.index(part)

    def _key(self, wanted: str, owner: str = "") -> str:
        key, number = wanted, 1
        while key in self.owners:
            number += 1
            key = f"{wanted}.{number}"
        self.owners[key] = owner
        return key

    def _constraints(self, pack: Pack) -> Iterator[PagePart]:
        return self._texts(pack, pack.constraints, "constraints", (CONSTRAINTS,))

    def _texts(
        self, pack: Pack, texts: Iterable[PackText], part: str, above: tuple[str, ...]
    ) -> Iterator[PagePart]:
        for text in texts:
            outline = split_outline(without_fetch_lines(text.text))
            self.remarks += [(text.file, remark) for remark in outline.remarks]
            scope = _Scope(pack.id, pack.globs)
            for passage in outline.passages:
                scope = scope.at(passage, pack)
                named = _GLOBS.match(passage.text)
                body = passage.text[named.end() :] if named else passage.text
                whole = closed(body)
                if whole != body:
                    self.remarks.append((text.file, Remark(passage.line, _UNCLOSED)))
                if whole.strip():
                    yield self._passage(pack, passage._replace(text=whole), scope, (part, above))

    def _passage(
        self, pack: Pack, passage: Passage, scope: "_Scope", where: tuple[str, tuple[str, ...]]
    ) -> PagePart:
        part, above = where
        title = (_name(passage.leads[-1]) if passage.leads and part == "context" else "") or part
        key = self._key(f"pack:{pack.id}/{title}", pack.id)
        block = Block(key, {STARTS[passage.tier]: self.say(passage.text)}, self.rank(pack, part))
        # Without a heading of its own, a text would seem to be about what the heading above it says.
        own = passage.leads or ((f"## {pack.name or pack.id}",) if part == "context" and self.headed else ())
        leads = tuple(map(self.say, (*above, *own)))
        # A whole pack's label stands below its first heading, whose end is the end of what it is about.
        depth = len(above) + len(scope.leads) if scope.leads else min(1, len(leads))
        return PagePart(Section((block,), leads), scope.name, scope.globs, self._label(scope.globs), depth)

    def _label(self, globs: Sequence[str]) -> str:
        sign = "`" if self.tables else ""
        return f"(Applies to {', '.join(f'{sign}{glob}{sign}' for glob in globs)}.)" if globs else ""

    def _table(
        self, part: str, rows: Rows, head: tuple[str, tuple[str, ...]], start: Detail
    ) -> Iterator[PagePart]:
        """One table for all packs that apply everywhere, and one for each that does not."""
        everywhere = [(pack, row) for pack in self.packs if not pack.globs for row in rows(pack)]
        if everywhere:
            yield PagePart(self._table_section(part, everywhere, head, start))
        for pack in (pack for pack in self.packs if pack.globs):
            if found := [(pack, row) for row in rows(pack)]:
                section, label = self._table_section(part, found, head, start), f"{self._label(pack.globs)}\n"
                yield PagePart(section, pack.id, pack.globs, label, 1)

    def _table_section(
        self,
        part: str,
        rows: "Sequence[tuple[Pack, TableRow]]",
        head: tuple[str, tuple[str, ...]],
        start: Detail,
    ) -> Section:
        """A table without the columns that no row fills."""
        title, names = head
        filled = [at for at in range(len(names)) if any(row.cells[at].strip() for _, row in rows)]
        columns = [names[at] for at in filled]
        # The rows of a table stand close together, so its headings bring their blank lines along.
        leads = (f"{self.say(title)}\n",) + ((table_head(columns),) if self.tables else ())
        texts = [self._row([row.cells[at] for at in filled], columns) for _, row in rows]
        blocks = [
            Block(self._key(row.key, pack.id), {start: text}, self.rank(pack, part))
            for (pack, row), text in zip(rows, texts, strict=True)
        ]
        return Section(each_once(blocks, texts), leads, "\n")

    def _row(self, cells: Sequence[str], columns: Sequence[str]) -> str:
        if self.tables:
            return table_line(cells)
        first, *rest = (self.say(" ".join(cell.split())) for cell in cells)
        more = (f"{column}: {cell}" for column, cell in zip(columns[1:], rest, strict=True) if cell)
        return "- " + "; ".join((first, *more))


class _Scope(Value):
    """The files that a passage is for. A section's own globs hold for all that is under its heading."""

    name: str
    globs: tuple[str, ...]
    leads: tuple[str, ...] = ()

    def at(self, passage: Passage, pack: Pack) -> "_Scope":
        if named := _GLOBS.match(passage.text):
            title = _name(passage.leads[-1]) if passage.leads else "context"
            globs = tuple(filter(None, (glob.strip() for glob in re.split(_COMMA, named[1]))))
            return _Scope(f"{pack.id}-{title}", globs or pack.globs, passage.leads)
        inside = passage.leads[: len(self.leads)] == self.leads
        return self if inside else _Scope(pack.id, pack.globs)


_UNCLOSED = "a code fence or a comment is not closed: it is closed for you at the end of this passage"


def closed(text: str) -> str:
    """Returns the text of a pack's passage with its last fence or comment closed, or else it would swallow what comes after it on a page."""
    if not any(sign in text for sign in _MAY_STAY_OPEN):
        return text
    scanner, at = Scanner(), 0
    while at < len(text):
        line = scanner.ahead(text, at, len(text))
        scanner.read(line)
        at += len(line)
    if not scanner.swallows:
        return text
    return f"{text}\n{scanner.fence if scanner.quotes('') else '-->'}"


def _name(heading: str) -> str:
    return re.sub(_NOT_A_NAME, "-", heading.lower()).strip("-")


def _subsumers(packs: Sequence[Pack]) -> dict[str, set[str]]:
    """The packs that may stand for each one: those it overlaps, and on in turn. An empty one stands for nothing."""
    overlaps = {pack.id: pack.overlaps for pack in packs if pack.context or pack.constraints}
    importance = {pack.id: pack.importance for pack in packs}

    def reached_from(pack: Pack) -> set[str]:
        found, open_ends = {pack.id}, list(pack.overlaps)
        while open_ends:
            name = open_ends.pop()
            if name not in found and name in overlaps:
                found.add(name)
                open_ends += overlaps[name]
        return {name for name in found if importance[name] < importance[pack.id]}

    return {pack.id: reached_from(pack) for pack in packs if pack.overlaps}


def _with_overlaps(
    parts: Sequence[PagePart], packs: Sequence[Pack], owners: Mapping[str, str]
) -> tuple[PagePart, ...]:
    """A block of a pack is covered by blocks of the same tier in the packs that subsume it."""
    subsumers = _subsumers(packs)
    if not subsumers:
        return tuple(parts)
    tiers: dict[tuple[str, Detail], list[str]] = {}
    for block in (block for part in parts for block in part.section.blocks):
        tiers.setdefault((owners[block.key], min(block.forms)), []).append(block.key)

    @cache
    def coverers(owner: str, tier: Detail) -> frozenset[str]:
        names = subsumers.get(owner, ())
        return frozenset(key for name in names for key in tiers.get((name, tier), ()))

    def cover(block: Block) -> Block:
        keys = coverers(owners[block.key], min(block.forms))
        return replace(block, covered_by=block.covered_by | keys) if keys else block

    def cover_all(section: Section) -> Section:
        return replace(section, blocks=tuple(map(cover, section.blocks)))

    return tuple(replace(part, section=cover_all(part.section)) for part in parts)
