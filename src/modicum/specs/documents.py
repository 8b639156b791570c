"""The documents of specs as text: change.json and project.json, the templates and the overview page. Pure."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from modicum.base.errors import ModicumError
from modicum.specs.changes.flows import file_of
from modicum.specs.changes.gates import written_parts
from modicum.specs.model import (
    Change,
    ChangeStep,
    Decision,
    Flows,
    SpecProject,
    Stage,
    StageProgress,
    Status,
    Track,
)

VERSION = "0.1.0"
DRAFT = "> Draft, from a scan of what is in the project. Read it, correct it, then take this line out."
_MARKS = {StageProgress.DONE: "done", StageProgress.CURRENT: "**now**", StageProgress.PENDING: ""}


def digest(text: str) -> str:
    """Returns a short hash of the text of a specs document, which is the same whatever its line ends are."""
    return hashlib.sha256(text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()[:16]


# JSON


def change_to_json(change: Change, before: str = "") -> str:
    """Returns the text of a change's document change.json; keys that somebody else put there stay."""
    return _dumped(
        {
            "id": change.id,
            "type": change.type,
            "size": change.size,
            "description": change.description,
            "stages": [_step_to_json(step) for step in change.steps],
            "current_stage": change.current,
            "adrs": list(change.adrs),
            "status": str(change.status),
            "branch": change.branch,
            "reason": change.reason,
            "created_at": change.created_at,
            "updated_at": change.updated_at,
        },
        before,
    )


def change_from_json(text: str, file: str) -> Change:
    """Parses a change's document change.json; an error names the file and the key."""
    row = _loaded(text, file)
    return Change(
        id=_word(row, "id", file),
        type=_word(row, "type", file),
        size=_word(row, "size", file),
        description=_word(row, "description", file),
        steps=tuple(_step_from_json(each, file) for each in _rows(row, "stages", file)),
        status=_status(row, file),
        branch=_word(row, "branch", file, ""),
        adrs=tuple(str(each) for each in row.get("adrs") or ()),
        reason=_word(row, "reason", file, ""),
        created_at=_word(row, "created_at", file, ""),
        updated_at=_word(row, "updated_at", file, ""),
    )


def project_to_json(project: SpecProject, before: str = "") -> str:
    """Returns the text of the project's document project.json; keys that somebody else put there stay."""
    return _dumped(
        {
            "name": project.name,
            "description": project.description,
            "version": VERSION,
            "mode": project.mode,
            "current_stage": project.current,
            "created_at": project.created_at,
            "updated_at": project.updated_at,
            "stage_status": {step.name: _status_to_json(step) for step in project.steps},
            "clarity_score": project.clarity,
        },
        before,
    )


def project_from_json(text: str, file: str, stages: Sequence[Stage]) -> SpecProject:
    """Parses the project's document project.json; stages that the file does not have are pending."""
    row = _loaded(text, file)
    known = row.get("stage_status")
    known = known if isinstance(known, dict) else {}
    steps = tuple(
        _step_from_json({**_record(known.get(stage.id)), "name": stage.id}, file) for stage in stages
    )
    score = row.get("clarity_score")
    return SpecProject(
        name=_word(row, "name", file),
        description=_word(row, "description", file, ""),
        steps=_one_current(steps, str(row.get("current_stage", ""))),
        mode=_word(row, "mode", file, "guided"),
        clarity=score if isinstance(score, int) else 0,
        created_at=_word(row, "created_at", file, ""),
        updated_at=_word(row, "updated_at", file, ""),
    )


def _one_current(steps: Track, current: str) -> Track:
    """Returns the steps with one current step: the named one, unless it is finished."""
    return tuple(
        step._replace(status=StageProgress.CURRENT if step.name == current else StageProgress.PENDING)
        if step.status is not StageProgress.DONE
        else step
        for step in steps
    )


def _dumped(row: Mapping[str, object], before: str) -> str:
    try:
        kept = json.loads(before) if before else {}
    except ValueError:
        kept = {}
    strangers = (
        {key: value for key, value in kept.items() if key not in row} if isinstance(kept, dict) else {}
    )
    return json.dumps({**row, **strangers}, indent=2, ensure_ascii=False) + "\n"


def _step_to_json(step: ChangeStep) -> dict[str, str]:
    return {"name": step.name, **_status_to_json(step)}


def _status_to_json(step: ChangeStep) -> dict[str, str]:
    row = {"status": str(step.status), "started_at": step.started_at, "completed_at": step.completed_at}
    more = {"digest": step.digest, "despite": step.despite}
    return {key: value for key, value in (row | more).items() if value}


def _step_from_json(row: object, file: str) -> ChangeStep:
    record = _record(row)
    word = str(record.get("status") or "pending")
    status = {
        "completed": StageProgress.DONE,
        "skipped": StageProgress.DONE,
        "in_progress": StageProgress.CURRENT,
    }
    return ChangeStep(
        _word(record, "name", file),
        status.get(word, StageProgress.PENDING),
        *(_word(record, key, file, "") for key in ("started_at", "completed_at", "digest", "despite")),
    )


def _loaded(text: str, file: str) -> dict[str, Any]:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModicumError(
            f"{file}: is not JSON: {error}", remedy="mend it, or take it back from git"
        ) from None
    if not isinstance(row, dict):
        raise ModicumError(f"{file}: is not an object", remedy="mend it, or take it back from git")
    return row


def _record(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _rows(row: Mapping[str, Any], key: str, file: str) -> list[object]:
    value = row.get(key)
    if not isinstance(value, list) or not value:
        raise ModicumError(
            f'{file}: "{key}" is not a list of stages', remedy="mend it, or take it back from git"
        )
    return value


def _word(row: Mapping[str, Any], key: str, file: str, default: str | None = None) -> str:
    value = row.get(key, default)
    if not isinstance(value, str):
        raise ModicumError(
            f'{file}: "{key}" is missing or no text', remedy="mend it, or take it back from git"
        )
    return value


def _status(row: Mapping[str, Any], file: str) -> Status:
    word = _word(row, "status", file, "active")
    try:
        return Status(word)
    except ValueError:
        remedy = f"use one of: {', '.join(Status)}"
        raise ModicumError(f'{file}: there is no status "{word}"', remedy=remedy) from None


# Markdown


def template_of(stage: Stage, description: str) -> str:
    """Returns the template of a stage's document, with the description filled in."""
    template = stage.template or f"# {stage.name}\n\n<!-- {stage.does or 'Write it here.'} -->\n"
    return template.replace("{description}", description)


def artifact_text(stage: Stage, name: str, fields: Mapping[str, str], *, draft: bool = False) -> str:
    """Returns the text of one of a project's spec documents from its parts, each under its heading."""
    given = [
        (field.heading, fields[key]) for key, field in stage.fields.items() if fields.get(key, "").strip()
    ]
    lines = [f"# {name}: {stage.name}", *([DRAFT] if draft else [])]
    return "\n\n".join((*lines, *(f"## {heading}\n\n{text.strip()}" for heading, text in given))) + "\n"


def overview(change: Change, flows: Flows, decisions: Sequence[Decision] = ()) -> str:
    """Returns the text of the README.md among a change's documents: the overview that a reader of its folder sees first."""
    title = " ".join(change.description.split())
    rows = [_row(step, flows) for step in change.steps]
    parts = [
        f"# {title}",
        _state(change),
        "| stage | what it says | |\n| --- | --- | --- |\n" + "\n".join(rows),
    ]
    if decisions:
        listed = [
            f"- [{each.number} {each.title}](../../adrs/{each.file.rpartition('/')[2]})" for each in decisions
        ]
        parts.append("## Decisions\n\n" + "\n".join(listed))
    return "\n\n".join(parts)


def change_note(change: Change, texts: Mapping[str, str]) -> str:
    """Returns a change's spec documents as the text of one note: what it is, how it stands, and its stages."""
    reason = f" {change.reason}" if change.reason else ""
    parts = [change.description, f"A {change.size} {change.type}, {change.status}.{reason}"]
    bodies = ((stage, written_parts(text)) for stage, text in texts.items())
    parts += [f"## {stage}\n\n{body}" for stage, body in bodies if body and body != change.description]
    return "\n\n".join(parts)


def _state(change: Change) -> str:
    how = {
        Status.ACTIVE: f"open, at **{change.current}**",
        Status.DONE: "completed",
        Status.CANCELLED: "cancelled",
        Status.ARCHIVED: "archived",
    }[change.status]
    reason = f" ({change.reason})" if change.reason else ""
    branch = f", on branch `{change.branch}`" if change.branch else ""
    return f"A {change.size} {change.type}, {how}{reason}, begun {change.created_at[:10]}{branch}."


def _row(step: ChangeStep, flows: Flows) -> str:
    stage = flows.stages.get(step.name) or Stage(step.name, step.name)
    when = f" {step.completed_at[:10]}" if step.status is StageProgress.DONE else ""
    despite = f" (despite a shut gate: {step.despite})" if step.despite else ""
    begun = step.status is not StageProgress.PENDING or step.started_at
    file = file_of(flows, step.name)
    name = f"[{stage.name}]({file})" if begun else stage.name
    return f"| {name} | {stage.does} | {_MARKS[step.status]}{when}{despite} |"
