"""Changes use cases for the doors: new, advance, back, resize, cancel, reopen, archive, status, list."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from modicum.app.answer.amount import parse_amount
from modicum.app.answer.answer import answer
from modicum.app.specs.check import check
from modicum.app.specs.gates import GateInputs, files_to_mend, run_gates_of_change
from modicum.app.specs.open_specs import OpenedSpecs, now, open_specs
from modicum.app.specs.spec_notes import remember_change
from modicum.base.config import Config
from modicum.base.errors import Caution, ModicumError, Remedy
from modicum.base.value import replace
from modicum.memory.redact import redact
from modicum.memory.store import Store
from modicum.specs.changes import moves
from modicum.specs.changes.flows import file_of, flow_of
from modicum.specs.changes.gates import bare, is_shut
from modicum.specs.changes.tasks import Ticks, Waves, plan_waves, progress
from modicum.specs.documents import change_note, digest, overview, template_of
from modicum.specs.file_names import free_name, slug
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
    """What a door is told after it did something to a change; `advanced` is False if a gate was shut."""

    change: Change
    folder: str
    finished: str = ""  # the stage that was
    file: str = ""
    advanced: bool = True
    complaints: tuple[Complaint, ...] = ()
    remarks: tuple[Caution, ...] = ()
    next_file: str = ""  # of the stage that the change is at now
    is_filled_in: bool = False  # by the next advance, with what a context check finds

    @property
    def to_mend(self) -> tuple[str, ...]:
        """Returns the files of a change that a door should name because they keep the gate shut."""
        return () if self.advanced else files_to_mend(self.complaints, self.file)


class ChangeReport(NamedTuple):
    """The status of a change, for a door: its stages with their files, its tasks, and why it looks forgotten."""

    change: Change
    folder: str
    stages: tuple[
        tuple[ChangeStep, str, int, bool], ...
    ]  # with the file, its size, and whether it was edited since
    ticks: Ticks
    waves: Waves
    stale: str = ""


def new_change(config: Config, store: Store | None, kind: str, size: str, description: str) -> ChangeResult:
    """Begins a new change for a door: creates its folder with the file of the first stage."""
    specs = open_specs(config)
    names = flow_of(specs.flows, kind, size)
    words = redact(" ".join(description.split()))
    if not words:
        raise ModicumError("a change needs a description", remedy=Remedy("change.new"))
    remarks = _lacking(specs, names, size)
    with specs.workspace.writing():
        moves.refuse_second(specs.changes().changes, specs.branch)
        name = free_name(slug(words), taken_names(specs.workspace))
        stamp = now()
        steps = moves.start(names, stamp)
        change = Change(
            name, kind, size, words, steps, branch=specs.branch, created_at=stamp, updated_at=stamp
        )
        _settle(specs, change)
    return _moved(specs, change, remarks=(*remarks, *_remembered(store, specs, change)))


def _lacking(specs: OpenedSpecs, names: Sequence[str], size: str) -> tuple[Caution, ...]:
    """Returns a caution if the project has no documents; raises ModicumError if this change needs them."""
    if any((specs.workspace.docs / name).exists() for name in NEEDED):
        return ()
    docs = specs.workspace.shown(specs.workspace.docs)
    lacking = f"{docs}/ has none of {', '.join(NEEDED)}"
    if not BUILDING.isdisjoint(names):
        message = f"{lacking}, and a {size} change builds on them; a small one does not"
        raise ModicumError(message, remedy=Remedy("spec.bootstrap"))
    return (Caution(f"{lacking}: the check has little to go by", Remedy("spec.bootstrap")),)


def _settle(specs: OpenedSpecs, change: Change) -> None:
    """Writes the files of a change in an order in which a process that is killed leaves something readable."""
    folder = specs.workspace.folder_of(change)
    if change.current:
        stage = specs.flows.stages[change.current]
        create(
            specs.workspace, folder / file_of(specs.flows, stage.id), template_of(stage, change.description)
        )
    write_change(specs.workspace, change)
    write_overview(specs, change, folder)


def write_overview(specs: OpenedSpecs, change: Change, folder: Path) -> None:
    """Writes the README.md into the folder of a change; text that somebody added beside our part stays."""
    numbers = set(change.adrs)
    listed = [each for each in read_decisions(specs.workspace) if each.number in numbers] if numbers else []
    before = read_text(folder / OVERVIEW) or ""
    text = put_region(before, "change", overview(change, specs.flows, listed))
    write(specs.workspace, folder / OVERVIEW, text if text.endswith("\n") else f"{text}\n")


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
    """Advances a change for a door: finishes its stage with a text or its file. If a gate is shut, keeps the text."""
    specs = open_specs(config)
    if content is not None and not content.strip():
        raise ModicumError("the text is empty", remedy="leave it out to take what the file says")
    with specs.workspace.writing():
        found = specs.change(change)
        name = _expected(found, stage)
        table = specs.flows.stages.get(name) or Stage(name, name)
        path = specs.workspace.folder_of(found) / file_of(specs.flows, name)
        text = _stage_text(config, store, found, table, path, content, replacing=replacing)
        complaints = run_gates_of_change(specs, found, table, path, text)
        # What was handed over is kept even if the gate is shut: it is to be mended, not written again.
        if text != read_text(path):
            write(specs.workspace, path, text)
        if is_shut(complaints) and not despite:
            write_change(specs.workspace, moves.note_text(found, digest(text)))
            return _moved(specs, found, name, path, advanced=False, complaints=complaints)
        waived = despite if is_shut(complaints) else ""
        after = moves.advance(found, now(), digest=digest(text), despite=waived)
        _settle(specs, after)
    nothing_new = "context" in table.checks and after.is_open
    remarks = () if nothing_new else _remembered(store, specs, after)
    return _moved(specs, after, name, path, complaints=complaints, remarks=remarks)


def _remembered(store: Store | None, specs: OpenedSpecs, change: Change) -> tuple[Caution, ...]:
    """Keeps a change in memory with its finished stages. What a context check found stands elsewhere already."""
    folder = specs.workspace.folder_of(change)
    done = [step.name for step in change.steps if step.status is StageProgress.DONE]
    kept = [name for name in done if not is_context(specs, name)]
    texts = {name: read_text(folder / file_of(specs.flows, name)) or "" for name in kept}
    return remember_change(store, specs, change, change_note(change, texts))


def is_context(specs: OpenedSpecs, stage: str) -> bool:
    """Returns True for a stage that a door, when it finishes it, adds to the change what a context check finds."""
    return stage in specs.flows.stages and "context" in specs.flows.stages[stage].checks


def _expected(change: Change, stage: str) -> str:
    if not change.is_open:
        raise ModicumError(f"{change.id} is {change.status}", remedy=Remedy("change.reopen", id=change.id))
    if stage and stage != change.current:
        raise ModicumError(
            f"{change.id} is at {change.current}, not at {stage}",
            remedy=Remedy("change.status", id=change.id),
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
                f"{path.name} has words that somebody wrote there", remedy=Remedy("stage.replace")
            )
    text = _ended(content) if content is not None else (present if present is not None else template)
    if "context" not in stage.checks:
        return text
    amount = parse_amount(max_tokens=str(CHECK_TOKENS))
    findings = check(config, store, change.description, amount, change=change.id)
    found = answer(findings, amount, lambda rest: f"… {rest.left} more of {rest.total}" if rest.left else "")
    return _ended(put_region(text, REGION, found.page.text or "Nothing that was written here bears on this."))


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


def _moved(
    specs: OpenedSpecs,
    change: Change,
    finished: str = "",
    path: Path | None = None,
    *,
    advanced: bool = True,
    complaints: tuple[Complaint, ...] = (),
    remarks: tuple[Caution, ...] = (),
) -> ChangeResult:
    workspace, at = specs.workspace, change.current if change.is_open else ""
    folder = workspace.shown(workspace.folder_of(change))
    return ChangeResult(
        change,
        folder,
        finished,
        workspace.shown(path) if path else "",
        advanced,
        complaints,
        remarks,
        f"{folder}/{file_of(specs.flows, at)}" if at else "",
        is_context(specs, at),
    )


def _altered(
    config: Config, name: str, alter: Callable[[OpenedSpecs, Change], Change]
) -> tuple[OpenedSpecs, Change]:
    specs = open_specs(config)
    with specs.workspace.writing():
        change = alter(specs, specs.change(name))
        _settle(specs, change)
    return specs, change


def back(config: Config, *, change: str = "", to: str = "") -> ChangeResult:
    """Moves a change back for a door, to an earlier stage, and saves it; the files of its stages stay as they are."""
    specs, found = _altered(config, change, lambda _, each: moves.back(each, now(), to))
    return _moved(specs, found)


def resize(config: Config, size: str, *, change: str = "") -> ChangeResult:
    """Resizes a change for a door and saves it; finished stages that the new size also has stay finished."""

    def alter(specs: OpenedSpecs, each: Change) -> Change:
        return moves.resize(each, size, flow_of(specs.flows, each.type, size), now())

    specs, found = _altered(config, change, alter)
    return _moved(specs, found)


def cancel(config: Config, store: Store | None, *, change: str = "", reason: str = "") -> ChangeResult:
    """Cancels a change for a door, with a reason; a later context check finds the cancelled change again."""
    specs, found = _altered(config, change, lambda _, each: moves.cancel(each, now(), reason))
    return _moved(specs, found, remarks=_remembered(store, specs, found))


def reopen(config: Config, store: Store | None, *, change: str, to: str = "") -> ChangeResult:
    """Reopens a completed, cancelled or archived change for a door, on the branch that is checked out."""
    specs = open_specs(config)
    with specs.workspace.writing():
        found = specs.change(change)
        again = replace(moves.reopen(found, now(), to), branch=specs.branch)
        moves.refuse_second([each for each in specs.changes().changes if each.id != found.id], specs.branch)
        move_change(specs.workspace, found, CHANGES)
        _settle(specs, again)
    return _moved(specs, again, remarks=_remembered(store, specs, again))


def archive(config: Config, *, change: str) -> ChangeResult:
    """Archives a finished change for a door: moves its folder into the history."""
    specs = open_specs(config)
    with specs.workspace.writing():
        found = moves.archive(specs.change(change), now())
        move_change(specs.workspace, found, HISTORY)
        _settle(specs, found)
    return _moved(specs, found)


def status(config: Config, *, change: str = "") -> ChangeReport:
    """Returns the status of a change for a door: stages and files, tasks, and whether it looks forgotten."""
    specs = open_specs(config)
    return report_on(specs, specs.change(change))


def report_on(specs: OpenedSpecs, change: Change) -> ChangeReport:
    """Returns the status report on one of the changes in opened specs."""
    folder = specs.workspace.folder_of(change)
    names = [step.name for step in change.steps if step.name in specs.flows.stages]
    tasks, _ = GateInputs(specs, folder, tuple(specs.flows.stages[name] for name in names)).tasks()
    stages = tuple(_staged(specs, folder, step) for step in change.steps)
    return ChangeReport(
        change,
        specs.workspace.shown(folder),
        stages,
        progress(tasks),
        plan_waves(tasks),
        stale(specs, change),
    )


def _staged(specs: OpenedSpecs, folder: Path, step: ChangeStep) -> tuple[ChangeStep, str, int, bool]:
    file = file_of(specs.flows, step.name)
    text = read_text(folder / file)
    edited = (
        step.status is StageProgress.DONE
        and text is not None
        and digest(text) != (step.digest or digest(text))
    )
    return step, file, len((text or "").encode("utf-8", "surrogateescape")), edited


def stale(specs: OpenedSpecs, change: Change) -> str:
    """Returns why an open change looks forgotten, or "" if the change does not."""
    if not change.is_open:
        return ""
    if change.branch and not has_branch(specs.workspace.root, change.branch):
        return f"its branch {change.branch} is gone"
    days = _days(change.updated_at, now())
    return f"untouched for {days} days" if days >= STALE_DAYS else ""


def _days(earlier: str, later: str) -> int:
    try:
        return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).days
    except (ValueError, TypeError):
        return 0


class ListedChanges(NamedTuple):
    """The list of changes for a door, each with why it looks forgotten, and a sentence for each unreadable one."""

    changes: tuple[tuple[Change, str], ...]
    troubles: tuple[str, ...]


def list_changes(config: Config, *, every: bool = False) -> ListedChanges:
    """Lists the open changes, or all changes, the newest first, for a door."""
    specs = open_specs(config)
    found = specs.changes()
    wanted = [each for each in found.changes if every or each.is_open]
    return ListedChanges(tuple((each, stale(specs, each)) for each in wanted), found.troubles)


def complaint_as_json(complaint: Complaint) -> Mapping[str, object]:
    return {
        "severity": str(complaint.severity),
        "message": complaint.message,
        "file": complaint.file or None,
        "line": complaint.line or None,
    }


def errors(complaints: tuple[Complaint, ...]) -> tuple[Complaint, ...]:
    return tuple(each for each in complaints if each.severity is Severity.ERROR)
