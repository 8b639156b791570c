"""The commands modicum search and modicum recall."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from modicum.app.memory import recall as memory_pages
from modicum.app.memory.inbox import waits_instead
from modicum.app.whose import EVERY_PROJECT
from modicum.base.config import Config
from modicum.cli.memory.filters import filter_options, query_of
from modicum.cli.options import item_count, json_option
from modicum.cli.pages import amount_options, print_page
from modicum.cli.store import open_memory, warn_of_others
from modicum.memory.filters.model import ItemKind
from modicum.memory.model import Query

if TYPE_CHECKING:
    from modicum.memory.store import Store

INBOX = "modicum memory inbox"
limit_option = click.option("--limit", type=item_count, metavar="N", help="At most so many notes.")


@click.command()
@click.argument("words", nargs=-1, required=True)
@filter_options(ItemKind.NOTE)
@limit_option
@amount_options
@click.option("--why", is_flag=True, help="Say for each hit why it is where it is.")
@json_option
def search(words: tuple[str, ...], **options: Any) -> int:
    """Search notes by a plain question; the best are printed whole before others are mentioned.

    \b
    Examples:
      modicum search why did we leave redis
      modicum search '"database is locked"' --all-projects --detail full
      modicum search n-7kq2m4   modicum search auth/session-model
    """
    with open_memory() as (config, store):
        question = " ".join(words)
        query = query_of(store, config, options)
        _warn(config, store, options)
        waits = partial(waits_instead, store, query, INBOX)
        read = partial(memory_pages.search, store, question, query)
        return print_page(read, options, empty=lambda: f"No note answers that.{waits()}", question=question)


@click.command()
@filter_options(*ItemKind)
@limit_option
@amount_options
@json_option
def recall(**options: Any) -> int:
    """Recall what a new session should know: pins, recent sessions, prompts and notes, newest first.

    --type, --scope and --origin are of notes: with one of them there are no sessions and no prompts.

    \b
    Examples:
      modicum recall
      modicum recall --detail summary --max-tokens 300
    """
    with open_memory() as (config, store):
        query = query_of(store, config, options)
        _warn(config, store, options)
        waits = partial(waits_instead, store, query, INBOX)
        return print_page(
            partial(memory_pages.recall, store, query), options, empty=lambda: _nothing(query) + waits()
        )


def _warn(config: Config, store: "Store", options: Mapping[str, Any]) -> None:
    warn_of_others(config, store, EVERY_PROJECT if options["all_projects"] else options["project"])


def _nothing(query: Query) -> str:
    if query != Query(project=query.project):
        return "There are no such notes."
    of_it = f' of "{query.project}"' if query.project else ""
    return f'There are no notes{of_it} yet. Keep one: modicum save "Title" "What and why"'
