"""The screen of a reading: the text that one AI tool reads in a folder, and what other settings would change."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec

from modicum.app.answer.amount import parse_amount
from modicum.app.reading.kept_settings import keep_settings, undo_settings
from modicum.app.reading.shown_passages import ShownPassage
from modicum.app.reading.tried_settings import TriedSettings
from modicum.app.workbench.reading import BUDGET_STEP, AskedReading, keep_and_write, read_tool
from modicum.engine.page import Detail
from modicum.http.body import parse_body
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.web.answer import json_answer, page
from modicum.web.tools import folder_asked, project_config

LONGEST = 60_000  # characters of a passage that are shown at once
NO_BOUND = "none"
MOST_BYTES = 10**18
DETAILS = ("summary", "standard", "full")


class SettingsBody(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a request from the screen of a reading that keeps settings of a tool, or takes them back."""

    tool: str
    detail: Detail | None = None
    max_bytes: Annotated[int, msgspec.Meta(ge=0, lt=MOST_BYTES)] | None = None
    no_bound: bool = False
    packs: list[str] | None = None


class ShownFile(NamedTuple):
    """A file on the workbench's page of a reading, as its template shows it: passages that follow each other in it."""

    path: str
    importer: str
    passages: Sequence[ShownPassage]


def reading(request: ApiRequest) -> Reply:
    """Replies with the screen of a reading; `part` is the text alone, as other settings would make it."""
    config, is_part = project_config(request), request.text("part") == "1"
    folder, after = folder_asked(config, request), request.text("view") == "after"
    found = read_tool(config, AskedReading(_tried(request), folder, after, is_whole=not is_part))
    if found is None:
        return page(request, "reading_none.html", screen="reading")
    return page(
        request,
        "reading.html" if found.choices else "reading_text.html",
        screen="reading",
        files=_by_file(found.text.passages),
        longest=None if request.text("whole") == "1" else LONGEST,
        step=BUDGET_STEP,
        details=DETAILS,
        **found.text._asdict(),
        **(found.choices._asdict() if found.choices else {}),
    )


def _by_file(passages: Sequence[ShownPassage]) -> list[ShownFile]:
    files: list[ShownFile] = []
    for each in passages:
        if files and files[-1].path == each.path:
            files[-1] = files[-1]._replace(passages=[*files[-1].passages, each])
        else:
            files.append(ShownFile(each.path, each.importer, [each]))
    return files


def _tried(request: ApiRequest) -> TriedSettings:
    detail, most, packs = request.text("detail"), request.text("max_bytes"), request.query.get("packs")
    amount = parse_amount(detail=detail, max_bytes="" if most == NO_BOUND else most)
    return TriedSettings(
        request.text("tool"),
        amount.detail if detail else None,
        amount.limit,
        most == NO_BOUND,
        tuple(name for name in packs.split(",") if name) if packs is not None else None,
    )


def _body(request: ApiRequest) -> TriedSettings:
    body = parse_body(request.body, SettingsBody)
    packs = None if body.packs is None else tuple(body.packs)
    return TriedSettings(body.tool, body.detail, body.max_bytes, body.no_bound, packs)


def keep(request: ApiRequest) -> Reply:
    """Answers the browser's request to keep the settings that were tried on the screen of a reading, in the project's files."""
    return json_answer({"files": keep_settings(project_config(request), _body(request))})


def undo(request: ApiRequest) -> Reply:
    """Answers the browser's request to take back the settings of a tool that were kept last on the screen of a reading."""
    return json_answer({"files": undo_settings(project_config(request), _body(request).tool)})


def inject(request: ApiRequest) -> Reply:
    """Answers the browser's request to keep the settings that were tried on the screen of a reading, and to write the tool's pages."""
    kept, written = keep_and_write(project_config(request), _body(request))
    return json_answer({"files": kept, "written": written})
