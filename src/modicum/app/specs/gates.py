"""Runs the gates of a stage of a change or project, with the other documents that the gates need."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from modicum.app.specs.open_specs import OpenedSpecs
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
from modicum.specs.model import Change, Complaint, Severity, Stage


class GateInputs(NamedTuple):
    """What the use cases give to the gates of a stage beside its text: other documents of the change, or of the project."""

    specs: OpenedSpecs
    folder: Path
    stages: tuple[Stage, ...]  # of this flow, in order
    project_wide: bool = False

    def read(self, check: str) -> Iterator[GateDocument]:
        """Reads, for the use cases, the documents that a gate looks at: those of the stages that have this check."""
        for stage in self.stages:
            if check in stage.checks:
                file = self.file(stage)
                text = read_text(self.folder / file)
                if text is not None:
                    yield GateDocument(self.specs.workspace.shown(self.folder / file), text)

    def file(self, stage: Stage) -> str:
        return stage.file or file_of(self.specs.flows, stage.id)

    def wanted(self) -> tuple[Requirement, ...]:
        return tuple(each for document in self.read("requirements") for each in requirements(document))

    def known(self) -> tuple[Requirement, ...]:
        """Returns the requirements that the project's documents define, for the gates to compare with."""
        docs = self.specs.workspace.docs
        files = [docs / stage.file for stage in self.specs.flows.project if stage.file]
        texts = ((path, read_text(path)) for path in files)
        documents = (GateDocument(path.name, text) for path, text in texts if text is not None)
        return tuple(each for document in documents for each in requirements(document))

    def tasks(self) -> tuple[tuple[Task, ...], str]:
        """Returns, for a use case, the tasks that gates of a stage compare with, and the file that has the tasks."""
        document = next(self.read("tasks"), None)
        return (parse_tasks(document.text), document.file) if document else ((), "")


_Gate = Callable[[GateInputs, GateDocument], Iterator[Complaint]]


def _verify(inputs: GateInputs, document: GateDocument) -> Iterator[Complaint]:
    tasks, file = inputs.tasks()
    # The tasks of a whole project are worked on after its documents are validated.
    return check_verify(document, () if inputs.project_wide else tasks, file)


GATES: dict[str, _Gate] = {
    "requirements": lambda _, document: check_requirements(document),
    "coverage": lambda inputs, document: check_coverage(document, inputs.wanted(), inputs.known()),
    "tasks": lambda _, document: check_tasks(document, parse_tasks(document.text)),
    "verify": _verify,
}


def run_gates(inputs: GateInputs, stage: Stage, document: GateDocument) -> tuple[Complaint, ...]:
    """Runs, for a door, the gates of a stage on its document; returns all complaints, errors and warnings."""
    found = list(check_text(document, stage.template))
    for name in stage.checks:
        found += GATES[name](inputs, document) if name in GATES else ()
    return tuple(found)


def run_gates_of_change(
    specs: OpenedSpecs, change: Change, stage: Stage, path: Path, text: str
) -> tuple[Complaint, ...]:
    """Runs, for a door, the gates of a change's stage on the text in a file; returns all complaints, errors and warnings."""
    names = [step.name for step in change.steps]
    stages = tuple(specs.flows.stages[name] for name in names if name in specs.flows.stages)
    inputs = GateInputs(specs, path.parent, stages)
    return run_gates(inputs, stage, GateDocument(specs.workspace.shown(path), text))


def files_to_mend(complaints: Sequence[Complaint], file: str) -> tuple[str, ...]:
    """Returns what a door names after it ran gates: the files to mend, each once; the document itself if no complaint names another."""
    named = (each.file for each in complaints if each.severity is Severity.ERROR)
    return tuple(dict.fromkeys(filter(None, named))) or (file,)
