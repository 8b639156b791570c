"""What one AI tool reads in a folder, as it is on disk or after an inject, and what other settings would change."""

from collections.abc import Sequence
from typing import NamedTuple

from modicum.app.inject.load import Knowledge, load_knowledge
from modicum.app.reading.kept_settings import can_undo, keep_settings, write_pages
from modicum.app.reading.pack_lines import pack_lines
from modicum.app.reading.shown_passages import LEFT_OUT, ShownPassage, passages_of, split_with
from modicum.app.reading.tool_reading import see_tools, tools_to_see
from modicum.app.reading.tried_settings import (
    TriedReading,
    TriedSettings,
    bound_of_project,
    diffs_of,
    instruction_folders,
    try_settings,
)
from modicum.app.remedies import plain_wording
from modicum.base.config import Config, load_config
from modicum.base.errors import ModicumError
from modicum.base.value import replace
from modicum.engine.page import Detail
from modicum.engine.tokens import count
from modicum.targets.model import Adapter

BUDGET_STEP = 256


class AskedReading(NamedTuple):
    """What somebody asks the workbench about a tool: its folder, settings to try (of the tool named "": the first one here), and on disk or not.

    `is_whole` asks for the choices beside the text, too.
    """

    tried: TriedSettings
    folder: str = ""
    after_inject: bool = False
    is_whole: bool = True


class ReadingSums(NamedTuple):
    """What the workbench sums up of a reading: bytes and tokens that arrive, bytes that are cut off, passages left out."""

    bytes: int
    tokens: int
    lost: int
    left_out: int


class ReadingText(NamedTuple):
    """A reading as text. `after` is what an inject would make of it; if it cannot be told, `problem` says why."""

    adapter: Adapter
    folder: str
    on_disk: bool
    after: TriedReading | None
    problem: str
    passages: Sequence[ShownPassage]
    sums: ReadingSums
    diffs: Sequence[tuple[str, Sequence[str]]]
    can_undo: bool


class ReadingChoices(NamedTuple):
    """What can be chosen beside a reading: tools (`found` are here), folders, packs, and the size of our page up to `budget`.

    `now` is the reading with what is kept. `bound` is the size that is tried, `kept_bound` the one that is kept.
    """

    adapters: Sequence[Adapter]
    found: frozenset[str]
    folders: Sequence[str]
    packs: Sequence[tuple[str, str, bool]]
    budget: int
    now: TriedReading | None
    kept_bound: int | None
    bound: int | None


class ToolReadingScreen(NamedTuple):
    """A reading and what can be chosen beside it, if that was asked for."""

    text: ReadingText
    choices: ReadingChoices | None


def read_tool(config: Config, asked: AskedReading) -> ToolReadingScreen | None:
    """Returns what the workbench shows of a tool's reading; None if no tool is named and none is here. Raises ModicumError for an unknown tool."""
    knowledge = load_knowledge(config)
    adapters = [each for each in tools_to_see(config, knowledge, (), every=True) if each.reads]
    found = frozenset(each.id for each in tools_to_see(config, knowledge, (), every=False))
    adapter = _chosen(asked.tried.tool, adapters, found)
    if adapter is None:
        return None
    asked = asked._replace(tried=replace(asked.tried, tool=adapter.id))
    text = _text(config, knowledge, adapter, asked)
    if not asked.is_whole:
        return ToolReadingScreen(text, None)
    return ToolReadingScreen(text, _choices(config, knowledge, asked, text, adapters, found))


def keep_and_write(config: Config, tried: TriedSettings) -> tuple[Sequence[str], Sequence[str]]:
    """Keeps, for the workbench, the settings that were tried, and writes the pages of the tool; returns the files of both."""
    kept = keep_settings(config, tried) if tried.changes_something else []
    return kept, write_pages(load_config(config.environment, config.here), tried.tool)


def _chosen(name: str, adapters: Sequence[Adapter], found: frozenset[str]) -> Adapter | None:
    if not name:
        return next((each for each in adapters if each.id in found), None)
    chosen = next((each for each in adapters if each.id == name), None)
    if chosen is None:
        raise ModicumError(
            f'there is no tool "{name[:60]}" whose reading is known', remedy="choose one on the start page"
        )
    return chosen


def _text(config: Config, knowledge: Knowledge, adapter: Adapter, asked: AskedReading) -> ReadingText:
    on_disk = not (asked.after_inject or asked.tried.changes_something)
    after, problem = _after(config, knowledge, asked.tried, asked.folder)
    if on_disk or after is None:
        passages = _on_disk(config, knowledge, adapter, asked.folder)
    else:
        passages = after.passages
    return ReadingText(
        adapter,
        asked.folder,
        on_disk,
        after,
        problem,
        passages,
        _sums(passages),
        diffs_of(after.injection) if after else (),
        can_undo(config, adapter.id),
    )


def _choices(
    config: Config,
    knowledge: Knowledge,
    asked: AskedReading,
    text: ReadingText,
    adapters: Sequence[Adapter],
    found: frozenset[str],
) -> ReadingChoices:
    tried, tool = asked.tried, asked.tried.tool
    kept = bound_of_project(config, text.adapter)
    now, _ = (
        _after(config, knowledge, TriedSettings(tool), asked.folder)
        if tried.changes_something
        else (text.after, "")
    )
    on = set(text.after.packs) if text.after else set()
    return ReadingChoices(
        adapters,
        found,
        instruction_folders(config, text.adapter),
        [(pack.id, pack.description, pack.id in on) for pack in knowledge.library.every],
        _greatest_size(config, knowledge, tool),
        now,
        kept,
        None if tried.no_bound else kept if tried.max_bytes is None else tried.max_bytes,
    )


def _after(
    config: Config, knowledge: Knowledge, tried: TriedSettings, folder: str
) -> tuple[TriedReading | None, str]:
    try:
        return try_settings(config, knowledge, tried, folder), ""
    except ModicumError as error:
        return None, error.worded(plain_wording)


def _on_disk(config: Config, knowledge: Knowledge, adapter: Adapter, folder: str) -> Sequence[ShownPassage]:
    seen = see_tools(config, [adapter], folder)[0]
    return passages_of(seen, split_with(pack_lines(knowledge.library.every, adapter.format)))


def _greatest_size(config: Config, knowledge: Knowledge, tool: str) -> int:
    """The size of our page with everything in full detail, in whole steps."""
    after, _ = _after(config, knowledge, TriedSettings(tool, Detail.FULL, no_bound=True), "")
    size = after.page_bytes if after else 0
    return (size // BUDGET_STEP + 1) * BUDGET_STEP


def _sums(passages: Sequence[ShownPassage]) -> ReadingSums:
    arriving = "".join(each.text for each in passages if each.arrives).encode("utf-8", "replace")
    lost = "".join(each.text for each in passages if each.state == "cut").encode("utf-8", "replace")
    left_out = sum(each.state == LEFT_OUT for each in passages)
    return ReadingSums(len(arriving), count(arriving.decode()), len(lost), left_out)
