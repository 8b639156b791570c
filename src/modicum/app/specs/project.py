"""Project documents, use cases of specs for the doors: init, write, back, clarify, scan, bootstrap."""

from collections.abc import Mapping
from typing import NamedTuple

from modicum.app.specs.gates import GateInputs, files_to_mend, run_gates
from modicum.app.specs.open_specs import OpenedSpecs, now, open_specs
from modicum.app.specs.spec_notes import remember_artifact
from modicum.base.config import Config
from modicum.base.errors import Caution, ModicumError, Remedy
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
from modicum.text.secrets import redact_secrets

MODES = ("guided", "expert")
ROUND = "\n## Round "


class StageResult(NamedTuple):
    """The result of writing a project document of a stage; `advanced` is False if a gate was shut."""

    project: SpecProject
    stage: Stage
    file: str
    advanced: bool = True
    complaints: tuple[Complaint, ...] = ()
    remarks: tuple[Caution, ...] = ()

    @property
    def to_mend(self) -> tuple[str, ...]:
        """Returns the project documents that keep the gate shut."""
        return () if self.advanced else files_to_mend(self.complaints, self.file)


class DraftResult(NamedTuple):
    """The result of a bootstrap: the drafts of project documents written, and files that existed."""

    written: tuple[str, ...]
    skipped: tuple[str, ...]


def init_project(config: Config, name: str, description: str, mode: str = "guided") -> SpecProject:
    """Begins the spec documents of a project for a door: writes project.json."""
    for word, value in (("name", name), ("description", description)):
        if not value.strip():
            raise ModicumError(f"a project needs a {word}", remedy=Remedy("spec.init"))
    if mode not in MODES:
        raise ModicumError(f'there is no mode "{mode}"', remedy=f"use one of: {', '.join(MODES)}")
    specs = open_specs(config)
    with specs.workspace.writing():
        if read_project(specs.workspace, specs.flows):
            docs = specs.workspace.shown(specs.workspace.docs)
            raise ModicumError(f"{docs}/ has a project already", remedy=Remedy("spec.show"))
        stamp = now()
        steps = moves.finish(moves.start([stage.id for stage in specs.flows.project], stamp), stamp)
        project = SpecProject(
            name.strip(), description.strip(), steps, mode, created_at=stamp, updated_at=stamp
        )
        write_project(specs.workspace, project)
    return project


def next_file(config: Config, project: SpecProject) -> str:
    """Returns the document of the stage that a project is at, for a door; "" if all stages are finished."""
    specs = open_specs(config)
    if not project.current:
        return ""
    return specs.workspace.shown(specs.workspace.docs / project_stage(specs.flows, project.current).file)


def require_project(specs: OpenedSpecs) -> SpecProject:
    project = read_project(specs.workspace, specs.flows)
    if project is None:
        raise ModicumError("this project has no specs yet", remedy=Remedy("spec.init"))
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
) -> StageResult:
    """Finishes a stage of the project's documents, with parts, a text, or what its file says."""
    specs = open_specs(config)
    with specs.workspace.writing():
        project = require_project(specs)
        stage = project_stage(specs.flows, word or project.current or specs.flows.project[-1].id)
        _at(project, stage)
        path = specs.workspace.docs / stage.file
        text = _text(specs, project, stage, fields or {}, content)
        _spare(project, stage, read_text(path), text, replacing=replacing)
        score = clarity(parse_scores(scores)) if scores else project.clarity
        complaints = _judged(specs, project, stage, text, score)
        if text != read_text(path):
            write(specs.workspace, path, text)
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
        write_project(specs.workspace, project)
    remarks = remember_artifact(store, specs, stage.file, text) if advanced else ()
    return StageResult(project, stage, specs.workspace.shown(path), advanced, complaints, remarks)


def _at(project: SpecProject, stage: Stage) -> None:
    """Raises ModicumError unless this is the current stage."""
    if not stage.file:
        raise ModicumError(f"{stage.id} has no document", remedy=Remedy("spec.show"))
    if stage.id != project.current:
        where = f"at {project.current}" if project.current else "finished"
        raise ModicumError(
            f"the project is {where}, not at {stage.id}",
            remedy=Remedy("spec.back", stage=stage.id),
        )


def _spare(project: SpecProject, stage: Stage, present: str | None, text: str, *, replacing: bool) -> None:
    """Raises ModicumError if the text would replace what somebody has written, unless that is a draft or asked for."""
    step = next(step for step in project.steps if step.name == stage.id)
    if present is None or replacing or DRAFT in present or not bare(present):
        return
    if digest(present) not in (step.digest, digest(text)) and not text.startswith(present.rstrip()):
        raise ModicumError(
            f"{stage.file} has words that somebody wrote there", remedy=Remedy("stage.replace")
        )


def _text(
    specs: OpenedSpecs, project: SpecProject, stage: Stage, fields: Mapping[str, str], content: str | None
) -> str:
    if content is not None:
        return redact_secrets(content if content.endswith("\n") else f"{content}\n")
    if any(value.strip() for value in fields.values()):
        for key, field in stage.fields.items():
            if field.required and not fields.get(key, "").strip():
                raise ModicumError(f"{stage.id} needs {key}", remedy="say it; nothing was changed")
        return redact_secrets(artifact_text(stage, project.name, fields))
    path = specs.workspace.docs / stage.file
    present = read_text(path)
    if present is None:
        shown = specs.workspace.shown(path)
        raise ModicumError(f"there is no {shown} yet", remedy=Remedy("stage.write", does=stage.does))
    return present


def _judged(
    specs: OpenedSpecs, project: SpecProject, stage: Stage, text: str, score: int
) -> tuple[Complaint, ...]:
    inputs = GateInputs(specs, specs.workspace.docs, specs.flows.project, project_wide=True)
    shown = specs.workspace.shown(specs.workspace.docs / stage.file)
    found = run_gates(inputs, stage, GateDocument(shown, text))
    if "clarity" in stage.checks:
        found += tuple(check_clarity(score, project.mode, _latest(text), inputs.read("requirements")))
    return found


def _latest(text: str) -> str:
    """Returns the answers of the last round, without the score line; a text without rounds is one round."""
    body = text.rpartition(ROUND)[2].partition("\n")[2] if ROUND in text else text
    return "\n".join(line for line in body.splitlines() if not line.startswith("Score: "))


def back_to(config: Config, word: str) -> SpecProject:
    """Moves the documents of a project back to an earlier stage for a door; all files stay."""
    specs = open_specs(config)
    with specs.workspace.writing():
        project = require_project(specs)
        stage = project_stage(specs.flows, word)
        begun = {step.name for step in project.steps if step.status is not StageProgress.PENDING}
        if stage.id not in begun or not stage.file:
            raise ModicumError(
                f"the project has not been at {stage.id}", remedy=f"it is at {project.current}"
            )
        project = moves.rewind_project(project, stage.id, now())
        write_project(specs.workspace, project)
    return project


class Clarity(NamedTuple):
    """What a door asks to clarify a project (its clarify stage): dimensions with weights, score to reach, answers so far."""

    project: SpecProject
    threshold: int
    dimensions: Mapping[str, int]
    requirements: str
    answers: str


def clarity_questions(config: Config) -> Clarity:
    """Returns what a door needs to clarify a project: dimensions, weights and answers so far."""
    specs = open_specs(config)
    project = require_project(specs)
    names = ("requirements.md", "business-rules.md")
    texts = [specs.workspace.document(name) or "" for name in names]
    answers = specs.workspace.document("clarifications.md") or ""
    return Clarity(project, threshold(project.mode), DIMENSIONS, "\n".join(texts), answers)


def clarify(config: Config, store: Store | None, answers: str, scores: str) -> StageResult:
    """Adds a round of answers to the project's clarifications.md for a door; its gate looks at more than scores."""
    specs = open_specs(config)
    before = read_text(specs.workspace.docs / "clarifications.md") or ""
    name = require_project(specs).name
    number = before.count(ROUND) + 1
    head = before.rstrip() or f"# {name}: Clarify"
    weak = ", ".join(uncovered(parse_scores(scores)))
    score = f"\n\nScore: {clarity(parse_scores(scores))}" + (f". Still weak: {weak}" if weak else "")
    text = f"{head}\n{ROUND}{number}\n\n{answers.strip()}{score if scores else ''}\n"
    return write_stage(config, store, "clarify", content=text, scores=scores or "none:0")


# Projects that are there already.


def bootstrap(
    config: Config, fields: Mapping[str, Mapping[str, str]] | None = None, name: str = ""
) -> DraftResult:
    """Begins, for a door, the first documents of a project from given parts or a scan; replaces no file."""
    specs = open_specs(config)
    given = fields if fields is not None else drafted_fields(scan_folder(specs.workspace))
    if not given:
        docs = specs.workspace.shown(specs.workspace.docs)
        raise ModicumError(
            "there is nothing to write a draft from: no code, no features, no rules",
            remedy=f'list what it does below "## Features" in README.md, or write {docs}/requirements.md yourself',
        )
    written, skipped = list[str](), list[str]()
    with specs.workspace.writing():
        for word, parts in given.items():
            stage = project_stage(specs.flows, word)
            path = specs.workspace.docs / stage.file
            text = redact_secrets(artifact_text(stage, name or config.root.name, parts, draft=True))
            (written if create(specs.workspace, path, text) else skipped).append(specs.workspace.shown(path))
    return DraftResult(tuple(written), tuple(skipped))
