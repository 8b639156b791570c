"""Tries an adoption on a copy of the project: which files change, and what each AI tool reads before and after."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import NamedTuple

from modicum.app.adopt.comparison import (
    ToolTexts,
    doubled_lines,
    lost_lines,
    missing_in,
    plain_lines,
    widened_files,
)
from modicum.app.adopt.here import Surveyed, links_to
from modicum.app.adopt.pack_text import context_of, pack_yaml, rest_of
from modicum.app.adopt.project_copy import ProjectCopy
from modicum.app.adopt.propose import ChosenFate, Proposal
from modicum.app.adopt.unit import DROP, KEEP, PACK
from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.plan import Injection
from modicum.app.inject.run import prepare, survey
from modicum.app.reading.tool_reading import ToolReading, our_spans, see_tools
from modicum.base.config import Config
from modicum.base.value import Value, replace
from modicum.engine.tokens import count
from modicum.targets.model import Adapter
from modicum.text.directives import directives
from modicum.text.markdown import TIERS
from modicum.text.regions import put_region

Propose = Callable[[Mapping[int, ChosenFate]], Proposal]
NO_CHOICES: Mapping[int, ChosenFate] = MappingProxyType({})
_MARKS = re.compile(r"[\W_]+")
_MOST_FOLDERS = 30  # sub folders in which a tool is started, to see what it loses there


class ToolChange(Value):
    """What the preview of an adoption shows for one AI tool: tokens and instructions at its start, gains and losses."""

    adapter: Adapter
    tokens_before: int
    tokens_after: int
    directives_before: int
    directives_after: int
    gains: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    lost_in: tuple[str, ...] = ()  # the files in which these stand
    doubled: tuple[str, ...] = ()  # what is read more often than before


class Preview(Value):
    """The preview of an adoption: every file that changes with its new bytes, and what each AI tool reads then.

    `kept` are files that are read and stay as they are, each with the reason; `moved` are the pages that have the text of a
    file which would be deleted, or of one that a single tool reads and that would hold it no longer.
    """

    proposal: Proposal
    context: str
    changes: Mapping[str, bytes | None]
    tools: tuple[ToolChange, ...]
    request: InjectRequest
    warnings: tuple[str, ...]
    chosen: Mapping[int, ChosenFate]  # otherwise than the rules would
    kept: Mapping[str, str]
    moved: Mapping[str, tuple[str, ...]]
    reasons: Mapping[str, str]  # why further files have to stay, or else a law of the adoption is broken


class AdoptPlan(NamedTuple):
    """A plan for the preview of an adoption: the files that stay, each with the reason; those with a page in place of their text;
    and those that stay though their text is in the pack, too, because a page stands for the line that imports them.

    Files with pages `are_equal` if nothing but the page is in them: a tool that leaves out twins reads one of them, and
    another tool, that reads only one, finds it there.
    """

    kept: Mapping[str, str]
    hosts: Collection[str] = ()
    copied: Collection[str] = ()
    anchored: Collection[str] = ()  # those with pages that have no title, whose first paragraph stays
    are_equal: bool = False


def preview_of(
    config: Config,
    seen: Surveyed,
    propose: Propose,
    wanted: Mapping[int, ChosenFate],
    plan: AdoptPlan,
    *,
    may_delete: bool,
) -> Preview:
    """What an adoption would do, tried on a copy of the project's instruction files."""
    usual = _with_copies(propose(wanted), plan.copied)
    chosen = {**_anchors(usual, plan.anchored), **_staying(usual, plan.kept), **wanted}
    proposal = replace(
        _with_copies(propose(chosen), plan.copied), hosts=frozenset(plan.hosts), are_equal=plan.are_equal
    )
    request = InjectRequest(tools=tuple(adapter.id for adapter in seen.tools))
    context = context_of(proposal)
    with TemporaryDirectory(prefix="modicum-") as top:
        copy = ProjectCopy(Path(top).resolve(), config, seen.files)
        before = _texts(copy.config, seen)
        adopt_files(copy, seen, proposal)
        _write_pack(copy, proposal, context, config.name)
        injection = survey(prepare(copy.config, request))
        _write(copy, injection)
        after = _texts(copy.config, seen)
        tools = tuple(_changed(proposal, one, other) for one, other in zip(before, after, strict=True))
        warnings = tuple(text.replace(str(copy.root), str(config.root)) for text in injection.troubles)
        changes = copy.changes()
        laws = _Reasons(seen, proposal, changes, tools, plan.kept, may_delete=may_delete)
        reasons = laws.of(before, after)
        return Preview(
            proposal, context, changes, tools, request, warnings, chosen,
            _left_whole(proposal),
            dict.fromkeys(laws.moved(before), _pages_of(injection)),
            {path: why for path, why in reasons.items() if path not in plan.kept},
        )  # fmt: skip


def _with_copies(proposal: Proposal, copied: Collection[str]) -> Proposal:
    sources = (replace(s, importer=s.imported_by) if s.path in copied else s for s in proposal.sources)
    return replace(proposal, sources=tuple(sources))


def _anchors(proposal: Proposal, paths: Collection[str]) -> dict[int, ChosenFate]:
    """The choice to keep the first paragraph of some files, without which they would count as empty."""
    found: dict[str, int] = {}
    for at, unit in enumerate(proposal.units):
        if unit.path in paths and unit.fate in TIERS:
            found.setdefault(unit.path, at)
    return {at: ChosenFate(KEEP, "it stays above the page") for at in found.values()}


def _staying(proposal: Proposal, kept: Mapping[str, str]) -> dict[int, ChosenFate]:
    """The choice to keep all units of some files, and of what only these import."""
    importers = {source.path: source.importer for source in proposal.sources if source.importer}

    def why(path: str) -> str:
        while path not in kept and path in importers:
            path = importers[path]
        return kept.get(path, "")

    named = ((at, why(unit.path)) for at, unit in enumerate(proposal.units))
    return {at: ChosenFate(KEEP, reason) for at, reason in named if reason}


def is_whole(proposal: Proposal, path: str) -> bool:
    """Returns True if a preview leaves a file as it is, because all of its text stays there."""
    fates = {unit.fate for unit in proposal.units if unit.path == path}
    return fates <= {KEEP}


def _left_whole(proposal: Proposal) -> dict[str, str]:
    """The files that are left as they are, with the reason of their first unit."""
    reasons: dict[str, str] = {}
    for source in proposal.sources:
        if source.importer and not is_whole(proposal, source.path):
            reasons[source.path] = f"its text is in the pack, too, because {source.importer} imports it"
    for unit in proposal.units:
        if unit.path != PACK and is_whole(proposal, unit.path):
            reasons.setdefault(unit.path, unit.reason)
    return reasons


def _pages_of(injection: Injection) -> tuple[str, ...]:
    pages = (each for each in injection.outcomes if each.payload and not each.destination.is_import)
    return tuple(dict.fromkeys(each.destination.shown_path for each in pages))


class _Reasons:
    """Finds the files that have to stay as they are, because a law would be broken otherwise, and why."""

    def __init__(
        self,
        seen: Surveyed,
        proposal: Proposal,
        changes: Mapping[str, bytes | None],
        tools: tuple[ToolChange, ...],
        kept: Collection[str],
        *,
        may_delete: bool,
    ) -> None:
        self.seen, self.proposal, self.changes = seen, proposal, changes
        self.tools, self.kept, self.may_delete = tools, kept, may_delete

    def of(self, before: Sequence[ToolTexts], after: Sequence[ToolTexts]) -> dict[str, str]:
        found: dict[str, str] = {}
        asked = () if self.may_delete else self.moved(before)
        unasked = ((path, "its text would move elsewhere: --yes allows that") for path in asked)
        for path, why in (*self._lost(), *self._widened(before, after), *self._gone(), *unasked):
            for origin in self._origins(path):
                found.setdefault(origin, why)
        return found

    def _origins(self, path: str) -> Iterator[str]:
        """The file itself, with the line that imports it; if that has not been enough, the file with this line."""
        source = next((each for each in self.proposal.sources if each.path == path), None)
        while source is not None and source.importer and source.path in self.kept:
            source = next((each for each in self.proposal.sources if each.path == source.importer), None)
        if source is not None:
            yield source.path

    def _lost(self) -> Iterator[tuple[str, str]]:
        chosen = _dropped(self.proposal)
        for tool in self.tools:
            for path, line in zip(tool.lost_in, tool.losses, strict=True):
                if not plain_lines(line) <= chosen:
                    yield path, f"{tool.adapter.name} would no longer read: {line}"

    def _widened(self, before: Sequence[ToolTexts], after: Sequence[ToolTexts]) -> Iterator[tuple[str, str]]:
        globs = {source.path: source.globs for source in self.proposal.sources}
        for one, other in zip(before, after, strict=True):
            for path in widened_files(one, other, self.proposal.sources):
                where = ", ".join(globs[path])
                yield path, f"it holds for {where} only, and {one.adapter.name} would read it always"

    def _gone(self) -> Iterator[tuple[str, str]]:
        """What other tools read under a name stays there, links lead somewhere, and nobody's file goes unasked."""
        files = self.seen.files
        for source in self.proposal.sources:
            if source.path not in self.changes:
                continue
            data = self.changes[source.path]
            now = (data or b"").decode("utf-8", "surrogateescape")
            if data is None and source.path in files.links.values():
                yield source.path, "links lead to it"
            elif source.path in self.seen.elsewhere and (data is None or missing_in(source.text, now)):
                yield source.path, "tools that are not here read it, too, and its text would move elsewhere"

    def moved(self, before: Sequence[ToolTexts]) -> Iterator[str]:
        """The files that would be deleted, and those of a single tool that would no longer hold their text."""
        readers = Counter(path for one in before for path in {*one.own[""], *one.later})
        sources = {source.path: source for source in self.proposal.sources}
        dropped = _dropped(self.proposal)
        for path, data in self.changes.items():
            now = plain_lines((data or b"").decode("utf-8", "surrogateescape")) | dropped
            is_emptied = path in sources and not plain_lines(sources[path].text) <= now
            if data is None or (is_emptied and readers[path] == 1):
                yield path


def adopt_files(copy: ProjectCopy, seen: Surveyed, proposal: Proposal) -> None:
    """Adopts, for a preview, in the copy of a project: puts our region where the adopted text was, or takes the file out."""
    for source in proposal.sources:
        if not source.importer and not is_whole(proposal, source.path):
            text = seen.files.texts[source.path]
            rest = rest_of(proposal, source, text, our_spans(text))
            section = section_in(seen, source.path) if source.path in proposal.hosts else ""
            if section and not our_spans(rest):
                rest = put_region(rest, section, "modicum")
            data = rest.encode("utf-8", "surrogateescape") if rest.strip() else None
            copy.write(source.path, data)


def _write_pack(copy: ProjectCopy, proposal: Proposal, context: str, name: str) -> None:
    copy.write(f"{PACK}/context.md", context.encode())
    if not (copy.root / PACK / "pack.yaml").exists():
        copy.write(f"{PACK}/pack.yaml", pack_yaml(proposal, name).encode())


def section_in(seen: Surveyed, path: str) -> str:
    """The name of our region in a file, if tools have their page in a file of one of its names."""
    names = {path, *links_to(seen.files, path)}
    fitting = (
        target.section
        for adapter in seen.tools
        for target in adapter.targets
        if target.scope == "project" and target.mode == "replace-section" and target.path in names
    )
    return next(fitting, "")


def _write(copy: ProjectCopy, injection: Injection) -> None:
    wired = injection.settings.wired if injection.settings else ()
    pages = (outcome.change for outcome in injection.outcomes)
    for change in (*pages, *(each.change for each in wired)):
        if change and change.changed and Path(change.path).is_relative_to(copy.root):
            data = None if change.after is None else change.after.encode("utf-8", "surrogateescape")
            copy.write(Path(change.path).relative_to(copy.root).as_posix(), data)


def _texts(config: Config, seen: Surveyed) -> list[ToolTexts]:
    everywhere = {folder: see_tools(config, seen.tools, folder) for folder in seen.folders[:_MOST_FOLDERS]}
    found = []
    for at, adapter in enumerate(seen.tools):
        rows = {folder: _once(row[at]) for folder, row in everywhere.items()}
        own = {folder: row.by_file(ours=False) for folder, row in rows.items()}
        start = {folder: row.reading.text(row.files) for folder, row in rows.items()}
        later = {path: text for row in rows.values() for path, text in _later(row)}
        heard = everywhere[""][at].reading.text(everywhere[""][at].files)
        found.append(ToolTexts(adapter, start, own, later, heard))
    return found


def _once(tool: ToolReading) -> ToolReading:
    """The reading with each part of a file once, even if several files import it."""
    passages = dict.fromkeys(passage._replace(importer="") for passage in tool.reading.passages)
    return replace(tool, reading=replace(tool.reading, passages=tuple(passages)))


def _later(tool: ToolReading) -> Iterator[tuple[str, str]]:
    later = (each for each in tool.reading.unread if each.kind == "later")
    return ((each.path, (tool.files.text(each.path) or "")[each.start : each.end]) for each in later)


def _changed(proposal: Proposal, before: ToolTexts, after: ToolTexts) -> ToolChange:
    start, then = _counted(before.start[""]), _counted(after.start[""])
    lost = lost_lines(before, after)
    return ToolChange(
        adapter=before.adapter,
        tokens_before=start.tokens,
        tokens_after=then.tokens,
        directives_before=start.directives,
        directives_after=then.directives,
        gains=tuple(text for plain, text in then.instructions.items() if plain not in start.instructions),
        losses=tuple(each.line for each in lost),
        lost_in=tuple(each.path for each in lost),
        doubled=tuple(doubled_lines(before, after)),
    )


class _CountedText(NamedTuple):
    """The tokens and instructions of a text, and the instructions by their plain words."""

    tokens: int
    directives: int
    instructions: Mapping[str, str]


@lru_cache(maxsize=32)  # most tools read the same text
def _counted(text: str) -> _CountedText:
    found = directives(text)
    return _CountedText(count(text), len(found), {_plain(each.text): each.text for each in found})


def _plain(sentence: str) -> str:
    return _MARKS.sub(" ", sentence).strip().lower()


def unchosen_losses(found: Preview) -> Iterator[tuple[ToolChange, tuple[str, ...]]]:
    """Yields the tools that lose lines in a preview which the user has not chosen to drop, with these lines."""
    dropped = _dropped(found.proposal)
    for tool in found.tools:
        if lost := tuple(line for line in tool.losses if not plain_lines(line) <= dropped):
            yield tool, lost


def _dropped(proposal: Proposal) -> frozenset[str]:
    """The lines that the user has chosen to drop, with their headings."""
    units = [unit for unit in proposal.units if unit.fate == DROP]
    return frozenset().union(*(plain_lines("\n\n".join((*unit.leads, unit.text))) for unit in units))
