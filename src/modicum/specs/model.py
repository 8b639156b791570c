"""The values of specs: changes, stages, flows, decisions, complaints of gates. Pure."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from modicum.base.value import Value


class StageProgress(StrEnum):
    """How far a stage has come: pending, in progress, completed."""

    PENDING = "pending"
    CURRENT = "in_progress"
    DONE = "completed"


class Status(StrEnum):
    """The state of a change: active, completed, cancelled, archived."""

    ACTIVE = "active"
    DONE = "completed"
    CANCELLED = "cancelled"
    ARCHIVED = "archived"


class Field(NamedTuple):
    """A part of a stage's document that may be handed over by itself."""

    heading: str
    required: bool = False


class Stage(NamedTuple):
    """A stage in the table of flows: its file, its template, and which gates check it."""

    id: str
    name: str
    file: str = ""
    does: str = ""
    template: str = ""
    checks: tuple[str, ...] = ()
    fields: Mapping[str, Field] = {}


class Flows(NamedTuple):
    """The table of flows: the stages of a project in order, the stages of changes by id, and the flows by type and size."""

    project: tuple[Stage, ...]
    stages: Mapping[str, Stage]
    types: Mapping[str, Mapping[str, tuple[str, ...]]]


class ChangeStep(NamedTuple):
    """One stage of one change. `digest` is that of its finished file; `despite` says why a shut gate was passed."""

    name: str
    status: StageProgress = StageProgress.PENDING
    started_at: str = ""
    completed_at: str = ""
    digest: str = ""
    despite: str = ""


Track = tuple[ChangeStep, ...]


class Change(Value):
    """A change, and how far it has come. `branch` is the one on which it was begun."""

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
        """The stage that is being worked on, or "" if none is."""
        return next((step.name for step in self.steps if step.status is StageProgress.CURRENT), "")

    @property
    def is_open(self) -> bool:
        return self.status is Status.ACTIVE


class SpecProject(Value):
    """The project, and how far its own documents have come."""

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
    """A decision (ADR), from its numbered file."""

    number: str
    title: str
    status: str = "accepted"
    file: str = ""
    change: str = ""
    superseded_by: str = ""
    text: str = ""


STATUSES = ("proposed", "accepted", "deprecated", "superseded")  # of a decision


class DecisionDraft(Value):
    """A decision that is to be written down."""

    title: str
    context: str = ""
    decision: str = ""
    rationale: str = ""
    alternatives_rejected: str = ""
    status: str = "accepted"
    change: str = ""
    supersedes: str = ""


class Severity(StrEnum):
    """An error keeps a gate shut; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


class Complaint(NamedTuple):
    """What a gate has found: where, what is wrong, and what to do about it."""

    severity: Severity
    message: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return f"{place}{self.message}"
