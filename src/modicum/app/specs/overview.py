"""The overview of a project's specs: its documents, open changes and decisions."""

from collections.abc import Mapping

from modicum.app.counted import counted
from modicum.app.specs.changes import stale
from modicum.app.specs.open_specs import OpenedSpecs, open_specs
from modicum.app.specs.project import require_project
from modicum.base.config import Config
from modicum.base.errors import Remedy, Wording, with_remedy
from modicum.engine.page import Block, Detail, Section
from modicum.specs.files import read_decisions, read_project
from modicum.specs.model import ChangeStep, SpecProject, Stage, StageProgress

MARKS = {StageProgress.DONE: "[x]", StageProgress.CURRENT: "[>]", StageProgress.PENDING: "[ ]"}


def context_sections(specs: OpenedSpecs, word: Wording) -> tuple[Section, ...]:
    """Returns the overview of a project's specs as sections; `word` words remedies for the door."""
    project = read_project(specs.workspace, specs.flows)
    sections = (
        Section((_head(project, specs, word),)),
        Section(tuple(_stages(specs, project)), ("## Documents",), "\n"),
        Section(tuple(_open(specs)), ("## Open changes",), "\n"),
        Section(tuple(_decided(specs)), ("## Decisions",), "\n"),
    )
    return tuple(section for section in sections if section.blocks)


def _head(project: SpecProject | None, specs: OpenedSpecs, word: Wording) -> Block:
    if project is None:
        brief = with_remedy(f"{specs.project}: no project was begun here", Remedy("spec.init"), word)
        return Block("project:", {Detail.SUMMARY: brief}, pinned=True)
    at = f"at {project.current}" if project.current else "all documents finished"
    score = f", clarity {project.clarity}" if project.clarity or project.current == "clarify" else ""
    brief = f"# {project.name} ({project.mode}), {at}{score}"
    return Block(
        "project:", {Detail.SUMMARY: brief, Detail.STANDARD: f"{brief}\n\n{project.description}"}, pinned=True
    )


def _stages(specs: OpenedSpecs, project: SpecProject | None) -> list[Block]:
    steps = {step.name: step for step in project.steps} if project else {}
    return [_stage(specs, stage, steps.get(stage.id)) for stage in specs.flows.project if stage.file]


def _stage(specs: OpenedSpecs, stage: Stage, step: ChangeStep | None) -> Block:
    text = specs.workspace.document(stage.file)
    mark = MARKS[step.status] if step else MARKS[StageProgress.DONE if text else StageProgress.PENDING]
    size = counted(len(text.splitlines()), "line") if text else "not written yet"
    line = f"- {mark} {stage.file}"
    forms = {Detail.SUMMARY: line, Detail.STANDARD: f"{line} ({size}): {stage.does}"}
    if text and text.strip():
        forms[Detail.FULL] = f"{line}\n\n{text}"
    return Block(f"artifact:{stage.file}", forms)


def _open(specs: OpenedSpecs) -> list[Block]:
    found = []
    for change in (each for each in specs.changes().changes if each.is_open):
        forgotten = stale(specs, change)
        brief = f"- {change.id} at {change.current}{f' ({forgotten})' if forgotten else ''}"
        forms = {Detail.SUMMARY: brief, Detail.STANDARD: f"{brief}: {change.description}"}
        found.append(Block(f"change:{change.id}", forms))
    return found


def _decided(specs: OpenedSpecs) -> list[Block]:
    found: dict[str, Block] = {}
    for each in read_decisions(specs.workspace):
        past = f" (superseded by {each.superseded_by})" if each.superseded_by else ""
        brief = f"- {each.number} {each.title}{past}"
        key = f"adr:{each.number}" if f"adr:{each.number}" not in found else f"adr:{each.file}"
        found[key] = Block(
            key,
            {
                Detail.SUMMARY: brief,
                Detail.STANDARD: f"{brief}, {each.status}, {each.file}",
                Detail.FULL: f"{brief}\n\n{each.text}",
            },
            1,
        )
    return list(found.values())


def status_json(config: Config) -> Mapping[str, object]:
    """Returns the overview of a project's specs as JSON: its name, mode, current stage and all stages."""
    specs = open_specs(config)
    project = require_project(specs)
    return {
        "name": project.name,
        "description": project.description,
        "mode": project.mode,
        "current_stage": project.current,
        "clarity_score": project.clarity,
        "stages": {step.name: str(step.status) for step in project.steps},
        "created_at": project.created_at,
        "updated_at": project.updated_at,
    }
