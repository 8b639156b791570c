"""Changes: begun, moved on and back, resized, given up, put aside; and how they stand."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from modicum.app.answer.amount import parse_amount
from modicum.app.specs.check import check
from modicum.app.specs.context import SpecContext, now, open_specs
from modicum.app.specs.gates import GateInputs, examine
from modicum.app.specs.to_memory import remember_change, remember_stage
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import replace
from modicum.memory.redact import redact
from modicum.memory.store import Store
from modicum.specs.changes import moves
from modicum.specs.changes.flows import file_of, flow_of
from modicum.specs.changes.gates import GateDocument, bare, is_shut
from modicum.specs.changes.tasks import Ticks, Waves, plan_waves, progress
from modicum.specs.documents import digest, overview, template_of
from modicum.specs.files import (
    CHANGES,
    HISTORY,
    OVERVIEW,
    create,
    move_change,
    read_decisions,
    read_text,
    taken_names,
    write,
    write_change,
)
from modicum.specs.git import has_branch
from modicum.specs.model import Change, ChangeStep, Complaint, Severity, Stage, StageProgress
from modicum.text.regions import put_region
from modicum.text.secrets import redact_secrets

STALE_DAYS = 14
NEEDED = ("business-rules.md", "requirements.md", "design.md")
BUILDING = frozenset({"spec", "design"})
CHECK_TOKENS = 1_200
REGION = "context-check"


class ChangeResult(NamedTuple):
    """A change after something was done to it; `advanced` is False if a gate was shut."""

    change: Change
    folder: str
    finished: str = ""  # the stage that was
    file: str = ""
    advanced: bool = True
    complaints: tuple[Complaint, ...] = ()
    remarks: tuple[str, ...] = ()


class Standing(NamedTuple):
    """How a change stands."""

    change: Change
    folder: str
    stages: tuple[
        tuple[ChangeStep, str, int, bool], ...
    ]  # with the file, its size, and whether it was edited since
    ticks: Ticks
    waves: Waves
    stale: str = ""


def new_change(config: Config, store: Store | None, kind: str, size: str, description: str) -> ChangeResult:
    """Begin a change: a folder with its first file, which somebody can go on writing."""
    desk = open_specs(config)
    names = flow_of(desk.flows, kind, size)
    words = redact(" ".join(description.split()))
    if not words:
        raise ModicumError(
            "a change needs a description", remedy='modicum change new --type fix --size small "…"'
        )
    remarks = _lacking(desk, names, size)
    with desk.workspace.writing():
        moves.refuse_second(desk.changes().changes, desk.branch)
        name = moves.free_name(moves.slug(words), taken_names(desk.workspace))
        stamp = now()
        steps = moves.start(names, stamp)
        change = Change(
            name, kind, size, words, steps, branch=desk.branch, created_at=stamp, updated_at=stamp
        )
        _settle(desk, change)
    return _moved(desk, change, remarks=(*remarks, *remember_change(store, desk.project, change)))


def _lacking(desk: SpecContext, names: Sequence[str], size: str) -> tuple[str, ...]:
    """A change that has requirements or a design of its own builds on those of the project; a small one need not."""
    if any((desk.workspace.docs / name).exists() for name in NEEDED):
        return ()
    docs = desk.workspace.shown(desk.workspace.docs)
    lacking = f"{docs}/ has none of {', '.join(NEEDED)}"
    if not BUILDING.isdisjoint(names):
        remedy = "modicum specs scan and modicum specs bootstrap write a first draft; or begin a small change"
        raise ModicumError(f"{lacking}, and a {size} change builds on them", remedy=remedy)
    return (f"{lacking}: the check has little to go by (modicum specs bootstrap)",)


def _settle(desk: SpecContext, change: Change) -> None:
    """Write a change so that whoever is killed in between leaves something that can be read."""
    folder = desk.workspace.folder_of(change)
    if change.current:
        stage = desk.flows.stages[change.current]
        create(desk.workspace, folder / file_of(desk.flows, stage.id), template_of(stage, change.description))
    write_change(desk.workspace, change)
    write_overview(desk, change, folder)


def write_overview(desk: SpecContext, change: Change, folder: Path) -> None:
    """The page that greets a reader. What somebody has written beside our part of it stays."""
    numbers = set(change.adrs)
    listed = [each for each in read_decisions(desk.workspace) if each.number in numbers] if numbers else []
    before = read_text(folder / OVERVIEW) or ""
    text = put_region(before, "change", overview(change, desk.flows, listed))
    write(desk.workspace, folder / OVERVIEW, text if text.endswith("\n") else f"{text}\n")


def advance(
    config: Config,
    store: Store | None,
    *,
    content: str | None = None,
    change: str = "",
    stage: str = "",
    despite: str = "",
    replacing: bool = False,
) -> ChangeResult:
    """Finish the current stage, with this text or with what its file says; where a gate is shut, say why."""
    desk = open_specs(config)
    if content is not None and not content.strip():
        raise ModicumError("the text is empty", remedy="leave it out to take what the file says")
    with desk.workspace.writing():
        found = desk.change(change)
        name = _expected(found, stage)
        table = desk.flows.stages.get(name) or Stage(name, name)
        path = desk.workspace.folder_of(found) / (file_of(desk.flows, name) or f"{name}.md")
        text = _stage_text(config, store, found, table, path, content, replacing=replacing)
        complaints = _judged(desk, found, table, path, text)
        # What was handed over is kept even if the gate is shut: it is to be mended, not written again.
        if text != read_text(path):
            write(desk.workspace, path, text)
        if is_shut(complaints) and not despite:
            write_change(desk.workspace, moves.note_text(found, digest(text)))
            return _moved(desk, found, name, path, advanced=False, complaints=complaints)
        waived = despite if is_shut(complaints) else ""
        after = moves.advance(found, now(), digest=digest(text), despite=waived)
        _settle(desk, after)
    remarks = () if "context" in table.checks else remember_stage(store, desk.project, after, name, text)
    if not after.is_open:
        remarks += remember_change(store, desk.project, after)
    return _moved(desk, after, name, path, complaints=complaints, remarks=remarks)


def _expected(change: Change, stage: str) -> str:
    if not change.is_open:
        raise ModicumError(f"{change.id} is {change.status}", remedy=f"modicum change reopen {change.id}")
    if stage and stage != change.current:
        raise ModicumError(
            f"{change.id} is at {change.current}, not at {stage}",
            remedy="look at modicum change status first",
        )
    return change.current


def _stage_text(
    config: Config,
    store: Store | None,
    change: Change,
    stage: Stage,
    path: Path,
    content: str | None,
    *,
    replacing: bool,
) -> str:
    content = redact_secrets(content) if content is not None else None
    present = read_text(path)
    template = template_of(stage, change.description)
    if content is not None and present is not None and not replacing:
        step = next(step for step in change.steps if step.name == stage.id)
        ours = {digest(template), step.digest, digest(_ended(content))}
        if bare(present) and digest(present) not in ours:
            raise ModicumError(
                f"{path.name} has words that somebody wrote there",
                remedy="advance without a text to take them, or with --replace to put yours in their place",
            )
    text = _ended(content) if content is not None else (present if present is not None else template)
    if "context" not in stage.checks:
        return text
    amount = parse_amount(max_tokens=str(CHECK_TOKENS))
    answer = check(config, store, change.description, amount, change=change.id)
    return _ended(
        put_region(text, REGION, answer.page.text or "Nothing that was written here bears on this.")
    )


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


def _judged(desk: SpecContext, change: Change, stage: Stage, path: Path, text: str) -> tuple[Complaint, ...]:
    names = [step.name for step in change.steps]
    stages = tuple(desk.flows.stages[name] for name in names if name in desk.flows.stages)
    papers = GateInputs(desk, path.parent, stages)
    return examine(papers, stage, GateDocument(path.name, text))


def _moved(
    desk: SpecContext,
    change: Change,
    finished: str = "",
    path: Path | None = None,
    *,
    advanced: bool = True,
    complaints: tuple[Complaint, ...] = (),
    remarks: tuple[str, ...] = (),
) -> ChangeResult:
    workspace = desk.workspace
    file = workspace.shown(path) if path else ""
    return ChangeResult(
        change, workspace.shown(workspace.folder_of(change)), finished, file, advanced, complaints, remarks
    )


def _altered(
    config: Config, name: str, alter: Callable[[SpecContext, Change], Change]
) -> tuple[SpecContext, Change]:
    desk = open_specs(config)
    with desk.workspace.writing():
        change = alter(desk, desk.change(name))
        _settle(desk, change)
    return desk, change


def back(config: Config, *, change: str = "", to: str = "") -> ChangeResult:
    """Go back to an earlier stage; its file and those behind it stay as they are."""
    desk, found = _altered(config, change, lambda _, each: moves.back(each, now(), to))
    return _moved(desk, found)


def resize(config: Config, size: str, *, change: str = "") -> ChangeResult:
    """Go on in another size; finished stages that it has, too, stay finished."""

    def alter(desk: SpecContext, each: Change) -> Change:
        return moves.resize(each, size, flow_of(desk.flows, each.type, size), now())

    desk, found = _altered(config, change, alter)
    return _moved(desk, found)


def cancel(config: Config, store: Store | None, *, change: str = "", reason: str = "") -> ChangeResult:
    """Give a change up; the check finds it when somebody wants the same again."""
    desk, found = _altered(config, change, lambda _, each: moves.cancel(each, now(), reason))
    return _moved(desk, found, remarks=remember_change(store, desk.project, found))


def reopen(config: Config, store: Store | None, *, change: str, to: str = "") -> ChangeResult:
    """Take up again what was completed, cancelled or archived, on the branch that is checked out."""
    desk = open_specs(config)
    with desk.workspace.writing():
        found = desk.change(change)
        again = replace(moves.reopen(found, now(), to), branch=desk.branch)
        moves.refuse_second([each for each in desk.changes().changes if each.id != found.id], desk.branch)
        move_change(desk.workspace, found, CHANGES)
        _settle(desk, again)
    return _moved(desk, again, remarks=remember_change(store, desk.project, again))


def archive(config: Config, *, change: str) -> ChangeResult:
    """Put a finished change aside, into the history."""
    desk = open_specs(config)
    with desk.workspace.writing():
        found = moves.archive(desk.change(change), now())
        move_change(desk.workspace, found, HISTORY)
        _settle(desk, found)
    return _moved(desk, found)


def status(config: Config, *, change: str = "") -> Standing:
    """How a change stands: its stages and files, its tasks, and whether it was left alone for long."""
    desk = open_specs(config)
    return _standing(desk, desk.change(change))


def _standing(desk: SpecContext, change: Change) -> Standing:
    folder = desk.workspace.folder_of(change)
    names = [step.name for step in change.steps if step.name in desk.flows.stages]
    tasks, _ = GateInputs(desk, folder, tuple(desk.flows.stages[name] for name in names)).tasks()
    stages = tuple(_staged(desk, folder, step) for step in change.steps)
    return Standing(
        change, desk.workspace.shown(folder), stages, progress(tasks), plan_waves(tasks), stale(desk, change)
    )


def _staged(desk: SpecContext, folder: Path, step: ChangeStep) -> tuple[ChangeStep, str, int, bool]:
    file = file_of(desk.flows, step.name) or f"{step.name}.md"
    text = read_text(folder / file)
    edited = (
        step.status is StageProgress.DONE
        and text is not None
        and digest(text) != (step.digest or digest(text))
    )
    return step, file, len((text or "").encode("utf-8", "surrogateescape")), edited


def stale(desk: SpecContext, change: Change) -> str:
    """Why an open change looks forgotten, or ""."""
    if not change.is_open:
        return ""
    if change.branch and not has_branch(desk.workspace.root, change.branch):
        return f"its branch {change.branch} is gone"
    days = _days(change.updated_at, now())
    return f"untouched for {days} days" if days >= STALE_DAYS else ""


def _days(earlier: str, later: str) -> int:
    try:
        return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).days
    except (ValueError, TypeError):
        return 0


class Listed(NamedTuple):
    """Changes, each with why it looks forgotten; and sentences about those that cannot be read."""

    changes: tuple[tuple[Change, str], ...]
    troubles: tuple[str, ...]


def list_changes(config: Config, *, every: bool = False) -> Listed:
    """The open changes, or all of them, the newest first."""
    desk = open_specs(config)
    shelf = desk.changes()
    wanted = [each for each in shelf.changes if every or each.is_open]
    return Listed(tuple((each, stale(desk, each)) for each in wanted), shelf.troubles)


def complaint_as_json(complaint: Complaint) -> Mapping[str, object]:
    return {
        "severity": str(complaint.severity),
        "message": complaint.message,
        "file": complaint.file or None,
        "line": complaint.line or None,
    }


def errors(complaints: tuple[Complaint, ...]) -> tuple[Complaint, ...]:
    return tuple(each for each in complaints if each.severity is Severity.ERROR)
