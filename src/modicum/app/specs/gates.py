"""What the gates of a stage say, with the documents that they need."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from modicum.app.specs.context import SpecContext
from modicum.specs.changes.flows import file_of
from modicum.specs.changes.gates import (
    GateDocument,
    Requirement,
    check_coverage,
    check_requirements,
    check_tasks,
    check_text,
    check_verify,
    requirements,
)
from modicum.specs.changes.tasks import Task, parse_tasks
from modicum.specs.files import read_text
from modicum.specs.model import Complaint, Stage


class GateInputs(NamedTuple):
    """The documents that lie beside the one to be judged: those of the change (or the project), by stage."""

    desk: SpecContext
    folder: Path
    stages: tuple[Stage, ...]  # of this flow, in order
    project_wide: bool = False

    def read(self, check: str) -> Iterator[GateDocument]:
        """The documents of the stages that have a check."""
        for stage in self.stages:
            if check in stage.checks:
                file = self.file(stage)
                text = read_text(self.folder / file)
                if text is not None:
                    yield GateDocument(self.desk.workspace.shown(self.folder / file), text)

    def file(self, stage: Stage) -> str:
        return stage.file or file_of(self.desk.flows, stage.id) or f"{stage.id}.md"

    def wanted(self) -> tuple[Requirement, ...]:
        return tuple(each for document in self.read("requirements") for each in requirements(document))

    def known(self) -> tuple[Requirement, ...]:
        """What the documents of the project define."""
        docs = self.desk.workspace.docs
        files = [docs / stage.file for stage in self.desk.flows.project if stage.file]
        texts = ((path, read_text(path)) for path in files)
        documents = (GateDocument(path.name, text) for path, text in texts if text is not None)
        return tuple(each for document in documents for each in requirements(document))

    def tasks(self) -> tuple[tuple[Task, ...], str]:
        """The tasks, and the file that has them."""
        document = next(self.read("tasks"), None)
        return (parse_tasks(document.text), document.file) if document else ((), "")


_Gate = Callable[[GateInputs, GateDocument], Iterator[Complaint]]


def _verify(papers: GateInputs, document: GateDocument) -> Iterator[Complaint]:
    tasks, file = papers.tasks()
    # The tasks of a whole project are worked on after its documents are validated.
    return check_verify(document, () if papers.project_wide else tasks, file)


GATES: dict[str, _Gate] = {
    "requirements": lambda _, document: check_requirements(document),
    "coverage": lambda papers, document: check_coverage(document, papers.wanted(), papers.known()),
    "tasks": lambda _, document: check_tasks(document, parse_tasks(document.text)),
    "verify": _verify,
}


def examine(papers: GateInputs, stage: Stage, document: GateDocument) -> tuple[Complaint, ...]:
    """Everything that speaks against a stage being finished, and what is only worth telling."""
    found = list(check_text(document, stage.template))
    for name in stage.checks:
        found += GATES[name](papers, document) if name in GATES else ()
    return tuple(found)
