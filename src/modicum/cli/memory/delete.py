"""The commands modicum delete and modicum memory restore."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from modicum.app.counted import counted
from modicum.app.memory.notes import delete_notes, find_note, with_title
from modicum.base.errors import ModicumError, WrongUsage
from modicum.cli import output
from modicum.cli.memory.filters import filter_options, query_of
from modicum.cli.memory.search import limit_option
from modicum.cli.options import json_option
from modicum.cli.questions import can_ask, require_yes
from modicum.cli.settings.names_to_complete import complete_notes
from modicum.cli.store import open_memory, say_note
from modicum.memory.filters.model import ItemKind
from modicum.memory.model import Note, NotFound

FOUND = 20  # notes that a query takes, unless --limit says otherwise


@click.command()
@click.argument("names", nargs=-1, metavar="[NOTE]...", shell_complete=complete_notes)
@click.option("--query", "words", default="", metavar="WORDS", help="The notes that a search for this finds.")
@filter_options(ItemKind.NOTE)
@limit_option
@click.option("--dry-run", is_flag=True, help="Show what would be deleted, and do nothing.")
@click.option("--yes", is_flag=True, help="Delete what --query finds without asking.")
@click.option("--hard", is_flag=True, help="For good: it cannot be restored or undone.")
@json_option
def command(names: tuple[str, ...], *, words: str, **options: Any) -> int:
    """Delete notes, all or none. Unless --hard, modicum undo takes it back, and modicum memory restore, too.

    --query takes the filters of modicum search, and at most 20 notes; --dry-run shows which ones.

    \b
    Examples:
      modicum delete n-7kq2m4
      modicum delete n-7kq2m4 n-3v9
      modicum delete --query "status update" --dry-run
    """
    if bool(names) == bool(words.strip()):
        remedy = 'modicum delete n-7kq2m4, or modicum delete --query "WORDS" --dry-run'
        raise WrongUsage("give the notes by their ids or by --query", remedy=remedy)
    with open_memory() as (config, store):
        if words.strip():
            query = query_of(store, config, options)._replace(limit=options["limit"] or FOUND)
            chosen = [hit.note for hit in store.search(words, query).items if not hit.nearby]
        else:
            chosen = [*{note.id: note for note in (find_note(store, name) for name in names)}.values()]
        if not chosen:
            raise NotFound("no note answers that", remedy="modicum search shows what a question finds")
        if words.strip() and not (options["dry_run"] or options["yes"]):
            _agree(chosen, hard=options["hard"])
        done = () if options["dry_run"] else delete_notes(store, chosen, hard=options["hard"])
    return _say(done or chosen, options)


def _agree(notes: Sequence[Note], *, hard: bool) -> None:
    """Names the notes and asks; raises ModicumError unless the answer is yes."""
    for note in notes:
        output.warn(with_title(note))
    if not can_ask():
        remedy = "look at them with --dry-run, then say --yes"
        raise ModicumError(f"{counted(len(notes), 'note')} would be deleted", remedy=remedy)
    question = f"Delete {'these' if len(notes) > 1 else 'this'}{' for good' if hard else ''}?"
    require_yes(question, "nothing was deleted", "name notes by their ids, or ask for others with --query")


def _say(notes: Sequence[Note], options: Mapping[str, Any]) -> int:
    hard, dry_run = options["hard"], options["dry_run"]
    if options["as_json"]:
        output.say_json({"ids": [note.public_id for note in notes], "dry_run": dry_run})
        return 0
    what = "would be deleted" if dry_run else "deleted"
    hint = " for good" if hard else "" if dry_run else " (undo: modicum undo)"
    for note in notes:
        output.say(f"{with_title(note)} {what}{hint}")
    return 0


@click.command("restore")
@click.argument("note", shell_complete=complete_notes)
@json_option
def restore(note: str, *, as_json: bool) -> int:
    """Bring a deleted note back.

    \b
    Example:
      modicum memory restore n-7kq2m4
    """
    with open_memory() as (_, store):
        found = store.restore(find_note(store, note, deleted=True).id)
    return say_note(found, "is back", as_json=as_json)
