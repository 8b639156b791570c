"""engram's routes for projects: migrate one, rescue items that have none, name that of a folder."""

from http import HTTPStatus
from typing import TYPE_CHECKING

from modicum.app.memory.notes import CurrentProject
from modicum.app.memory.notes import current_project as find_project
from modicum.compat.engram.go_json import BadBody, decode_fields
from modicum.compat.engram.http.fields import body_fields, boolean, integer, items, text
from modicum.compat.engram.http.replies import EngramError, ok
from modicum.compat.engram.http.transfer import NO_SYNC
from modicum.http.replies import Reply
from modicum.http.request import ApiRequest
from modicum.memory.names import project_name, storable

if TYPE_CHECKING:
    from modicum.memory.tables.rescue import Lost, NotMoved

NOTHING_TO_RESCUE = (
    "invalid ownership rescue request: provide a target project and at least one positive record ID "
    "or non-blank session ID"
)


def migrate_project(request: ApiRequest) -> Reply:
    try:
        body = decode_fields(request.body, "old_project", "new_project")
    except BadBody:
        raise EngramError(HTTPStatus.BAD_REQUEST, "invalid JSON") from None
    old, new = body["old_project"], body["new_project"]
    if not old or not new:
        raise EngramError(HTTPStatus.BAD_REQUEST, "old_project and new_project are required")
    if project_name(old) == project_name(new):
        return ok({"reason": "names are identical", "status": "skipped"})
    moved = request.store.merge_projects([old], new)
    if not any(moved):
        return ok({"reason": "no records found", "status": "skipped"})
    migrated = {
        "new_project": new,
        "old_project": old,
        "status": "migrated",
        "sessions": moved.sessions,
        "observations": moved.notes,
        "prompts": moved.prompts,
    }
    return ok(dict(sorted(migrated.items())))


def current_project(request: ApiRequest) -> Reply:
    """Answers engram's route for the project of a folder; a caller with a token learns only the name."""
    folder = request.text("cwd").strip()
    found = _by_name(folder) if request.showed_token else find_project(folder)
    current = {
        "available_projects": [],
        "cwd": found.folder,
        "project": found.name,
        "project_path": found.root,
        "project_source": found.source,
    }
    return ok(current)


def _by_name(folder: str) -> CurrentProject:
    name = folder.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return CurrentProject(project_name(name), folder, folder, "dir_basename")


def rescue(request: ApiRequest) -> Reply:
    """Answers engram's route that moves items without a project into one; other projects keep theirs."""
    from modicum.memory.tables.rescue import MISSING

    project, lost = _rescue_request(request)
    done = request.store.rescue(lost, project)
    missing = sum(left.reason == MISSING for left in done.left)
    rescued = {
        "status": "partially_rescued" if done.left else "rescued",
        "complete": not done.left,
        "blocked": [_not_moved(left) for left in done.left],
        "target_project": project,
        **{f"rescued_{_kind(kind)}s": done.count(kind) for kind in ("note", "session", "prompt")},
        "conflicting_records": len(done.left) - missing,
        "skipped_records": done.there + missing,
        "journaled_local": False,  # there is no journal, and nothing waits to be sent
        "reconciliation_status": NO_SYNC,
    }
    return ok(dict(sorted(rescued.items())))


def _kind(kind: str) -> str:
    return "observation" if kind == "note" else kind


def _not_moved(left: "NotMoved") -> dict[str, str]:
    item = left.item
    return {"kind": _kind(item.kind), "id": str(item.id), "reason": left.reason, "owned_by": left.owner}


def _rescue_request(request: ApiRequest) -> tuple[str, "Lost"]:
    from modicum.memory.tables.rescue import Lost

    try:
        body = body_fields(request)
        project, confirmed = project_name(text(body, "target_project")), boolean(body, "confirmed")
        lost = Lost(
            tuple(storable(text({"id": key}, "id")) for key in items(body, "session_ids")),
            *(tuple(map(integer, items(body, name))) for name in ("observation_ids", "prompt_ids")),
        )
    except BadBody:
        raise EngramError(HTTPStatus.BAD_REQUEST, "invalid JSON") from None
    if not project:
        raise EngramError(HTTPStatus.BAD_REQUEST, "target_project is required")
    if not confirmed:
        raise EngramError(HTTPStatus.BAD_REQUEST, "confirmed must be true")
    numbers = (*lost.notes, *lost.prompts)
    if not any(lost) or not all(lost.sessions) or any(number <= 0 for number in numbers):
        raise EngramError(HTTPStatus.BAD_REQUEST, NOTHING_TO_RESCUE)
    return project, lost
