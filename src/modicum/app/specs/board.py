"""The board of changes: open changes by the stage they are at, each with its gate, tasks and waves."""

from typing import NamedTuple

from modicum.app.specs.changes import ChangeReport, is_context, report_on
from modicum.app.specs.gates import GateInputs, run_gates_of_change
from modicum.app.specs.open_specs import OpenedSpecs, open_specs
from modicum.base.config import Config
from modicum.specs.changes.flows import file_of
from modicum.specs.changes.gates import is_shut
from modicum.specs.changes.tasks import Task
from modicum.specs.files import read_decisions, read_text
from modicum.specs.model import Change, Complaint, Decision, Stage

MOST_ENDED = 30


class BoardCard(NamedTuple):
    """A change on the board: its status, and what the gate of its stage complains about."""

    report: ChangeReport
    complaints: tuple[Complaint, ...] = ()

    @property
    def is_shut(self) -> bool:
        return is_shut(self.complaints)


class BoardColumn(NamedTuple):
    """A stage on the board of changes, with the changes that are at it."""

    stage: Stage
    cards: tuple[BoardCard, ...]


class ChangeBoard(NamedTuple):
    """The board of changes: a column for each stage, the latest ended changes, and unreadable files."""

    columns: tuple[BoardColumn, ...]
    ended: tuple[Change, ...]
    troubles: tuple[str, ...]


class ChangeDetails(NamedTuple):
    """One change of the board with everything about it: its card, its tasks by wave, and its decisions."""

    card: BoardCard
    waves: tuple[tuple[Task, ...], ...]
    decisions: tuple[Decision, ...]


def change_board(config: Config) -> ChangeBoard:
    """Returns the board of changes of a project: every open change in the column of its stage."""
    specs = open_specs(config)
    found = specs.changes()
    opened = [change for change in found.changes if change.is_open]
    cards = [_card(specs, change) for change in opened]
    names = {step.name for change in opened for step in change.steps}
    ordered = [
        *(name for name in specs.flows.stages if name in names),
        *sorted(names - set(specs.flows.stages)),
    ]
    columns = tuple(
        BoardColumn(_stage(specs, name), tuple(card for card in cards if card.report.change.current == name))
        for name in ordered
    )
    ended = sorted((each for each in found.changes if not each.is_open), key=lambda each: each.updated_at)
    return ChangeBoard(columns, tuple(reversed(ended[-MOST_ENDED:])), found.troubles)


def change_details(config: Config, name: str) -> ChangeDetails:
    """Returns what the board shows of one change, which is everything; raises ModicumError if there is none of that name."""
    specs = open_specs(config)
    change = specs.change(name)
    card = _card(specs, change)
    tasks = {task.id: task for task in _inputs(specs, change).tasks()[0]}
    planned = [tuple(tasks.pop(each) for each in wave if each in tasks) for wave in card.report.waves.waves]
    rest = tuple(tasks.values())  # those that no plan can order
    decisions = tuple(each for each in read_decisions(specs.workspace) if each.number in change.adrs)
    return ChangeDetails(card, tuple(filter(None, (*planned, rest))), decisions)


def _card(specs: OpenedSpecs, change: Change) -> BoardCard:
    return BoardCard(report_on(specs, change), _complaints(specs, change) if change.is_open else ())


def _complaints(specs: OpenedSpecs, change: Change) -> tuple[Complaint, ...]:
    """What the gate would say now. A stage that is filled in when it is finished is not judged before."""
    name = change.current
    if not name or is_context(specs, name):
        return ()
    path = specs.workspace.folder_of(change) / file_of(specs.flows, name)
    return run_gates_of_change(specs, change, _stage(specs, name), path, read_text(path) or "")


def _inputs(specs: OpenedSpecs, change: Change) -> GateInputs:
    known = (step.name for step in change.steps if step.name in specs.flows.stages)
    return GateInputs(
        specs, specs.workspace.folder_of(change), tuple(specs.flows.stages[name] for name in known)
    )


def _stage(specs: OpenedSpecs, name: str) -> Stage:
    return specs.flows.stages.get(name) or Stage(name, name)
