"""Hoofy's sdd_get_context: the state of the project, or the document of one stage."""

from collections.abc import Iterable
from typing import NamedTuple

from modicum.app.specs.open_specs import OpenedSpecs, open_specs
from modicum.app.specs.project import ROUND
from modicum.base.errors import ModicumError
from modicum.compat.hoofy import spec_read_texts as texts
from modicum.compat.hoofy.memory_texts import token_footer, within_budget
from modicum.compat.hoofy.spec_writes import current_project
from modicum.mcp.arguments import Arguments
from modicum.mcp.reply import ToolReply
from modicum.mcp.tool import ToolContext
from modicum.specs.changes.gates import threshold
from modicum.specs.model import SpecProject, Stage, StageProgress


def get_context(context: ToolContext, arguments: Arguments) -> ToolReply:
    specs = open_specs(context.config)
    project = current_project(specs)
    word, most = arguments.text("stage").strip(), arguments.number("max_tokens") or 0
    if word:
        return ToolReply(token_footer(within_budget(_stage_text(specs, word), most)))
    level = arguments.text("detail_level") or "summary"
    view = ProjectState(specs, project)
    text = view.brief() if level == "summary" else view.standard()
    text += view.contents() if level == "full" else ""
    return ToolReply(token_footer(within_budget(text, most)))


def _stage_text(specs: OpenedSpecs, word: str) -> str:
    named = {key: stage for stage in specs.flows.project if stage.file for key in _names(stage)}
    if word not in named:
        raise ModicumError(f"unknown stage: {word}")
    stage = named[word]
    text = specs.workspace.document(stage.file)
    about = texts.ABOUT.get(stage.id, stage.does)
    return text or f"# Stage: {stage.name}\n\n**Status:** Not yet completed\n\n_{about}_"


def _names(stage: Stage) -> tuple[str, ...]:
    """Returns the names of a stage: its id, and those that Hoofy's documentation gives."""
    return stage.id, stage.file, stage.file.removesuffix(".md")


class ProjectState(NamedTuple):
    """The state of a project as Hoofy's sdd_get_context shows it: its stages and documents."""

    specs: OpenedSpecs
    project: SpecProject

    @property
    def current(self) -> str:
        return self.project.current or self.specs.flows.project[-1].id

    def _status(self, name: str) -> StageProgress:
        """Returns the status as Hoofy shows it: the first stage is pending until something is written for it."""
        found = next(step.status for step in self.project.steps if step.name == name)
        first = self.specs.flows.project[1].id
        return StageProgress.PENDING if name == first and found is StageProgress.CURRENT else found

    def brief(self) -> str:
        """Returns the project's state in Hoofy's short form: the stages, one line each."""
        one, need = self.project, threshold(self.project.mode)
        score = f"Clarity: {one.clarity}/{need}\n\n" if self.current == "clarify" else ""
        rows = (
            f"{texts.ICONS[self._status(stage.id)]} {stage.name}{' ←' if stage.id == self.current else ''}\n"
            for stage in self.specs.flows.project
        )
        return f"# {one.name} [{one.mode} mode]\n\n{score}{''.join(rows)}"

    def standard(self) -> str:
        """Returns the project's state in Hoofy's usual form: stages, documents and next step."""
        one, flows = self.project, self.specs.flows
        need = threshold(one.mode)
        stage = next(each for each in flows.project if each.id == self.current)
        score = texts.SCORE.format(score=one.clarity, need=need, mode=one.mode)
        return texts.PROJECT.format(
            name=one.name,
            description=one.description,
            mode=one.mode,
            created=one.created_at,
            updated=one.updated_at,
            stage=stage.name,
            key=stage.id,
            about=texts.ABOUT.get(stage.id, stage.does),
            score=score if stage.id == "clarify" else "",
            rows="\n".join(map(self._row, flows.project)),
            artifacts="\n".join(self._artifacts()),
            next=texts.NEXT.get(stage.id, "").format(score=one.clarity, need=need),
        )

    def _row(self, stage: Stage) -> str:
        status = self._status(stage.id)
        here = " **← current**" if stage.id == self.current else ""
        return (
            f"| {texts.ICONS[status]} {stage.name} | {status}{here} | {self._iterations(stage.id, status)} |"
        )

    def _iterations(self, name: str, status: StageProgress) -> int:
        """Returns how often Hoofy counts a stage: when it is begun, and each time something is written for it."""
        if status is StageProgress.PENDING:
            return 0
        if name == "clarify":
            return 1 + (self._text("clarifications.md") or "").count(ROUND)
        first = {stage.id for stage in self.specs.flows.project[:2]}
        return 1 + (status is StageProgress.DONE and name not in first)

    def _text(self, file: str) -> str | None:
        return self.specs.workspace.document(file)

    def _artifacts(self) -> Iterable[str]:
        docs = self.specs.workspace.shown(self.specs.workspace.docs)
        for stage in self._documents():
            text = self._text(stage.file)
            size = f"{text.count(chr(10)) + 1} lines" if text else "not created"
            yield f"- **{stage.name}** (`{docs}/{stage.file}`): {size}"

    def _documents(self) -> list[Stage]:
        """Returns the stages that have a document; business rules, which Hoofy forgets, once they are written."""
        return [
            stage
            for stage in self.specs.flows.project
            if stage.file and (stage.id != "business-rules" or self._text(stage.file))
        ]

    def contents(self) -> str:
        """Returns the project's state in Hoofy's full form: all documents, whole."""
        found = ((stage.name, self._text(stage.file)) for stage in self._documents())
        return "".join(f"\n---\n\n## {name} Content\n\n{text}\n" for name, text in found if text)
