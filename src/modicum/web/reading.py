"""The screen of a reading: the text that one AI tool reads in a folder, and what other settings would change."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec

from modicum.app.agents.see import see_tools, tools_to_see
from modicum.app.inject.load import Knowledge, load_knowledge
from modicum.app.reading.kept import can_undo, keep_settings, undo_settings
from modicum.app.reading.passages import LEFT_OUT, ShownPassage, passages_of, split_with
from modicum.app.reading.sources import pack_lines
from modicum.app.reading.trial import (
    TriedReading,
    TriedSettings,
    bound_of_project,
    diffs_of,
    instruction_folders,
    try_settings,
    write_pages,
)
from modicum.app.remedies import plain_wording
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.engine.page import Detail
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.targets.model import Adapter
from modicum.web.answer import json_answer, page
from modicum.web.tools import folder_asked, project_config

LONGEST = 60_000  # characters of a passage that are shown at once
BUDGET_STEP = 256
NO_BOUND = "none"
MOST_BYTES = 10**11
DETAILS = ("summary", "standard", "full")


class SettingsBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request that keeps settings of a tool, or takes them back."""

    tool: str
    detail: int | None = None
    max_bytes: Annotated[int, msgspec.Meta(ge=0, lt=MOST_BYTES)] | None = None
    no_bound: bool = False
    packs: list[str] | None = None


class ShownFile(NamedTuple):
    """Passages of a reading that follow each other in one file."""

    path: str
    importer: str
    passages: Sequence[ShownPassage]


def reading(request: ApiRequest) -> Reply:
    """Replies with the screen of a reading; `part` is the text alone, as other settings would make it."""
    config = project_config(request)
    knowledge = load_knowledge(config)
    adapters = [each for each in tools_to_see(config, knowledge, (), every=True) if each.reads]
    found = {each.id for each in tools_to_see(config, knowledge, (), every=False)}
    adapter = _chosen(request, adapters, found)
    if adapter is None:
        return page(request, "reading_none.html", screen="reading")
    folder = folder_asked(config, request)
    tried = _tried(request, adapter.id)
    on_disk = request.text("view") != "after" and not tried.changes_something
    after, problem = _after(config, knowledge, tried, folder)
    passages = _on_disk(config, knowledge, adapter, folder) if on_disk or after is None else after.passages
    values = {
        "adapter": adapter,
        "folder": folder,
        "on_disk": on_disk,
        "after": after,
        "problem": problem,
        "files": _by_file(passages),
        "sums": _sums(passages),
        "diffs": diffs_of(after.injection) if after else [],
        "tried": tried,
        "longest": None if request.text("whole") == "1" else LONGEST,
        "can_undo": can_undo(config, adapter.id),
    }
    if request.text("part") == "1":
        return page(request, "reading_text.html", screen="reading", **values)
    kept = bound_of_project(config, adapter)
    return page(
        request,
        "reading.html",
        now=_after(config, knowledge, TriedSettings(adapter.id), folder)[0]
        if tried.changes_something
        else after,
        kept_bound=kept,
        bound=None if tried.no_bound else kept if tried.max_bytes is None else tried.max_bytes,
        screen="reading",
        adapters=adapters,
        found=found,
        folders=instruction_folders(config, adapter),
        packs=_packs(knowledge, after),
        budget=_budget(config, knowledge, adapter.id),
        step=BUDGET_STEP,
        details=DETAILS,
        **values,
    )


def _chosen(request: ApiRequest, adapters: Sequence[Adapter], found: set[str]) -> Adapter | None:
    name = request.text("tool")
    if name:
        chosen = next((each for each in adapters if each.id == name), None)
        if chosen is None:
            raise ModicumError(
                f'there is no tool "{name[:60]}" whose reading is known',
                remedy="choose one on the start page",
            )
        return chosen
    return next((each for each in adapters if each.id in found), None)


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


def _packs(knowledge: Knowledge, after: TriedReading | None) -> list[tuple[str, str, bool]]:
    on = set(after.packs) if after else set()
    return [(pack.id, pack.description, pack.id in on) for pack in knowledge.library.every]


def _budget(config: Config, knowledge: Knowledge, tool: str) -> int:
    """The greatest size of our page, for the slider: everything in full detail."""
    after, _ = _after(config, knowledge, TriedSettings(tool, Detail.FULL, no_bound=True), "")
    size = after.page_bytes if after else 0
    return (size // BUDGET_STEP + 1) * BUDGET_STEP


def _by_file(passages: Sequence[ShownPassage]) -> list[ShownFile]:
    files: list[ShownFile] = []
    for each in passages:
        if files and files[-1].path == each.path:
            files[-1] = files[-1]._replace(passages=[*files[-1].passages, each])
        else:
            files.append(ShownFile(each.path, each.importer, [each]))
    return files


def _sums(passages: Sequence[ShownPassage]) -> dict[str, int]:
    from modicum.engine.tokens import count

    arriving = "".join(each.text for each in passages if each.arrives).encode("utf-8", "replace")
    lost = "".join(each.text for each in passages if each.state == "cut").encode("utf-8", "replace")
    left_out = [each for each in passages if each.state == LEFT_OUT]
    return {
        "bytes": len(arriving),
        "tokens": count(arriving.decode()),
        "lost": len(lost),
        "left_out": len(left_out),
    }


def _tried(request: ApiRequest, tool: str) -> TriedSettings:
    detail, most, packs = request.text("detail"), request.text("max_bytes"), request.query.get("packs")
    if (
        most
        and most != NO_BOUND
        and not (most.isascii() and most.isdigit() and len(most) < len(str(MOST_BYTES)))
    ):
        raise ModicumError(f'max_bytes is "{most[:40]}"', remedy="give a number of bytes")
    if detail and detail not in DETAILS:
        raise ModicumError(f'detail is "{detail[:40]}"', remedy=f"use {', '.join(DETAILS)}")
    return TriedSettings(
        tool,
        Detail(DETAILS.index(detail) + 1) if detail else None,
        int(most) if most and most != NO_BOUND else None,
        most == NO_BOUND,
        tuple(name for name in packs.split(",") if name) if packs is not None else None,
    )


def _body(request: ApiRequest) -> TriedSettings:
    try:
        body = msgspec.json.decode(request.body, type=SettingsBody)
        detail = Detail(body.detail) if body.detail is not None else None
    except (msgspec.MsgspecError, ValueError) as error:
        raise ModicumError(f"the body cannot be read: {error}", remedy="load the page again") from error
    packs = None if body.packs is None else tuple(body.packs)
    return TriedSettings(body.tool, detail, body.max_bytes, body.no_bound, packs)


def keep(request: ApiRequest) -> Reply:
    """Keeps the settings that were tried in the project's files."""
    return json_answer({"files": keep_settings(project_config(request), _body(request))})


def undo(request: ApiRequest) -> Reply:
    """Takes back the settings of a tool that were kept last."""
    return json_answer({"files": undo_settings(project_config(request), _body(request).tool)})


def inject(request: ApiRequest) -> Reply:
    """Keeps the settings that were tried, and writes the pages of the tool."""
    config, tried = project_config(request), _body(request)
    kept = keep_settings(config, tried) if tried.changes_something else []
    done = write_pages(project_config(request), tried.tool)
    return json_answer({"files": kept, "written": done})
