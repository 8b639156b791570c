"""The commands modicum undo and modicum memory log."""

from typing import TYPE_CHECKING

import click

from modicum.app.counted import counted, enumerated
from modicum.app.local_times import local_time, same_offset
from modicum.app.memory.logs import LOGGED, list_batches
from modicum.app.memory.notes import with_title
from modicum.app.whose import project_of
from modicum.cli import output
from modicum.cli.options import item_count, json_option
from modicum.cli.store import open_memory
from modicum.memory.undo.model import Reach

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modicum.base.config import Config
    from modicum.memory.store import Store
    from modicum.memory.undo.model import LoggedBatch, NamedNote, UndoneBatch

MOST_NAMES = 10
MOST_PROJECTS = 3
RIGHT = ("Batch",)
_TOGETHER = "\N{NO-BREAK SPACE}"


@click.command()
@click.argument("batch", type=item_count, required=False)
@click.option("--dry-run", is_flag=True, help="Show what would be taken back, and do nothing.")
@click.option("--everywhere", is_flag=True, help="Reach other projects and other people's notes, too.")
@json_option
def command(batch: int | None, *, dry_run: bool, everywhere: bool, as_json: bool) -> int:
    """Undo your last change of memory in this project, or the one that BATCH names; what hooks keep is only undone by its number.

    It says before it acts whose change it is, of which project, and what of it others have already. It does not cross into
    another project and does not touch what a colleague has, unless you ask with --everywhere. Once more undoes the change
    before that. What was changed again since is named and left. An undo is a change itself: its own number brings everything back.

    \b
    Examples:
      modicum undo --dry-run
      modicum undo
      modicum undo 17        modicum memory log
    """
    with open_memory() as (config, store):
        return undo_in(store, config, batch or 0, dry_run=dry_run, everywhere=everywhere, as_json=as_json)


def undo_in(
    store: "Store", config: "Config", number: int = 0, *, dry_run: bool, as_json: bool, kind: str = "",
    everywhere: bool = False,
) -> int:  # fmt: skip
    """Undoes a batch for `modicum undo`, after saying what it is; returns the exit code 0."""
    within = Reach(project_of(store, config), everywhere)
    plan = store.undo(number, kind=kind, dry_run=True, within=within)
    if not as_json:
        output.say(_whose(plan))
    done = (
        plan
        if dry_run
        else store.undo(number or (plan.batch.id if plan.counts else 0), kind=kind, within=within)
    )
    return _say_undone(done, dry_run=dry_run, as_json=as_json)


def _whose(plan: "UndoneBatch") -> str:
    """Which batch it is, whose, of which project, whose notes it reaches, and what of it others have already."""
    batch = plan.batch
    by = f" by {batch.person}" if batch.person else ""
    through = f" through {batch.source}" if batch.source else ""
    where = f" in {_projects(plan.projects)}" if plan.projects else ""
    reached = f"; it reaches notes of {_projects(plan.owners)}" if plan.owners else ""
    shared = f"; others have {counted(plan.shared, 'note')} of it already" if plan.shared else ""
    return f"Batch {batch.id}, {batch.kind}{by}{through}{where}{reached}{shared}."


def _say_undone(done: "UndoneBatch", *, dry_run: bool, as_json: bool) -> int:
    if as_json:
        output.say_json(_as_json(done, dry_run=dry_run))
        return 0
    where = f" in {_projects(done.projects)}" if done.projects else ""
    what = f"{done.batch.kind} of {local_time(done.batch.at)}{where}"
    if done.counts:
        verb = "Would be taken back" if dry_run else "Taken back"
        output.say(f"{verb}: {what} ({enumerated(done.counts)})")
    else:
        output.say(f"Nothing of it can be taken back any more: {what}")
    _say_names(done.notes)
    if done.left:
        output.say("Left, since it was changed again later:")
        _say_names(done.left)
    if done.lost:
        output.say(f"Deleted for good elsewhere, and cannot be brought back: {counted(done.lost, 'item')}")
    if done.counts and (done.shared or done.batch.kind == "sync"):
        output.say("The next sync takes it back for the others, too.")
    if not dry_run and done.counts:
        output.say(f"Do it again: modicum undo {done.number}")
    return 0


def _as_json(done: "UndoneBatch", *, dry_run: bool) -> dict[str, object]:
    names = {name: [_fields(each) for each in getattr(done, name)] for name in ("notes", "left")}
    undone = {
        "batch": {**done.batch._asdict(), "undoes": done.batch.undoes or None},
        "number": done.number or None,
        "projects": list(done.projects),
        "counts": dict(done.counts),
        "owners": list(done.owners),
        "shared": done.shared,
        "lost": done.lost,
    }
    return {**undone, **names, "dry_run": dry_run}


def _fields(note: "NamedNote") -> dict[str, int | str]:
    return {"id": note.public_id, "number": note.id, "title": note.title}


def _projects(names: "Sequence[str]") -> str:
    rest = len(names) - MOST_PROJECTS
    return ", ".join([*names[:MOST_PROJECTS], *([f"{rest:,} more"] if rest > 0 else [])])


def _say_names(notes: "Sequence[NamedNote]") -> None:
    for note in notes[:MOST_NAMES]:
        output.say(f"  {with_title(note)}")
    if len(notes) > MOST_NAMES:
        output.say(f"  and {len(notes) - MOST_NAMES:,} more")


@click.command("log")
@click.option(
    "--limit", type=item_count, default=LOGGED, show_default=True, metavar="N", help="At most so many."
)
@click.option("--cursor", default="", metavar="WORD", help="Go on where an earlier list ended.")
@json_option
def log(*, limit: int, cursor: str, as_json: bool) -> int:
    """List the changes of memory of the last 30 days, the latest first; modicum undo BATCH takes one back.

    \b
    Example:
      modicum memory log --limit 5
    """
    with open_memory() as (config, store):
        found = list_batches(store, limit, cursor)
    if as_json:
        batches = [_logged(each) for each in found.items]
        output.say_json({"batches": batches, "next": found.next or None})
        return 0
    if not found.items:
        output.say("Nothing was changed in the last 30 days.")
        return 0
    _say_log(found.items, project_of(store, config))
    if found.next:
        output.say(f"More: modicum memory log --cursor {found.next}")
    return 0


def _logged(logged: "LoggedBatch") -> dict[str, object]:
    names = [_fields(each) for each in logged.notes]
    more = {
        "projects": list(logged.projects),
        "counts": dict(logged.counts),
        "notes": names,
        "undone_by": logged.undone_by or None,
    }
    return {**logged.batch._asdict(), "undoes": logged.batch.undoes or None, **more}


def _say_log(batches: "Sequence[LoggedBatch]", here: str) -> None:
    """Prints the log as a table, without the columns that tell nothing: people without names, the one project here."""
    offset, times = same_offset([local_time(each.batch.at) for each in batches])
    several = {project for each in batches for project in each.projects} - {here}
    columns = {
        "Batch": [str(each.batch.id) for each in batches],
        f"When ({offset})" if offset else "When": [time.replace(" ", _TOGETHER) for time in times],
        "Who": [each.batch.person for each in batches],
        "Project": [_projects(each.projects) if several else "" for each in batches],
        "Through": [each.batch.source for each in batches],
        "Change": [_change(each) for each in batches],
        "What": [_things(each) for each in batches],
    }
    told = {head: cells for head, cells in columns.items() if any(cells)}
    output.table([*told], [*zip(*told.values(), strict=True)], right=RIGHT)


def _change(logged: "LoggedBatch") -> str:
    of = f" of {logged.batch.undoes}" if logged.batch.undoes else ""
    return f"{logged.batch.kind}{of}{f' (undone by {logged.undone_by})' if logged.undone_by else ''}"


def _things(logged: "LoggedBatch") -> str:
    """The first notes of a batch by their titles, and how many there are of what is not named."""
    names = [with_title(note) for note in logged.notes]
    counts = dict(logged.counts)
    rest = counts.pop("note", 0) - len(names)
    more = [f"{rest:,} more"] if names and rest > 0 else [counted(rest, "note")] if rest > 0 else []
    return ", ".join([*names, *more, *([enumerated(counts)] if counts else [])])
