"""The commands modicum undo and modicum memory log."""

from typing import TYPE_CHECKING

import click

from modicum.app.counted import enumerated
from modicum.app.local_times import local_time
from modicum.app.memory.logs import LOGGED, list_batches
from modicum.app.memory.notes import with_title
from modicum.cli import output
from modicum.cli.options import COUNT, json_option
from modicum.cli.store import open_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modicum.memory.undo.model import LoggedBatch, NamedNote, UndoneBatch

MOST_NAMES = 10
HEAD = ("Batch", "When", "Who", "Through", "Change", "How many", "Notes")
RIGHT = ("Batch",)


@click.command()
@click.argument("batch", type=COUNT, required=False)
@click.option("--dry-run", is_flag=True, help="Show what would be taken back, and do nothing.")
@json_option
def command(batch: int | None, *, dry_run: bool, as_json: bool) -> int:
    """Undo your last change of memory, or the one that BATCH names; what hooks keep is only undone by its number.

    Once more undoes the change before that. What was changed again since is named and left. An undo is a change itself:
    its own number brings everything back.

    \b
    Examples:
      modicum undo --dry-run
      modicum undo
      modicum undo 17        modicum memory log
    """
    with open_memory() as (_, store):
        done = store.undo(batch or 0, dry_run=dry_run)
    return say_undone(done, dry_run=dry_run, as_json=as_json)


def say_undone(done: "UndoneBatch", *, dry_run: bool, as_json: bool) -> int:
    """Prints what `modicum undo` took back and what it left, and returns the exit code 0."""
    if as_json:
        output.say_json(_as_json(done, dry_run=dry_run))
        return 0
    what = f"{done.batch.kind} of {local_time(done.batch.at)}"
    if done.counts:
        verb = "Would be taken back" if dry_run else "Taken back"
        output.say(f"{verb}: {what} ({enumerated(done.counts)})")
    else:
        output.say(f"Nothing of it can be taken back any more: {what}")
    _say_names(done.notes)
    if done.left:
        output.say("Left, since it was changed again later:")
        _say_names(done.left)
    if done.batch.kind == "sync":
        output.say("The next sync takes it back for the others, too.")
    if not dry_run and done.counts:
        output.say(f"Do it again: modicum undo {done.number}")
    return 0


def _as_json(done: "UndoneBatch", *, dry_run: bool) -> dict[str, object]:
    names = {name: [_fields(each) for each in getattr(done, name)] for name in ("notes", "left")}
    undone = {
        "batch": {**done.batch._asdict(), "undoes": done.batch.undoes or None},
        "number": done.number or None,
        "counts": dict(done.counts),
    }
    return {**undone, **names, "dry_run": dry_run}


def _fields(note: "NamedNote") -> dict[str, int | str]:
    return {"id": note.public_id, "number": note.id, "title": note.title}


def _say_names(notes: "Sequence[NamedNote]") -> None:
    for note in notes[:MOST_NAMES]:
        output.say(f"  {with_title(note)}")
    if len(notes) > MOST_NAMES:
        output.say(f"  and {len(notes) - MOST_NAMES:,} more")


@click.command("log")
@click.option("--limit", type=COUNT, default=LOGGED, show_default=True, metavar="N", help="At most so many.")
@click.option("--cursor", default="", metavar="WORD", help="Go on where an earlier list ended.")
@json_option
def log(*, limit: int, cursor: str, as_json: bool) -> int:
    """List the changes of memory of the last 30 days, the latest first; modicum undo BATCH takes one back.

    \b
    Example:
      modicum memory log --limit 5
    """
    with open_memory() as (_, store):
        found = list_batches(store, limit, cursor)
    if as_json:
        batches = [_logged(each) for each in found.items]
        output.say_json({"batches": batches, "next": found.next or None})
        return 0
    if not found.items:
        output.say("Nothing was changed in the last 30 days.")
        return 0
    output.table(HEAD, [_row(each) for each in found.items], right=RIGHT)
    if found.next:
        output.say(f"More: modicum memory log --cursor {found.next}")
    return 0


def _logged(logged: "LoggedBatch") -> dict[str, object]:
    names = [_fields(each) for each in logged.notes]
    more = {"counts": dict(logged.counts), "notes": names, "undone_by": logged.undone_by or None}
    return {**logged.batch._asdict(), "undoes": logged.batch.undoes or None, **more}


def _row(logged: "LoggedBatch") -> tuple[str, ...]:
    batch = logged.batch
    of = f" of {batch.undoes}" if batch.undoes else ""
    gone = f" (undone by {logged.undone_by})" if logged.undone_by else ""
    rest = logged.counts.get("note", 0) - len(logged.notes)
    names = ", ".join(
        [*map(with_title, logged.notes), *([f"{rest:,} more"] if rest > 0 and logged.notes else [])]
    )
    what = f"{batch.kind}{of}{gone}"
    return (
        str(batch.id),
        local_time(batch.at),
        batch.person,
        batch.source,
        what,
        enumerated(logged.counts),
        names,
    )
