"""The command modicum change."""

from typing import Any

import click

from modicum.app.specs import changes
from modicum.app.specs.changes import ChangeReport, ChangeResult, complaint_as_json
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.groups import group
from modicum.cli.options import given_text, json_option
from modicum.cli.remedies import command_wording
from modicum.cli.settings.names_to_complete import complete_changes
from modicum.cli.store import open_memory_if_possible
from modicum.specs.model import Change, StageProgress

_MARKS = {StageProgress.DONE: "x", StageProgress.CURRENT: ">", StageProgress.PENDING: " "}
change_argument = click.argument("change", default="", required=False, shell_complete=complete_changes)


@group
def command() -> None:
    """Take changes from a description to verified, in as many stages as their size needs.

    A change is a folder of Markdown below docs/changes. CHANGE is its name or the start of it; without one, it is the
    open change of this branch.

    \b
    Examples:
      modicum change new --type fix --size small "Login fails without a password"
      modicum change status
      modicum change advance
    """


@command.command("new")
@click.argument("description", nargs=-1, required=True)
@click.option(
    "--type",
    "kind",
    default="fix",
    show_default=True,
    help="feature, fix, refactor, enhancement, or your own.",
)
@click.option("--size", default="small", show_default=True, help="small, medium, large, or your own.")
@json_option
def new(description: tuple[str, ...], kind: str, size: str, *, as_json: bool) -> int:
    """Begin a change on this branch.

    \b
    Example:
      modicum change new --type fix --size small "Login fails without password"
    """
    with open_memory_if_possible() as (config, store):
        moved = changes.new_change(config, store, kind, size, " ".join(description))
    return print_result(moved, as_json=as_json)


@command.command("advance")
@change_argument
@click.option(
    "--content", help="The text of the stage; - reads it from standard input. By default, what its file says."
)
@click.option("--stage", default="", help="Only if the change is at this stage.")
@click.option(
    "--replace", is_flag=True, help="Put the text in the place of what somebody wrote into the file."
)
@click.option(
    "--despite", default="", metavar="REASON", help="Pass a shut gate. The reason is kept, for all to read."
)
@json_option
def advance(change: str, **options: Any) -> int:
    """Advance a change: finish its stage and begin the next one. A gate that is shut says why;
    nothing is lost.

    \b
    Examples:
      modicum change advance
      modicum change advance --stage spec --content - < spec.md
    """
    content = given_text(options["content"])
    with open_memory_if_possible() as (config, store):
        moved = changes.advance(
            config,
            store,
            content=content,
            change=change,
            stage=options["stage"],
            despite=options["despite"],
            replacing=options["replace"],
        )
    return print_result(moved, as_json=options["as_json"], named=change)


@command.command("back")
@change_argument
@click.option("--to", default="", metavar="STAGE", help="To this stage; by default the one before.")
@json_option
def back(change: str, to: str, *, as_json: bool) -> int:
    """Take a change back to an earlier stage. Files stay as they are.

    \b
    Example:
      modicum change back --to spec
    """
    return print_result(changes.back(load_config(), change=change, to=to), as_json=as_json, named=change)


@command.command("reopen")
@click.argument("change", shell_complete=complete_changes)
@click.option("--to", default="", metavar="STAGE", help="At this stage; by default the last one.")
@json_option
def reopen(change: str, to: str, *, as_json: bool) -> int:
    """Reopen a change that was completed, cancelled or archived.

    \b
    Example:
      modicum change reopen login-fails --to tasks
    """
    with open_memory_if_possible() as (config, store):
        moved = changes.reopen(config, store, change=change, to=to)
    return print_result(moved, as_json=as_json)


@command.command("resize")
@click.argument("size")
@change_argument
@json_option
def resize(size: str, change: str, *, as_json: bool) -> int:
    """Resize a change: go on with more stages, or fewer. What is finished stays finished.

    \b
    Example:
      modicum change resize medium
    """
    moved = changes.resize(load_config(), size, change=change)
    return print_result(moved, as_json=as_json, named=change)


@command.command("cancel")
@change_argument
@click.option("--reason", default="", help="Why: the next one who wants this will be told.")
@json_option
def cancel(change: str, reason: str, *, as_json: bool) -> int:
    """Cancel a change. Its documents stay, and the check finds them.

    \b
    Example:
      modicum change cancel --reason "the vendor drops the API in May"
    """
    with open_memory_if_possible() as (config, store):
        moved = changes.cancel(config, store, change=change, reason=reason)
    return print_result(moved, as_json=as_json)


@command.command("archive")
@click.argument("change", shell_complete=complete_changes)
@json_option
def archive(change: str, *, as_json: bool) -> int:
    """Archive a completed or cancelled change into docs/history.

    \b
    Example:
      modicum change archive login-fails
    """
    return print_result(changes.archive(load_config(), change=change), as_json=as_json)


@command.command("status")
@change_argument
@json_option
def status(change: str, *, as_json: bool) -> int:
    """Show the status of a change: stages, files and tasks. It says what may run at the same time.

    \b
    Example:
      modicum change status
    """
    found = changes.status(load_config(), change=change)
    if as_json:
        output.say_json(standing_as_json(found))
        return 0
    one = found.change
    output.say(f"{one.id} ({one.type}, {one.size}): {one.status}")
    output.say(one.description)
    for step, file, size, edited in found.stages:
        note = "  edited since" if edited else ""
        output.say(f"  [{_MARKS[step.status]}] {step.name:<14} {found.folder}/{file} ({size:,} bytes){note}")
    if found.ticks.total:
        output.say(f"Tasks: {found.ticks.done} of {found.ticks.total} done.")
    for number, wave in enumerate(found.waves.waves, 1):
        output.say(f"  wave {number}: {', '.join(wave)}")
    for problem in (*found.waves.problems, *filter(None, [found.stale])):
        output.warn(problem)
    return 0


@command.command("list")
@click.option("--all", "every", is_flag=True, help="Those that are not open, too.")
@json_option
def list_all(*, every: bool, as_json: bool) -> int:
    """List the open changes; those that look forgotten say so.

    \b
    Example:
      modicum change list --all
    """
    listed = changes.list_changes(load_config(), every=every)
    if as_json:
        rows = [{**change_as_json(change), "stale": stale or None} for change, stale in listed.changes]
        output.say_json({"changes": rows, "warnings": list(listed.troubles)})
        return 0
    for change, stale in listed.changes:
        at = f"at {change.current}" if change.is_open else str(change.status)
        branch = f" on {change.branch}" if change.branch and change.is_open else ""
        output.say(
            f"{change.id}  {change.type}, {change.size}, {at}{branch}{f'  STALE: {stale}' if stale else ''}"
        )
    if not listed.changes:
        output.say("There are no changes." if every else "No change is open.")
    for trouble in listed.troubles:
        output.warn(trouble)
    return 0


def print_result(moved: ChangeResult, *, as_json: bool, named: str = "") -> int:
    """Prints a change after a sub-command of `modicum change`, and what is next for the named one; returns 1 if a gate was shut."""
    code = DONE if moved.advanced else FOUND
    if as_json:
        output.say_json(moved_as_json(moved))
        return code
    again = " ".join(filter(None, ("modicum change advance", named)))
    for complaint in moved.complaints:
        output.warn(f"{complaint.severity}: {complaint}")
    for remark in moved.remarks:
        output.warn(remark.worded(command_wording))
    if not moved.advanced:
        output.say(f"{moved.change.id} stays at {moved.finished}.")
        output.say(f"Edit {' and '.join(moved.to_mend)}, then: {again}")
        return code
    done = f"{moved.finished} is finished. " if moved.finished else ""
    change = moved.change
    where = f"now at {change.current}" if change.is_open else f"{change.status}: {moved.folder}/"
    output.say(f"{done}{change.id} is {where}")
    if moved.is_filled_in:
        output.say(f"Next: {again} fills in {moved.next_file}")
    elif moved.next_file:
        output.say(f"Next: write {moved.next_file}, then: {again}")
    return code


def change_as_json(change: Change) -> dict[str, object]:
    """Returns a change as JSON for the output of `modicum change`, with the keys of its change.json."""
    return {
        "id": change.id,
        "type": change.type,
        "size": change.size,
        "description": change.description,
        "status": str(change.status),
        "current_stage": change.current or None,
        "branch": change.branch or None,
        "adrs": list(change.adrs),
        "reason": change.reason or None,
        "created_at": change.created_at,
        "updated_at": change.updated_at,
    }


def moved_as_json(moved: ChangeResult) -> dict[str, object]:
    return {
        "change": change_as_json(moved.change),
        "folder": moved.folder,
        "finished": moved.finished or None,
        "file": moved.file or None,
        "next_file": moved.next_file or None,
        "to_mend": list(moved.to_mend),
        "advanced": moved.advanced,
        "complaints": [complaint_as_json(each) for each in moved.complaints],
        "warnings": [each.worded(command_wording) for each in moved.remarks],
    }


def standing_as_json(found: ChangeReport) -> dict[str, object]:
    stages = [
        {"name": step.name, "status": str(step.status), "file": file, "bytes": size, "edited": edited}
        for step, file, size, edited in found.stages
    ]
    return {
        **change_as_json(found.change),
        "folder": found.folder,
        "stages": stages,
        "tasks": {"done": found.ticks.done, "total": found.ticks.total, "open": list(found.ticks.open)},
        "waves": [list(wave) for wave in found.waves.waves],
        "problems": list(found.waves.problems),
        "stale": found.stale or None,
    }
