"""The command modicum show."""

from contextlib import ExitStack
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import click

from modicum.app.memory import recall as memory_pages
from modicum.app.memory.notes import find_note, open_store
from modicum.app.named import find_named, history_sections
from modicum.base.config import Config, load_config
from modicum.base.errors import WrongUsage
from modicum.cli.options import json_option
from modicum.cli.pages import amount_options, is_whole, print_page, print_sections, say_fields
from modicum.cli.settings.names_to_complete import complete_names
from modicum.cli.store import open_memory

if TYPE_CHECKING:
    from modicum.memory.store import Store


@click.command()
@click.argument("name", shell_complete=complete_names)
@click.option("--history", is_flag=True, help="Of a note: every wording it has had, the present one first.")
@click.option(
    "--around", type=click.IntRange(min=0), metavar="N", help="Of a note: N notes before and after it."
)
@amount_options
@json_option
def command(name: str, *, history: bool, around: int | None, **options: Any) -> int:
    """Show anything that has a name, whole: a note, a session, a pack or a part of one, a decision, a change,
    …

    NAME is as it was printed anywhere: n-7kq2m4 is a note (its first letters or its number will do), git a pack, pack:git/commits a part of one, adr:001 a
    decision.

    \b
    Examples:
      modicum show n-7kq2m4
      modicum show n-7kq2m4 --history
      modicum show n-7kq2m4 --around 5
      modicum show pack:git/commits
      modicum show adr:001 --max-tokens 400
    """
    if history and around is not None:
        raise WrongUsage("--history and --around are two pages", remedy="ask for one of them")
    if around is not None:
        return _show_around(name, around, options)
    if history:
        return _show_history(name, options)
    return _show(load_config(), name, options)


def _show(config: Config, name: str, options: dict[str, Any]) -> int:
    with ExitStack() as stack:

        @cache
        def memory() -> "Store":
            store = open_store(config)
            stack.callback(store.close)
            return store

        named = find_named(config, memory, name)
    if options["as_json"] and is_whole(options):
        say_fields(named.fields)
        return 0
    origin = str(named.fields.get("origin") or "")
    return print_sections(named.sections, options, empty="", usual="full", origin=origin)


def _show_history(name: str, options: dict[str, Any]) -> int:
    with open_memory() as (_, store):
        note = find_note(store, name)
        revisions = store.history(note.id)
    if options["as_json"] and is_whole(options):
        named = {"note_id": note.public_id}
        say_fields({"revisions": [revision._asdict() | named for revision in revisions]})
        return 0
    return print_sections(history_sections(note.public_id, revisions), options, empty="", usual="full")


def _show_around(name: str, around: int, options: dict[str, Any]) -> int:
    with open_memory() as (_, store):
        read = partial(memory_pages.timeline, store, find_note(store, name).id, before=around, after=around)
        return print_page(read, options, empty="")
