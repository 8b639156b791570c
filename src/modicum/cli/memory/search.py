"""The commands modicum search and modicum recall."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from modicum.app.memory import recall as memory_pages
from modicum.app.memory.inbox import waits_instead
from modicum.app.memory.query import parse_query
from modicum.app.whose import EVERY_PROJECT, project_of
from modicum.base.config import Config
from modicum.base.errors import WrongUsage
from modicum.cli.options import item_count, json_option, project_option, together
from modicum.cli.pages import amount_options, print_page
from modicum.cli.store import open_memory, warn_of_others
from modicum.memory.model import SCOPES, Query, Refused

if TYPE_CHECKING:
    from modicum.memory.store import Store

INBOX = "modicum memory inbox"
# Of search, recall and delete: which notes.
query_options = together(
    project_option,
    click.option("--all-projects", is_flag=True, help="Notes of every project."),
    click.option(
        "--type", "kind", default="", metavar="TYPE", help="Only notes of this type: decision, bugfix, …"
    ),
    click.option("--scope", type=click.Choice(SCOPES), help="Only notes of this scope."),
    click.option("--namespace", default="", help="Only notes of this namespace."),
    click.option("--session", default="", metavar="ID", help="Only notes of this session."),
    click.option("--since", default="", metavar="DATE", help="From this day on: 2026-11-15, or with a time."),
    click.option("--until", default="", metavar="DATE", help="Up to this day."),
    click.option(
        "--origin",
        default="",
        metavar="KIND",
        help="Only what a person, agent, hook, script, import or sync said.",
    ),
    click.option("--limit", type=item_count, metavar="N", help="At most so many notes."),
)


@click.command()
@click.argument("words", nargs=-1, required=True)
@query_options
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
@query_options
@amount_options
@json_option
def recall(**options: Any) -> int:
    """Recall what a new session should know: pins, recent sessions, prompts and notes, newest first.

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


def query_of(store: "Store", config: Config, options: Mapping[str, Any]) -> Query:
    """Returns the query for notes that the options of `modicum search`, `recall` or `delete` ask for."""
    names = ("namespace", "session", "since", "until", "origin")
    try:
        return parse_query(
            project="" if options["all_projects"] else project_of(store, config, options["project"]),
            scope=options["scope"] or "",
            type=options["kind"],
            **{name: options[name] for name in names},
        )
    except Refused as error:
        raise WrongUsage(error.message, remedy=error.remedy) from None


def _warn(config: Config, store: "Store", options: Mapping[str, Any]) -> None:
    warn_of_others(config, store, EVERY_PROJECT if options["all_projects"] else options["project"])


def _nothing(query: Query) -> str:
    if query != Query(project=query.project):
        return "There are no such notes."
    of_it = f' of "{query.project}"' if query.project else ""
    return f'There are no notes{of_it} yet. Keep one: modicum save "Title" "What and why"'
