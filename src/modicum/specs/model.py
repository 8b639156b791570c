"""What a change, a stage and a decision are: values, built whole. Pure."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from modicum.base.value import Value


class StageProgress(StrEnum):
    """How far a stage has come."""

    PENDING = "pending"
    CURRENT = "in_progress"
    DONE = "completed"


class Status(StrEnum):
    """What became of a change."""

    ACTIVE = "active"
    DONE = "completed"
    CANCELLED = "cancelled"
    ARCHIVED = "archived"


class Field(NamedTuple):
    """A part of a stage's document that may be handed over by itself."""

    heading: str
    required: bool = False


class Stage(NamedTuple):
    """A stage as the table has it: the file that it leaves, and what is checked before it counts as finished."""

    id: str
    name: str
    file: str = ""
    does: str = ""
    template: str = ""
    checks: tuple[str, ...] = ()
    fields: Mapping[str, Field] = {}


class Flows(NamedTuple):
    """The whole table: stages of a project in order, stages of changes by id, and the flows by type and size."""

    project: tuple[Stage, ...]
    stages: Mapping[str, Stage]
    types: Mapping[str, Mapping[str, tuple[str, ...]]]


class ChangeStep(NamedTuple):
    """A stage of one change. `digest` is that of its file when it was finished; `despite` is why a gate was passed."""

    name: str
    status: StageProgress = StageProgress.PENDING
    started_at: str = ""
    completed_at: str = ""
    digest: str = ""
    despite: str = ""


Track = tuple[ChangeStep, ...]


class Change(Value):
    """A change and how far it has come. `branch` is the one it was begun on."""

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
    """What the project is, and how far its own documents have come."""

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
    """An ADR: one decision in one numbered file."""

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
    """Whether a gate stays shut."""

    ERROR = "error"
    WARNING = "warning"


class Complaint(NamedTuple):
    """What a gate has found: where, what, and what to do about it."""

    severity: Severity
    message: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return f"{place}{self.message}"
