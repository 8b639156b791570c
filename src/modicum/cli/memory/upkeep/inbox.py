"""The command modicum memory inbox."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from modicum.app.memory.inbox import all_in_inbox, named_in_inbox
from modicum.app.memory.lists import list_inbox
from modicum.app.memory.notes import find_note, with_title
from modicum.app.whose import project_of
from modicum.base.errors import WrongUsage
from modicum.cli import output
from modicum.cli.groups import CommandGroup
from modicum.cli.memory.filters import filter_options, query_of
from modicum.cli.options import given_text, item_count, json_option, project_option
from modicum.cli.pages import amount_options, print_page
from modicum.cli.settings.names_to_complete import complete_notes
from modicum.cli.store import open_memory
from modicum.memory.filters.model import ItemKind
from modicum.memory.model import NOTE_TYPES_LISTED, Changes, Note

if TYPE_CHECKING:
    from modicum.memory.store import Store

NOTHING = "Nothing waits in the inbox."


class ListingGroup(CommandGroup):
    """The group of sub-commands of `modicum memory inbox`, which lists what waits if none is given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = args and (not args[0].startswith("-") or args[0] in ("--help", "-h"))
        return super().parse_args(ctx, args if given else ["list", *args])


@click.group("inbox", cls=ListingGroup)
def inbox() -> None:
    """List, accept, edit and drop the notes that wait for a person; without a sub-command it lists them.

    \b
    Examples:
      modicum memory inbox
      modicum memory inbox accept n-7kq2m4
    """


@inbox.command("list")
@filter_options(ItemKind.NOTE)
@click.option("--limit", type=item_count, metavar="N", help="At most so many notes.")
@amount_options
@json_option
def list_waiting(**options: Any) -> int:
    """List the notes that agents saved and that wait for a person, each with its reason.

    \b
    Examples:
      modicum memory inbox list
      modicum memory inbox --all-projects --detail full
    """
    with open_memory() as (config, store):
        read = list_inbox(store, query_of(store, config, options))
        return print_page(read, options, empty=NOTHING)


@inbox.command("accept")
@click.argument("names", nargs=-1, metavar="[NOTE]...", shell_complete=complete_notes)
@click.option("--all", "every", is_flag=True, help="All notes of the project that wait.")
@project_option
@json_option
def accept(names: Sequence[str], *, every: bool, project: str, as_json: bool) -> int:
    """Accept notes from the inbox: from then on they are found like all others.

    \b
    Examples:
      modicum memory inbox accept n-7kq2m4 n-3v9e
      modicum memory inbox accept --all
    """
    with open_memory() as (config, store):
        chosen = _chosen(store, names, project_of(store, config, project), every=every)
        notes = store.accept([note.id for note in chosen])
    return _say("accepted", notes, as_json=as_json)


@inbox.command("edit")
@click.argument("name", metavar="NOTE", shell_complete=complete_notes)
@click.option("--title", help="Another title.")
@click.option("--content", help="Another text; - reads it from standard input.")
@click.option("--type", "kind", help=f"{NOTE_TYPES_LISTED}, …")
@json_option
def edit(name: str, *, title: str | None, content: str | None, kind: str | None, as_json: bool) -> int:
    """Change a note of the inbox and accept it; its history has what it said before.

    \b
    Example:
      modicum memory inbox edit n-7kq2m4 --title "Queue moved to SQLite"
    """
    text = given_text(content)
    changes = Changes(title=title, content=text, type=kind)
    if changes == Changes():
        raise WrongUsage("there is nothing to change", remedy="add --title, --content or --type")
    with open_memory() as (_, store):
        notes = store.accept([find_note(store, name, deleted=True).id], changes)
    return _say("accepted", notes, as_json=as_json)


@inbox.command("drop")
@click.argument("names", nargs=-1, metavar="[NOTE]...", shell_complete=complete_notes)
@click.option("--all", "every", is_flag=True, help="All notes of the project that wait.")
@project_option
@json_option
def drop(names: Sequence[str], *, every: bool, project: str, as_json: bool) -> int:
    """Drop notes from the inbox; modicum memory restore brings one back.

    \b
    Examples:
      modicum memory inbox drop n-7kq2m4 n-3v9e
      modicum memory inbox drop --all
    """
    with open_memory() as (config, store):
        chosen = _chosen(store, names, project_of(store, config, project), every=every)
        store.drop([note.id for note in chosen])
    return _say("dropped", chosen, as_json=as_json)


def _chosen(store: "Store", names: Sequence[str], project: str, *, every: bool) -> list[Note]:
    if bool(names) is every:
        raise WrongUsage("which notes is not clear", remedy="give their ids, or --all")
    return all_in_inbox(store, project) if every else named_in_inbox(store, names)


def _say(done: str, notes: Sequence[Note], *, as_json: bool) -> int:
    lines = [f"{with_title(note)} {done}" for note in notes]
    fields = {"ids": [note.public_id for note in notes]}
    return output.say_result(fields, "\n".join(lines) or NOTHING, as_json=as_json)
