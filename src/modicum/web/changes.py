"""The screens of changes: a board by stage, one change, decisions, and the context check for a sentence."""

from modicum.app.specs.access import check_spec_access
from modicum.app.specs.board import change_board, change_details
from modicum.app.specs.check import MOST_ASKED, findings_on
from modicum.app.specs.decisions import decisions_with_successors
from modicum.base.config import Config
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.web.answer import page
from modicum.web.tools import project_config

MOST_FOUND = 24
LONGEST = 60_000  # characters of a decision that are shown at once


def changes(request: ApiRequest) -> Reply:
    """Replies with the screen of changes: the board, the decisions, and the context check of a sentence if there is one."""
    config = _config(request)
    return page(
        request,
        "changes.html",
        screen="changes",
        board=change_board(config),
        decisions=decisions_with_successors(config),
        longest=LONGEST,
        **_check(request, config),
    )


def change(request: ApiRequest) -> Reply:
    """Replies with the screen of one change: its stages, gate, tasks by wave and decisions."""
    found = change_details(_config(request), request.path["id"])
    return page(request, "change.html", screen="changes", found=found, longest=LONGEST)


def checked(request: ApiRequest) -> Reply:
    """Replies with what bears on a sentence, as a part of the screen of changes."""
    return page(request, "check_part.html", screen="changes", **_check(request, _config(request)))


def _config(request: ApiRequest) -> Config:
    config = project_config(request)
    check_spec_access(config, request.store, writing=False)
    return config


def _check(request: ApiRequest, config: Config) -> dict[str, object]:
    sentence = request.text("q").strip()
    findings = findings_on(config, request.store, sentence) if sentence else ()
    return {
        "sentence": sentence[:MOST_ASKED],
        "total": len(findings),
        "findings": findings[:MOST_FOUND],
    }
