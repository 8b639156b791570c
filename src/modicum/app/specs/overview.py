"""Specs for readers who do not know which file to open: an overview, an audit, thoughts that are kept."""

from collections.abc import Mapping
from typing import NamedTuple

from modicum.app.specs.changes import stale
from modicum.app.specs.context import SpecContext, open_specs
from modicum.app.specs.project import require_project
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.engine.page import Block, Detail, Section
from modicum.memory.model import NoteDraft, Query, Saved
from modicum.memory.names import topic_name
from modicum.memory.store import Store
from modicum.specs.changes.gates import GateDocument, mentioned, requirements
from modicum.specs.changes.moves import slug
from modicum.specs.explore import PARTS, merged, suggest
from modicum.specs.files import read_decisions, read_project, read_text
from modicum.specs.model import ChangeStep, SpecProject, Stage, StageProgress
from modicum.specs.project.scan import mentions, scanned_folder

MARKS = {StageProgress.DONE: "[x]", StageProgress.CURRENT: "[>]", StageProgress.PENDING: "[ ]"}


def context_sections(desk: SpecContext) -> tuple[Section, ...]:
    """What there is, by kind."""
    project = read_project(desk.workspace, desk.flows)
    sections = (
        Section((_head(project, desk),)),
        Section(tuple(_stages(desk, project)), ("## Documents",), "\n"),
        Section(tuple(_open(desk)), ("## Open changes",), "\n"),
        Section(tuple(_decided(desk)), ("## Decisions",), "\n"),
    )
    return tuple(section for section in sections if section.blocks)


def _head(project: SpecProject | None, desk: SpecContext) -> Block:
    if project is None:
        brief = f"{desk.project}: no project was begun here (modicum spec init NAME DESCRIPTION)"
        return Block("project:", {Detail.SUMMARY: brief}, pinned=True)
    at = f"at {project.current}" if project.current else "all documents finished"
    score = f", clarity {project.clarity}" if project.clarity or project.current == "clarify" else ""
    brief = f"# {project.name} ({project.mode}), {at}{score}"
    return Block(
        "project:", {Detail.SUMMARY: brief, Detail.STANDARD: f"{brief}\n\n{project.description}"}, pinned=True
    )


def _stages(desk: SpecContext, project: SpecProject | None) -> list[Block]:
    steps = {step.name: step for step in project.steps} if project else {}
    return [_stage(desk, stage, steps.get(stage.id)) for stage in desk.flows.project if stage.file]


def _stage(desk: SpecContext, stage: Stage, step: ChangeStep | None) -> Block:
    text = read_text(desk.workspace.docs / stage.file)
    mark = MARKS[step.status] if step else MARKS[StageProgress.DONE if text else StageProgress.PENDING]
    size = f"{len(text.splitlines())} lines" if text else "not written yet"
    line = f"- {mark} {stage.file}"
    forms = {Detail.SUMMARY: line, Detail.STANDARD: f"{line} ({size}): {stage.does}"}
    if text and text.strip():
        forms[Detail.FULL] = f"{line}\n\n{text}"
    return Block(f"artifact:{stage.file}", forms)


def _open(desk: SpecContext) -> list[Block]:
    found = []
    for change in (each for each in desk.changes().changes if each.is_open):
        forgotten = stale(desk, change)
        brief = f"- {change.id} at {change.current}{f' ({forgotten})' if forgotten else ''}"
        forms = {Detail.SUMMARY: brief, Detail.STANDARD: f"{brief}: {change.description}"}
        found.append(Block(f"change:{change.id}", forms))
    return found


def _decided(desk: SpecContext) -> list[Block]:
    found: dict[str, Block] = {}
    for each in read_decisions(desk.workspace):
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


# Audit: which requirements can be seen in the documents and in the code.


def audit_sections(desk: SpecContext, path: str = "") -> tuple[Section, ...]:
    """The requirements, those first with which something is wrong."""
    folder = scanned_folder(desk.workspace, path)
    documents = list(_documents(desk))
    defined = {each.id: each for document in documents for each in requirements(document)}
    named: dict[str, list[str]] = {}
    for document in documents:
        for word in mentioned(document):
            named.setdefault(word, []).append(document.file)
    inside = mentions(folder, frozenset(named))
    blocks = [_audited(word, named[word], inside[word], defined[word].text) for word in sorted(defined)]
    phantoms = [
        Block(f"phantom:{word}", {Detail.SUMMARY: f"- {word}: {', '.join(files)}"})
        for word, files in sorted(named.items())
        if word not in defined
    ]
    sections = (
        Section(tuple(phantoms), ("## Defined nowhere",), "\n"),
        Section(tuple(block for block, seen in blocks if not seen), ("## Not seen in the code",), "\n"),
        Section(tuple(block for block, seen in blocks if seen), ("## Seen in the code",), "\n"),
    )
    return tuple(section for section in sections if section.blocks)


def _documents(desk: SpecContext) -> list[GateDocument]:
    files = [stage.file for stage in desk.flows.project if stage.file]
    texts = ((file, read_text(desk.workspace.docs / file)) for file in files)
    return [GateDocument(file, text) for file, text in texts if text]


def _audited(word: str, files: list[str], inside: list[str], text: str) -> tuple[Block, bool]:
    others = ", ".join(dict.fromkeys(files))
    code = f"; {', '.join(inside[:5])}" if inside else ""
    forms = {
        Detail.SUMMARY: f"- {word}",
        Detail.STANDARD: f"- {word} ({others}{code})",
        Detail.FULL: f"- {word}: {text} ({others}{'; ' + ', '.join(inside) if inside else ''})",
    }
    return Block(f"requirement:{word}", forms), bool(inside)


# Exploring.


class Explored(NamedTuple):
    """Thoughts that were kept, and what kind of change they point to."""

    saved: Saved
    topic: str
    content: str
    type: str
    size: str


def explore(
    config: Config, store: Store, title: str, parts: Mapping[str, str], project: str = ""
) -> Explored:
    """Keep thoughts about something that may become a change; a later call adds to them, part by part."""
    if not title.strip():
        raise ModicumError("thoughts need a title", remedy="say in a few words what they are about")
    given = {name: parts[name] for name in PARTS if parts.get(name, "").strip()}
    if not given:
        raise ModicumError(
            "there are no thoughts to keep", remedy=f"give at least one of: {', '.join(PARTS)}"
        )
    owner = project or open_specs(config).project
    topic = topic_name(f"explore/{slug(title)}")
    hits = store.search(topic, Query(project=owner, limit=5)).items
    before = next((hit.note.content for hit in hits if hit.note.topic_key == topic), "")
    content = merged(before, given)
    saved = store.save(NoteDraft(title.strip(), content, "explore", owner, topic_key=topic))
    kind, size = suggest(f"{title} {content}")
    return Explored(saved, topic, content, kind, size)


def status_json(config: Config) -> Mapping[str, object]:
    """The state of the project for programs."""
    desk = open_specs(config)
    project = require_project(desk)
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
