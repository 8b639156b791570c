"""The model of specs: the values for changes, stages, flows, decisions, complaints of gates. Pure."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from modicum.base.value import Value


class StageProgress(StrEnum):
    """The progress of a stage in the model of specs: pending, in progress, completed."""

    PENDING = "pending"
    CURRENT = "in_progress"
    DONE = "completed"


class Status(StrEnum):
    """The status of a change in the model of specs: active, completed, cancelled, archived."""

    ACTIVE = "active"
    DONE = "completed"
    CANCELLED = "cancelled"
    ARCHIVED = "archived"


class Field(NamedTuple):
    """A part of a stage's document that may be written by itself, in the model of specs."""

    heading: str
    required: bool = False


class Stage(NamedTuple):
    """A stage in the model of specs: its file, its template, and which gates check it."""

    id: str
    name: str
    file: str = ""
    does: str = ""
    template: str = ""
    checks: tuple[str, ...] = ()
    fields: Mapping[str, Field] = {}


class Flows(NamedTuple):
    """A value of specs: a project's stages in order, stages of changes by id, flows by type and size."""

    project: tuple[Stage, ...]
    stages: Mapping[str, Stage]
    types: Mapping[str, Mapping[str, tuple[str, ...]]]


class ChangeStep(NamedTuple):
    """One stage of one change in the model of specs; `despite` says why a shut gate was passed."""

    name: str
    status: StageProgress = StageProgress.PENDING
    started_at: str = ""
    completed_at: str = ""
    digest: str = ""
    despite: str = ""


Track = tuple[ChangeStep, ...]


class Change(Value):
    """A change in the model of specs, and how far it has come. `branch` is the one on which it was begun."""

    id: str
    type: str
    size: str
    description: str
    steps: Track
    status: Status = Status.ACTIVE
    branch: str = ""
    adrs: tuple[str, ...] = ()
    reason: str = ""  # why it was cancelled
    created_at: str = ""
    updated_at: str = ""

    @property
    def current(self) -> str:
        """Returns the stage of this change that is being worked on, or "" if none is."""
        return next((step.name for step in self.steps if step.status is StageProgress.CURRENT), "")

    @property
    def is_open(self) -> bool:
        return self.status is Status.ACTIVE


class SpecProject(Value):
    """The project in the model of specs, and how far its own documents have come."""

    name: str
    description: str
    steps: Track
    mode: str = "guided"
    clarity: int = 0
    created_at: str = ""
    updated_at: str = ""

    @property
    def current(self) -> str:
        return next((step.name for step in self.steps if step.status is StageProgress.CURRENT), "")


class Decision(NamedTuple):
    """A decision (ADR) in the model of specs, read from its numbered file."""

    number: str
    title: str
    status: str = "accepted"
    file: str = ""
    change: str = ""
    superseded_by: str = ""
    text: str = ""


STATUSES = ("proposed", "accepted", "deprecated", "superseded")  # of a decision


class DecisionDraft(Value):
    """A decision (ADR) in the model of specs that is not written to a file yet."""

    title: str
    context: str = ""
    decision: str = ""
    rationale: str = ""
    alternatives_rejected: str = ""
    status: str = "accepted"
    change: str = ""
    supersedes: str = ""


class Severity(StrEnum):
    """A value of specs: how severe a complaint is. An error keeps the gate shut; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


class Complaint(NamedTuple):
    """A complaint of a gate, in the model of specs: where, what is wrong, and what to do about it."""

    severity: Severity
    message: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return f"{place}{self.message}"
