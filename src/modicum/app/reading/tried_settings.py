"""Tries settings for one AI tool without writing: what it would read, and which files would change."""

from collections.abc import Iterator, Mapping, Sequence

from modicum.app.inject import run
from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.load import Knowledge, load_knowledge
from modicum.app.inject.pages import PageMaker
from modicum.app.inject.plan import Injection, PlannedFile
from modicum.app.inject.totals import path_in_reading, with_planned_files
from modicum.app.reading.pack_lines import pack_lines
from modicum.app.reading.shown_passages import (
    OURS,
    ShownPassage,
    Split,
    page_passages,
    passages_of,
    split_with,
)
from modicum.app.reading.tool_reading import ToolReading, folders_to, read_files
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import Value, replace
from modicum.engine.page import Block, Detail
from modicum.targets.loaders.collect import collect, folders_with_instructions
from modicum.targets.model import Adapter, Limit, tightest

VERBOSITIES = ("minimal", "standard", "full")


class TriedSettings(Value):
    """Settings to try for one AI tool; what is None stays as it is now. `packs` are all that shall be on.

    With `no_bound`, the project sets no bound of its own for the size of our page.
    """

    tool: str
    detail: Detail | None = None
    max_bytes: int | None = None
    no_bound: bool = False
    packs: tuple[str, ...] | None = None

    @property
    def changes_something(self) -> bool:
        """Returns True if a setting would not stay as it is now."""
        return self.no_bound or (self.detail, self.max_bytes, self.packs) != (None, None, None)


class TriedReading(Value):
    """What a tool would read with the settings that were tried, and what inject would do."""

    seen: ToolReading
    passages: tuple[ShownPassage, ...]
    injection: Injection
    packs: tuple[str, ...]  # that would be in force
    page_bytes: int = 0  # of our page
    detail: Detail = Detail.FULL


def request_for(tried: TriedSettings) -> InjectRequest:
    """Returns the request to inject with the settings that are tried."""
    return InjectRequest(tools=(tried.tool,), include=tried.packs or (), exports=False)


def with_settings(config: Config, knowledge: Knowledge, tried: TriedSettings) -> Knowledge:
    """Returns what was loaded for an inject, with the settings of the tool that are tried."""
    adapter = knowledge.adapters.get(tried.tool)
    if adapter is None:
        return knowledge  # inject says so, and which name is near
    if tried.detail is not None:
        adapter = replace(adapter, verbosity=VERBOSITIES[tried.detail - 1])
    if tried.no_bound or tried.max_bytes is not None:
        bound = () if tried.max_bytes is None else (Limit("bytes", tried.max_bytes),)
        adapter = replace(adapter, limits=tightest((*limits_without_project(config, adapter), *bound)))
    return replace(knowledge, adapters={**knowledge.adapters, adapter.id: adapter})


def limits_without_project(config: Config, adapter: Adapter) -> tuple[Limit, ...]:
    """Returns the limits of a tool before any setting is tried, whatever the project says about it."""
    if not (config.project / "adapters").is_dir():
        return adapter.limits
    others = load_knowledge(config.of_user(), tools_only=True).adapters
    return others[adapter.id].limits if adapter.id in others else ()


def bound_of_project(config: Config, adapter: Adapter) -> int | None:
    """Returns the bound in bytes that a project sets for a tool's pages, before another is tried; None if it sets none."""
    others = limits_without_project(config, adapter)
    own = [limit.most for limit in adapter.limits if limit.unit == "bytes" and limit not in others]
    return own[0] if own else None


def try_settings(
    config: Config, knowledge: Knowledge, tried: TriedSettings, folder: str = ""
) -> TriedReading:
    """Returns what a tool that is started in a folder would read after an inject with the tried settings."""
    job = run.prepare(config, request_for(tried), knowledge=with_settings(config, knowledge, tried))
    if tried.packs == ():
        job.maker.packs = ()
    injection = run.survey(job)
    adapter = job.knowledge.adapters[tried.tool]
    seen = _seen_after(job, adapter, injection, folder)
    planned = {path: file for path, file in _planned(config, injection) if file.page.text}
    split = _split(job.maker, planned, adapter.format)
    ours = [file for file in planned.values() if not file.destination.refers_to]
    return TriedReading(
        seen,
        passages_of(seen, split),
        injection,
        tuple(pack.id for pack in job.maker.packs),
        page_bytes=max((len(file.page.text.encode()) for file in ours), default=0),
        detail=min((file.destination.detail for file in ours), default=Detail.FULL),
    )


def _planned(config: Config, injection: Injection) -> Iterator[tuple[str, PlannedFile]]:
    for file in injection.outcomes:
        if file.destination.place:
            yield path_in_reading(config, file.destination, file.destination.place.path), file


def _seen_after(job: run.InjectRun, adapter: Adapter, injection: Injection, folder: str) -> ToolReading:
    if adapter.reads is None:
        raise ModicumError(
            f"nobody has written down what {adapter.name} reads",
            remedy=f"add reads to its adapter, {adapter.id}.yaml",
        )
    files = collect(job.config.root, job.config.home, [adapter.reads], folders_to(folder))
    after = with_planned_files(job.config, files, job.placement.seen, injection)
    return read_files([adapter], after, folder)[0]


def _split(maker: PageMaker, planned: Mapping[str, PlannedFile], format: str) -> Split:
    def split(path: str, text: str) -> Iterator[ShownPassage]:
        file, plain = planned.get(path), text.replace("\r\n", "\n")
        page = file.page.text if file else ""
        start = plain.find(page) if page else -1
        if file is None or start < 0 or file.destination.refers_to:
            yield from split_with(pack_lines(maker.packs, format))(path, text)
            return
        yield ShownPassage(plain[:start], path, OURS)
        yield from page_passages(file.page, _blocks(maker, file), path)
        yield ShownPassage(plain[start + len(page) :], path, OURS)

    return split


def _blocks(maker: PageMaker, file: PlannedFile) -> Iterator[Block]:
    news = maker.news(file.destination.told_globally)
    for section in maker.sections(file.destination, news):
        yield from section.blocks


def instruction_folders(config: Config, adapter: Adapter) -> list[str]:
    """Returns the folders in which tried settings of a tool may change what it reads: the project's root, and those with files."""
    loaders = [adapter.reads] if adapter.reads else []
    return ["", *folders_with_instructions(config.root, loaders)]


def diffs_of(injection: Injection) -> list[tuple[str, list[str]]]:
    """Returns the lines of a diff for each file that an inject with the tried settings would change."""
    from difflib import unified_diff

    found = []
    for file in injection.outcomes:
        change = file.change
        if change and change.changed:
            before, after = _lines(change.before), _lines(change.after)
            lines = [*unified_diff(before, after, n=2, lineterm="")][2:]  # without the names of the files
            found.append((file.destination.shown_path, lines or ["(only line ends differ)"]))
    return found


def _lines(text: str | None) -> Sequence[str]:
    return (text or "").splitlines()
