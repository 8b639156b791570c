"""The moves of a change through its stages: begin, advance, back, reopen, resize, cancel, archive. Pure."""

from collections.abc import Sequence

from modicum.base.errors import ModicumError, Remedy
from modicum.base.value import replace
from modicum.specs.model import Change, ChangeStep, SpecProject, StageProgress, Status, Track
from modicum.text.snippets import snippet

# A track: the stages of a change, or of the project.


def start(names: Sequence[str], now: str) -> Track:
    """Returns the steps with which a new change is at its first stage, before any move."""
    return _begun(tuple(ChangeStep(name) for name in names), now)


def _begun(track: Track, now: str) -> Track:
    """Returns the steps with the first unfinished one as the current one."""
    steps = [
        step._replace(status=StageProgress.PENDING) if step.status is StageProgress.CURRENT else step
        for step in track
    ]
    for at, step in enumerate(steps):
        if step.status is not StageProgress.DONE:
            steps[at] = step._replace(status=StageProgress.CURRENT, started_at=step.started_at or now)
            break
    return tuple(steps)


def finish(track: Track, now: str, *, digest: str = "", despite: str = "") -> Track:
    """Moves the steps of a change on: returns them with the current one finished, and the next one begun."""
    done = tuple(
        step._replace(status=StageProgress.DONE, completed_at=now, digest=digest, despite=despite)
        if step.status is StageProgress.CURRENT
        else step
        for step in track
    )
    return _begun(done, now)


def rewind(track: Track, to: str, now: str) -> Track:
    """Moves the steps of a change back: returns them with the named one current, and later ones pending."""
    names = [step.name for step in track]
    at = names.index(to)
    again = tuple(
        step._replace(status=StageProgress.PENDING, completed_at="", despite="") for step in track[at:]
    )
    return _begun((*track[:at], *again), now)


def refit(track: Track, names: Sequence[str], now: str) -> Track:
    """Moves the steps of a change to another flow; returns them with the steps that both flows have unchanged."""
    known = {step.name: step for step in track}
    return _begun(tuple(known.get(name, ChangeStep(name)) for name in names), now)


def is_finished(track: Track) -> bool:
    return all(step.status is StageProgress.DONE for step in track)


# Changes.


def advance(change: Change, now: str, *, digest: str = "", despite: str = "") -> Change:
    """Moves a change on: returns it with its current stage finished; after the last one it is completed."""
    _require_open(change)
    steps = finish(change.steps, now, digest=digest, despite=despite)
    status = Status.DONE if is_finished(steps) else Status.ACTIVE
    return replace(change, steps=steps, status=status, updated_at=now)


def note_text(change: Change, digest: str) -> Change:
    """Notes the digest of a current stage's file in its change, so that a move may replace this text."""
    steps = tuple(
        step._replace(digest=digest) if step.status is StageProgress.CURRENT else step
        for step in change.steps
    )
    return replace(change, steps=steps)


def back(change: Change, now: str, to: str = "") -> Change:
    """Moves a change back: returns it at an earlier stage, the named one or the one before."""
    _require_open(change)
    names = [step.name for step in change.steps]
    at = names.index(change.current)
    if not to and at == 0:
        raise ModicumError(f"{change.id} is at its first stage", remedy="edit its file, or cancel the change")
    target = to or names[at - 1]
    if target not in names[: at + 1]:
        earlier = ", ".join(names[: at + 1])
        raise ModicumError(
            f'{change.id} has not been at a stage "{target}"', remedy=f"go back to one of: {earlier}"
        )
    return replace(change, steps=rewind(change.steps, target, now), updated_at=now)


def reopen(change: Change, now: str, to: str = "") -> Change:
    """Moves a completed, cancelled or archived change to open, at the named or the last unfinished stage."""
    if change.is_open:
        raise ModicumError(f"{change.id} is open", remedy=Remedy("change.back", id=change.id))
    names = [step.name for step in change.steps]
    if to and to not in names:
        raise ModicumError(f'{change.id} has no stage "{to}"', remedy=f"name one of: {', '.join(names)}")
    unfinished = not is_finished(change.steps)
    steps = _begun(change.steps, now) if unfinished and not to else rewind(change.steps, to or names[-1], now)
    return replace(change, steps=steps, status=Status.ACTIVE, reason="", updated_at=now)


def resize(change: Change, size: str, names: Sequence[str], now: str) -> Change:
    """Moves a change to another size; stages that are finished and still needed stay finished."""
    _require_open(change)
    if size == change.size:
        raise ModicumError(f"{change.id} is {size} already", remedy="name another size")
    steps = refit(change.steps, names, now)
    if is_finished(steps):  # the last stage decides, and it has to see the change as it is now
        steps = rewind(steps, steps[-1].name, now)
    return replace(change, size=size, steps=steps, updated_at=now)


def cancel(change: Change, now: str, reason: str = "") -> Change:
    """Moves a change to cancelled; its documents stay, so that later checks find them."""
    _require_open(change)
    return replace(change, status=Status.CANCELLED, reason=reason, updated_at=now)


def archive(change: Change, now: str) -> Change:
    """Moves a change to archived; raises ModicumError if it is still open."""
    if change.is_open:
        raise ModicumError(
            f"{change.id} is still open at {change.current}", remedy=Remedy("change.cancel", id=change.id)
        )
    if change.status is Status.ARCHIVED:
        raise ModicumError(f"{change.id} is archived already", remedy=Remedy("change.list"))
    reason = change.reason or ("cancelled" if change.status is Status.CANCELLED else "")
    return replace(change, status=Status.ARCHIVED, reason=reason, updated_at=now)


def _require_open(change: Change) -> None:
    if not change.is_open:
        raise ModicumError(f"{change.id} is {change.status}", remedy=Remedy("change.reopen", id=change.id))


def find_change(changes: Sequence[Change], name: str, branch: str) -> Change:
    """Returns the change that a move is about: the named one, else this branch's open one, else the only open one."""
    if name:
        return _named(changes, name)
    active = [change for change in changes if change.is_open]
    here = [change for change in active if change.branch == branch] or active
    if len(here) == 1:
        return here[0]
    if not here:
        raise ModicumError("no change is open", remedy=Remedy("change.new"))
    raise ModicumError(
        "several changes are open", remedy=f"name one of: {', '.join(change.id for change in here)}"
    )


def _named(changes: Sequence[Change], name: str) -> Change:
    exact = [change for change in changes if change.id == name]
    begin = exact or [change for change in changes if change.id.startswith(name)]
    if len(begin) == 1:
        return begin[0]
    if begin:
        raise ModicumError(
            f'several changes begin with "{name}"', remedy=f"name one of: {', '.join(c.id for c in begin)}"
        )
    raise ModicumError(f'there is no change "{snippet(name, 60)}"', remedy=Remedy("change.list"))


def refuse_second(changes: Sequence[Change], branch: str) -> None:
    """Raises ModicumError if a change is open on this branch, before a move begins a second one there."""
    for change in changes:
        if change.is_open and change.branch == branch:
            where = f"on branch {branch}" if branch else "here"
            raise ModicumError(
                f'"{change.id}" ({change.type}, {change.size}, at {change.current}) is open {where}',
                remedy="finish it, cancel it, or begin the new one on a branch or in a worktree of its own",
            )


# The project.


def advance_project(project: SpecProject, now: str, *, digest: str = "", despite: str = "") -> SpecProject:
    """Moves the project on to its next stage: returns it with its current stage finished."""
    return replace(project, steps=finish(project.steps, now, digest=digest, despite=despite), updated_at=now)


def rewind_project(project: SpecProject, to: str, now: str) -> SpecProject:
    """Moves the project's documents back: returns the project at an earlier stage."""
    return replace(project, steps=rewind(project.steps, to, now), updated_at=now)
