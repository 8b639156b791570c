"""Tries an adoption on a copy of the project: which files change, and what each AI tool reads before and after."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import NamedTuple

from modicum.app.adopt.pack_text import context_of, pack_yaml, rest_of
from modicum.app.adopt.project_copy import ProjectCopy
from modicum.app.adopt.propose import ChosenFate, Proposal
from modicum.app.adopt.unit import DROP, KEEP, PACK
from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.load import Knowledge, tools_of_project
from modicum.app.inject.plan import Injection
from modicum.app.inject.run import prepare, survey
from modicum.app.reading.tool_reading import ToolReading, our_spans, see_tools, tools_to_see
from modicum.base.config import Config
from modicum.base.value import Value
from modicum.engine.tokens import count
from modicum.targets.loaders.files import ProjectFiles
from modicum.targets.loaders.reading import Reading, reading
from modicum.targets.model import Adapter
from modicum.text.directives import Sentence, directives, sentences
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


class Preview(Value):
    """The preview of an adoption: every file that changes with its new bytes, and what each AI tool reads then."""

    proposal: Proposal
    context: str
    changes: Mapping[str, bytes | None]
    tools: tuple[ToolChange, ...]
    request: InjectRequest
    warnings: tuple[str, ...]
    served: "Served"
    chosen: Mapping[int, ChosenFate]  # otherwise than the rules would
    turned: Mapping[str, str]  # files for some files only that a tool would read always, by path the tool


class Served(Value):
    """The AI tools in the preview of an adoption: all that are compared, and those for which pages are made."""

    all: tuple[Adapter, ...]
    placed: tuple[Adapter, ...]


class Surveyed(Value):
    """What the preview of an adoption is made from: the files that tools read, and the folders that have instruction files."""

    files: ProjectFiles
    folders: tuple[str, ...]
    knowledge: Knowledge


class _ToolTexts(Value):
    """What a tool reads at its start in the root; all that it reads there, later and in sub folders; and the user's part."""

    adapter: Adapter
    start: str
    all: str
    own: str


def preview_best(
    config: Config, seen: Surveyed, propose: Propose, chosen: Mapping[int, ChosenFate] = NO_CHOICES
) -> Preview:
    """Returns the preview of a proposal in which nothing that holds for some files holds for all.

    Pages are made for all tools that read the adopted files. Where one of them would lose something because of another one,
    such as its limit, they are made for those only that are found here, and for one reader of each file.
    """
    many, few = _readers(config, seen, propose(chosen))
    first = _stable(config, seen, many, propose, chosen)
    if not any(unchosen_losses(first)):
        return first
    second = _stable(config, seen, few, propose, chosen)
    return second if len([*unchosen_losses(second)]) < len([*unchosen_losses(first)]) else first


def _stable(
    config: Config, seen: Surveyed, served: Served, propose: Propose, wanted: Mapping[int, ChosenFate]
) -> Preview:
    """The preview in which what a tool reads for some files only is kept where it is, if it would read it always."""
    first = _tried(config, seen, served, propose, wanted)
    chosen = {
        at: ChosenFate(
            KEEP,
            f"{first.turned[unit.path]} reads it for {', '.join(unit.globs)} only, and would read it always",
        )
        for at, unit in enumerate(first.proposal.units)
        if unit.path in first.turned and unit.fate in TIERS and at not in wanted
    }
    return _tried(config, seen, served, propose, {**wanted, **chosen}) if chosen else first


def _tried(
    config: Config, seen: Surveyed, served: Served, propose: Propose, chosen: Mapping[int, ChosenFate]
) -> Preview:
    """What an adoption would do, tried on a copy of the project's instruction files."""
    proposal = propose(chosen)
    adapters = served.all
    request = InjectRequest(tools=tuple(adapter.id for adapter in served.placed))
    context = context_of(proposal)
    with TemporaryDirectory(prefix="modicum-") as top:
        copy = ProjectCopy(Path(top).resolve(), config, seen.files)
        before = _texts(copy.config, adapters, seen.folders)
        adopt_files(copy, seen, proposal, context, config.name)
        injection = survey(prepare(copy.config, request))
        _write(copy, injection)
        after = _texts(copy.config, adapters, seen.folders)
        stands = _standing(proposal)
        tools = tuple(_changed(stands, one, other) for one, other in zip(before, after, strict=True))
        warnings = tuple(text.replace(str(copy.root), str(config.root)) for text in injection.troubles)
        turned = _turned(proposal, before, after, {adapter.id for adapter in served.placed})
        return Preview(proposal, context, copy.changes(), tools, request, warnings, served, chosen, turned)


def _turned(
    proposal: Proposal, before: Sequence[_ToolTexts], after: Sequence[_ToolTexts], placed: Collection[str]
) -> dict[str, str]:
    """The files that a tool reads for some files only, and would read always, each with the first such tool."""
    found: dict[str, str] = {}
    conditional = {source.path for source in proposal.sources if source.globs}
    units = [unit for unit in proposal.units if unit.path in conditional and unit.fate in TIERS]
    for one, other in zip(before, after, strict=True):
        had, has, known = _plain(one.start), _plain(other.start), _plain(one.all)
        for unit in units if one.adapter.id in placed else ():
            words = _plain(unit.text)
            if words in has and words not in had and words in known:
                found.setdefault(unit.path, one.adapter.name)
    return found


def tools_to_adopt(config: Config, knowledge: Knowledge) -> Collection[Adapter]:
    """Returns the AI tools whose files an adoption takes over: those that the project names, else all that are known."""
    return tools_of_project(config, knowledge) if config.tools else knowledge.adapters.values()


def _readers(config: Config, seen: Surveyed, proposal: Proposal) -> tuple[Served, Served]:
    """All tools that are here or read one of the files that are adopted; and those with pages for fewer of them."""
    here = {adapter.id for adapter in tools_to_see(config, seen.knowledge, (), every=False)}
    paths = [source.path for source in proposal.sources if not source.importer]
    known = [a for a in tools_to_adopt(config, seen.knowledge) if a.type == "file-inject" and a.reads]
    read = {adapter.id: _read_paths(adapter, seen) for adapter in known}
    every = [adapter for adapter in known if adapter.id in here or read[adapter.id] & {*paths}]
    # Whoever reads fewest files besides is the one that a file is for.
    owners = {
        min((a.id for a in every if path in read[a.id]), key=lambda name: (len(read[name]), name), default="")
        for path in paths
    }
    few = [adapter for adapter in every if adapter.id in here | owners]
    return Served(tuple(every), tuple(every)), Served(tuple(every), tuple(few))


def _read_paths(adapter: Adapter, seen: Surveyed) -> set[str]:
    found = [_reading(adapter, seen.files, folder) for folder in seen.folders]
    read = {each.path for one in found for each in one.passages}
    return read | {each.path for one in found for each in one.unread if each.kind == "later"}


def _reading(adapter: Adapter, files: ProjectFiles, folder: str) -> Reading:
    return reading(adapter.reads, files, folder, adapter.reads.versions[-1]) if adapter.reads else Reading()


def adopt_files(copy: ProjectCopy, seen: Surveyed, proposal: Proposal, context: str, name: str) -> None:
    """Adopts, for a preview, in the copy of a project: writes the pack, and puts our region where the adopted text was."""
    for source in proposal.sources:
        if not source.importer:
            text = seen.files.texts[source.path]
            rest = rest_of(proposal, source, text, our_spans(text))
            copy.write(source.path, _hosted(rest, source.path, seen.knowledge))
    copy.write(f"{PACK}/context.md", context.encode())
    if not (copy.root / PACK / "pack.yaml").exists():
        copy.write(f"{PACK}/pack.yaml", pack_yaml(proposal, name).encode())


def _hosted(rest: str, path: str, knowledge: Knowledge) -> bytes | None:
    """What is left of a file with a region in it, if tools have their page in such a file; None if nothing is left."""
    targets = [target for adapter in knowledge.adapters.values() for target in adapter.targets]
    fitting = (
        target.section
        for target in targets
        if target.scope == "project" and target.mode == "replace-section" and path == target.path
    )
    section = next(fitting, "")
    if section and not our_spans(rest):
        rest = put_region(rest, section, "modicum")
    return rest.encode("utf-8", "surrogateescape") if rest.strip() else None


def _write(copy: ProjectCopy, injection: Injection) -> None:
    wired = injection.settings.wired if injection.settings else ()
    pages = (outcome.change for outcome in injection.outcomes)
    for change in (*pages, *(each.change for each in wired)):
        if change and change.changed and Path(change.path).is_relative_to(copy.root):
            data = None if change.after is None else change.after.encode("utf-8", "surrogateescape")
            copy.write(Path(change.path).relative_to(copy.root).as_posix(), data)


def _texts(config: Config, adapters: Sequence[Adapter], folders: Sequence[str]) -> list[_ToolTexts]:
    everywhere = [see_tools(config, adapters, folder) for folder in folders[:_MOST_FOLDERS]]
    found = []
    for at, adapter in enumerate(adapters):
        rows = [row[at] for row in everywhere]
        start = rows[0].reading.text(rows[0].files)
        later = [text for row in rows for text in _later(row)]
        everything = [*(row.reading.text(row.files) for row in rows), *later]
        own = [
            *(text for row in rows for text in row.by_file(ours=False).values()),
            *(text for text in later if not our_spans(text)),
        ]
        found.append(_ToolTexts(adapter, start, "\n\n".join(everything), "\n\n".join(own)))
    return found


def _later(tool: ToolReading) -> Iterator[str]:
    later = (each for each in tool.reading.unread if each.kind == "later")
    return ((tool.files.text(each.path) or "")[each.start : each.end] for each in later)


def _changed(stands: Mapping[str, Sequence[str]], before: _ToolTexts, after: _ToolTexts) -> ToolChange:
    start, then = _counted(before.start), _counted(after.start)
    told = _told(after.all)
    lost = [
        text
        for plain, text in _counted(before.own).instructions.items()
        if plain not in told and not any(other in told for other in stands.get(plain, ()))
    ]
    return ToolChange(
        adapter=before.adapter,
        tokens_before=start.tokens,
        tokens_after=then.tokens,
        directives_before=start.directives,
        directives_after=then.directives,
        gains=tuple(text for plain, text in then.instructions.items() if plain not in start.instructions),
        losses=tuple(lost),
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


@lru_cache(maxsize=32)
def _told(text: str) -> frozenset[str]:
    return frozenset(_plain(each.text) for each in sentences(text))


def _plain(sentence: str) -> str:
    return _MARKS.sub(" ", sentence).strip().lower()


def _standing(proposal: Proposal) -> dict[str, list[str]]:
    """By each sentence of a unit that is said elsewhere, the sentences of the unit that says the same."""
    found: dict[str, list[str]] = {}
    for unit in proposal.units:
        if unit.same_as >= 0:
            others = [_plain(each.text) for each in sentences(proposal.units[unit.same_as].text)]
            for each in sentences(unit.text):
                found.setdefault(_plain(each.text), []).extend(others)
    return found


def unchosen_losses(found: Preview) -> Iterator[tuple[ToolChange, tuple[str, ...]]]:
    """Yields the tools that lose instructions in a preview which the user has not chosen to drop, with these instructions."""
    dropped = {_plain(each.text) for each in _sentences_of(found.proposal, DROP)}
    placed = {adapter.id for adapter in found.served.placed}
    for tool in found.tools:
        if tool.adapter.id not in placed:
            continue
        if lost := tuple(text for text in tool.losses if _plain(text) not in dropped):
            yield tool, lost


def _sentences_of(proposal: Proposal, fate: str) -> Iterator[Sentence]:
    return (each for unit in proposal.units if unit.fate == fate for each in sentences(unit.text))
