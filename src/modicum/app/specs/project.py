"""The documents of the project itself: its stages, and for a project that has none the first drafts from a scan."""

from collections.abc import Mapping
from typing import NamedTuple

from modicum.app.specs.context import SpecContext, now, open_specs
from modicum.app.specs.gates import GateInputs, examine
from modicum.app.specs.to_memory import remember_artifact
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import replace
from modicum.memory.store import Store
from modicum.specs.changes import moves
from modicum.specs.changes.flows import project_stage
from modicum.specs.changes.gates import (
    DIMENSIONS,
    GateDocument,
    bare,
    check_clarity,
    clarity,
    is_shut,
    parse_scores,
    threshold,
    uncovered,
)
from modicum.specs.documents import DRAFT, artifact_text, digest
from modicum.specs.files import create, read_project, read_text, write, write_project
from modicum.specs.model import Complaint, SpecProject, Stage, StageProgress
from modicum.specs.project.drafts import drafted_fields
from modicum.specs.project.scan import scan as scan_folder

MODES = ("guided", "expert")
ROUND = "\n## Round "


class Written(NamedTuple):
    """A document of the project after it was handed over; `advanced` is False if a gate was shut."""

    project: SpecProject
    stage: Stage
    file: str
    advanced: bool = True
    complaints: tuple[Complaint, ...] = ()
    remarks: tuple[str, ...] = ()


class Started(NamedTuple):
    """Which drafts were written, and which files were there already."""

    written: tuple[str, ...]
    skipped: tuple[str, ...]


def init_project(config: Config, name: str, description: str, mode: str = "guided") -> SpecProject:
    """Begin the documents of a project."""
    for word, value in (("name", name), ("description", description)):
        if not value.strip():
            raise ModicumError(f"a project needs a {word}", remedy="modicum spec init NAME DESCRIPTION")
    if mode not in MODES:
        raise ModicumError(f'there is no mode "{mode}"', remedy=f"use one of: {', '.join(MODES)}")
    desk = open_specs(config)
    with desk.workspace.writing():
        if read_project(desk.workspace, desk.flows):
            docs = desk.workspace.shown(desk.workspace.docs)
            raise ModicumError(f"{docs}/ has a project already", remedy="modicum spec context shows it")
        stamp = now()
        steps = moves.finish(moves.start([stage.id for stage in desk.flows.project], stamp), stamp)
        project = SpecProject(
            name.strip(), description.strip(), steps, mode, created_at=stamp, updated_at=stamp
        )
        write_project(desk.workspace, project)
    return project


def require_project(desk: SpecContext) -> SpecProject:
    project = read_project(desk.workspace, desk.flows)
    if project is None:
        raise ModicumError("this project has no specs yet", remedy="modicum spec init NAME DESCRIPTION")
    return project


def write_stage(
    config: Config,
    store: Store | None,
    word: str = "",
    fields: Mapping[str, str] | None = None,
    *,
    content: str | None = None,
    scores: str = "",
    despite: str = "",
    replacing: bool = False,
) -> Written:
    """Finish a stage of the project, with its parts, with a text, or with what its file says."""
    desk = open_specs(config)
    with desk.workspace.writing():
        project = require_project(desk)
        stage = project_stage(desk.flows, word or project.current or desk.flows.project[-1].id)
        _at(project, stage)
        path = desk.workspace.docs / stage.file
        text = _text(desk, project, stage, fields or {}, content)
        _spare(project, stage, read_text(path), text, replacing=replacing)
        score = clarity(parse_scores(scores)) if scores else project.clarity
        complaints = _judged(desk, project, stage, text, score)
        if text != read_text(path):
            write(desk.workspace, path, text)
        project = replace(project, clarity=score, updated_at=now())
        advanced = not is_shut(complaints) or bool(despite)
        if not advanced:
            steps = (
                each._replace(digest=digest(text)) if each.name == stage.id else each
                for each in project.steps
            )
            project = replace(project, steps=tuple(steps))
        else:
            waived = despite if is_shut(complaints) else ""
            project = moves.advance_project(project, now(), digest=digest(text), despite=waived)
        write_project(desk.workspace, project)
    remarks = remember_artifact(store, desk.project, stage.file, text) if advanced else ()
    return Written(project, stage, desk.workspace.shown(path), advanced, complaints, remarks)


def _at(project: SpecProject, stage: Stage) -> None:
    """Only the stage at hand can be finished."""
    if not stage.file:
        raise ModicumError(f"{stage.id} has no document", remedy="modicum spec context")
    if stage.id != project.current:
        where = f"at {project.current}" if project.current else "finished"
        raise ModicumError(
            f"the project is {where}, not at {stage.id}",
            remedy=f"modicum spec back {stage.id}, if it was finished",
        )


def _spare(project: SpecProject, stage: Stage, present: str | None, text: str, *, replacing: bool) -> None:
    """What somebody has written is not replaced, but for drafts, what is only added to, and where it is asked for."""
    step = next(step for step in project.steps if step.name == stage.id)
    if present is None or replacing or DRAFT in present or not bare(present):
        return
    if digest(present) not in (step.digest, digest(text)) and not text.startswith(present.rstrip()):
        raise ModicumError(
            f"{stage.file} has words that somebody wrote there",
            remedy="finish the stage without a text to take them, or with --replace to put yours in their place",
        )


def _text(
    desk: SpecContext, project: SpecProject, stage: Stage, fields: Mapping[str, str], content: str | None
) -> str:
    if content is not None:
        return content if content.endswith("\n") else f"{content}\n"
    if any(value.strip() for value in fields.values()):
        for key, field in stage.fields.items():
            if field.required and not fields.get(key, "").strip():
                raise ModicumError(f"{stage.id} needs {key}", remedy="say it; nothing was changed")
        return artifact_text(stage, project.name, fields)
    present = read_text(desk.workspace.docs / stage.file)
    if present is None:
        raise ModicumError(f"there is no {stage.file} yet", remedy="write it, or hand over its text")
    return present


def _judged(
    desk: SpecContext, project: SpecProject, stage: Stage, text: str, score: int
) -> tuple[Complaint, ...]:
    papers = GateInputs(desk, desk.workspace.docs, desk.flows.project, project_wide=True)
    found = examine(papers, stage, GateDocument(stage.file, text))
    if "clarity" in stage.checks:
        found += tuple(check_clarity(score, project.mode, _latest(text), papers.read("requirements")))
    return found


def _latest(text: str) -> str:
    """The answers of the last round, without what we added to them; a text without rounds is one."""
    body = text.rpartition(ROUND)[2].partition("\n")[2] if ROUND in text else text
    return "\n".join(line for line in body.splitlines() if not line.startswith("Score: "))


def back_to(config: Config, word: str) -> SpecProject:
    """Take up an earlier stage of the project again; its file and those behind it stay."""
    desk = open_specs(config)
    with desk.workspace.writing():
        project = require_project(desk)
        stage = project_stage(desk.flows, word)
        begun = {step.name for step in project.steps if step.status is not StageProgress.PENDING}
        if stage.id not in begun or not stage.file:
            raise ModicumError(
                f"the project has not been at {stage.id}", remedy=f"it is at {project.current}"
            )
        project = moves.rewind_project(project, stage.id, now())
        write_project(desk.workspace, project)
    return project


class Clarity(NamedTuple):
    """What is to be clarified: the dimensions with their weights, the score to reach, and what has been said so far."""

    project: SpecProject
    threshold: int
    dimensions: Mapping[str, int]
    requirements: str
    answers: str


def clarity_questions(config: Config) -> Clarity:
    """What a caller needs in order to ask the right questions."""
    desk = open_specs(config)
    project = require_project(desk)
    docs = desk.workspace.docs
    texts = [read_text(docs / name) or "" for name in ("requirements.md", "business-rules.md")]
    answers = read_text(docs / "clarifications.md") or ""
    return Clarity(project, threshold(project.mode), DIMENSIONS, "\n".join(texts), answers)


def clarify(config: Config, store: Store | None, answers: str, scores: str) -> Written:
    """Answers to open questions, kept round by round under one title; the gate looks at more than the scores."""
    desk = open_specs(config)
    before = read_text(desk.workspace.docs / "clarifications.md") or ""
    name = require_project(desk).name
    number = before.count(ROUND) + 1
    head = before.rstrip() or f"# {name}: Clarify"
    weak = ", ".join(uncovered(parse_scores(scores)))
    told = f"\n\nScore: {clarity(parse_scores(scores))}" + (f". Still weak: {weak}" if weak else "")
    text = f"{head}\n{ROUND}{number}\n\n{answers.strip()}{told if scores else ''}\n"
    return write_stage(config, store, "clarify", content=text, scores=scores or "none:0")


# Projects that are there already.


def bootstrap(
    config: Config, fields: Mapping[str, Mapping[str, str]] | None = None, name: str = ""
) -> Started:
    """Write the first artifacts, marked as drafts: from the parts that are given, or from a scan. Nothing is replaced."""
    desk = open_specs(config)
    given = fields if fields is not None else drafted_fields(scan_folder(desk.workspace))
    if not given:
        raise ModicumError(
            "there is nothing to write a draft from",
            remedy="describe the project in README.md or AGENTS.md, or hand over parts",
        )
    written, skipped = list[str](), list[str]()
    with desk.workspace.writing():
        for word, parts in given.items():
            stage = project_stage(desk.flows, word)
            path = desk.workspace.docs / stage.file
            text = artifact_text(stage, name or config.root.name, parts, draft=True)
            (written if create(desk.workspace, path, text) else skipped).append(desk.workspace.shown(path))
    return Started(tuple(written), tuple(skipped))
