"""Gathers the texts with rules that AI tools read here, for lint: instruction files, packs, notices, pinned notes, decisions."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from modicum.app.inject.load import BUILT_IN_LAYER, Knowledge, choose_packs, choose_profile
from modicum.app.packs.notices import read_notices
from modicum.app.reading.tool_reading import our_spans
from modicum.app.specs.open_specs import open_specs
from modicum.app.whose import project_of
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import Value
from modicum.memory.model import Query
from modicum.memory.store import Store
from modicum.packs.model import Pack, PackText
from modicum.specs.files import read_decisions
from modicum.targets.loaders.collect import collect, folders_with_instructions
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.loaders.front_matter import globs_in
from modicum.targets.loaders.reading import Reading, reading
from modicum.targets.model import Adapter
from modicum.text.directives import directives
from modicum.text.rules.rules import RulePlace, RuleSource

MANUAL = "modicum"  # our pack about this program, which rules nothing
MOST_NOTES = 200
BUILT_IN = "pack:"  # how the names of packs begin that are not files of this project
_IN_FORCE = ("accepted",)

Lines = tuple[int, int]  # the first and the last


class ToolLines(Value):
    """The lines among the sources of lint that one AI tool reads, and how many instructions arrive at its start."""

    tool: str
    lines: Mapping[str, tuple[Lines, ...]]
    directives: int

    def reads(self, place: RulePlace) -> bool:
        """Returns True if the tool reads this place of a source of lint, an instruction file."""
        return any(first <= place.line <= last for first, last in self.lines.get(place.source, ()))


class GatheredSources(Value):
    """All sources of a lint, the texts with rules, and what each AI tool reads of the instruction files."""

    files: tuple[RuleSource, ...]
    shared: tuple[RuleSource, ...]  # packs, notices, notes and decisions, which every tool is told
    tools: tuple[ToolLines, ...]


def gather_sources(
    config: Config, knowledge: Knowledge, adapters: Sequence[Adapter], store: Store | None
) -> GatheredSources:
    """Gathers the sources of a lint: the texts with rules that these AI tools read in the project."""
    known = [adapter for adapter in adapters if adapter.reads]
    loaders = [adapter.reads for adapter in known if adapter.reads]
    folders = ["", *folders_with_instructions(config.root, loaders)]
    files = collect(config.root, config.home, loaders, folders)
    found = [_ToolFiles(adapter, files, folders) for adapter in known]
    bounds: dict[str, frozenset[str]] = {}
    ends: dict[str, int] = {}
    for each in found:
        for path, bound in each.bounds.items():
            bounds[path] = bounds[path] & bound if path in bounds else bound
            ends[path] = max(ends.get(path, 0), *(end for _, end in each.spans[path]))
    sources = tuple(
        RuleSource(path, _without_ours(files.text(path) or "")[: ends[path]], bound)
        for path, bound in bounds.items()
    )
    shared = (*_packs(config, knowledge), *_notices(config), *_notes(config, store), *_decisions(config))
    return GatheredSources(sources, shared, tuple(each.lines() for each in found))


class _ToolFiles:
    """What one AI tool reads when it is started in any folder that has instruction files."""

    def __init__(self, adapter: Adapter, files: ProjectFiles, folders: Iterable[str]) -> None:
        self.adapter, self.files = adapter, files
        self.bounds: dict[str, frozenset[str]] = {}
        self.spans: dict[str, list[tuple[int, int]]] = {}
        self.first: Reading | None = None
        for folder in folders:
            self._start_in(folder)

    def _start_in(self, folder: str) -> None:
        loader = self.adapter.reads
        if loader is None:
            return
        found = reading(loader, self.files, folder, loader.versions[-1])
        self.first = self.first or found
        bound = frozenset({f"folder:{folder}"} if folder else ())
        for passage in found.passages:
            self._take(passage.path, passage.start, passage.end, bound)
        for each in found.unread:
            if each.kind == "later":
                globs = globs_in(self.files.text(each.path) or "")
                self._take(each.path, each.start, each.end, bound | {f"glob:{glob}" for glob in globs})

    def _take(self, path: str, start: int, end: int, bound: frozenset[str]) -> None:
        self.bounds.setdefault(path, bound)
        spans = self.spans.setdefault(path, [])
        if (start, end) not in spans:
            spans.append((start, end))

    def lines(self) -> ToolLines:
        """Returns the lines of a lint's sources that the tool reads, and how many instructions they hold."""
        rows = {path: tuple(self._lines(path, spans)) for path, spans in self.spans.items()}
        count = len(directives(self.first.text(self.files))) if self.first else 0
        return ToolLines(self.adapter.id, rows, count)

    def _lines(self, path: str, spans: Iterable[tuple[int, int]]) -> Iterator[Lines]:
        text = self.files.text(path) or ""
        for start, end in spans:
            yield text.count("\n", 0, start) + 1, text.count("\n", 0, max(start, end - 1)) + 1


def _without_ours(text: str) -> str:
    """A file with blanks for what inject wrote into it, which comes from packs; all places stay the same."""
    for start, end in our_spans(text):
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


def _packs(config: Config, knowledge: Knowledge) -> Iterator[RuleSource]:
    library = knowledge.library
    try:
        packs, _ = choose_packs(library, choose_profile(library, config.profile), (), ())
    except ModicumError:  # a profile that is gone is told by the commands that are about packs
        return
    for pack in packs:
        if not (pack.layer == BUILT_IN_LAYER and pack.id == MANUAL):
            yield from (_pack_source(config, pack, text) for text in (*pack.constraints, *pack.context))


def _pack_source(config: Config, pack: Pack, text: PackText) -> RuleSource:
    file = text.file.replace("\\", "/")
    root = config.root.as_posix()
    own = file.removeprefix(f"{root}/") if file.startswith(f"{root}/") else ""
    bound = frozenset(f"glob:{glob}" for glob in pack.globs)
    return RuleSource(
        own or f"{BUILT_IN}{pack.id}/{file.rpartition('/')[2]}", text.text, bound, local=bool(own)
    )


def _notices(config: Config) -> Iterator[RuleSource]:
    return (RuleSource(f"notice:{each.id}", each.text) for each in read_notices(config))


def _notes(config: Config, store: Store | None) -> Iterator[RuleSource]:
    if store:
        query = Query(project=project_of(store, config), limit=MOST_NOTES)
        yield from (RuleSource(f"note:{each.public_id}", each.content) for each in store.pinned(query).items)


def _decisions(config: Config) -> Iterator[RuleSource]:
    for decision in read_decisions(open_specs(config).workspace):
        if decision.status in _IN_FORCE and not decision.superseded_by:
            yield from _decided(decision.file, decision.text)


def _decided(file: str, text: str) -> Iterator[RuleSource]:
    """The part of a decision that says what was decided: what was weighed against it is no rule."""
    lines = text.splitlines(keepends=True)
    heads = [at for at, line in enumerate(lines) if line.startswith("#")]
    for at in heads:
        if lines[at].strip("# \t\r\n").lower().startswith(("decision", "we decided", "consequences for")):
            end = next((each for each in heads if each > at), len(lines))
            yield RuleSource(file, "".join(lines[at:end]), first_line=at + 1)
