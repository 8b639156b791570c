"""The command modicum memory sessions."""

from typing import Any

import click

from modicum.app.memory.lists import list_sessions
from modicum.app.session.events import end_session
from modicum.app.whose import project_of
from modicum.cli import output
from modicum.cli.groups import group
from modicum.cli.memory.filters import filter_options, query_of
from modicum.cli.options import given_text, item_count, json_option, project_option
from modicum.cli.pages import amount_options, print_page
from modicum.cli.store import open_memory
from modicum.memory.filters.model import ItemKind
from modicum.memory.model import NotFound


@group
def sessions() -> None:
    """Start, end and list sessions: a session is a stretch of work, with the notes made in it.

    \b
    Examples:
      modicum memory sessions list
      modicum memory sessions start monday
    """


@sessions.command("start")
@click.argument("name")
@project_option
@json_option
def start(name: str, *, project: str, as_json: bool) -> int:
    """Start a session, or go on with it.

    \b
    Example:
      modicum memory sessions start monday-morning
    """
    with open_memory() as (config, store):
        made = store.start_session(
            name, project=project_of(store, config, project, writing=True), directory=str(config.root)
        )
    return output.say_result(made._asdict(), f"Session {made.id} of {made.project}", as_json=as_json)


@sessions.command("end")
@click.argument("name")
@click.option("--summary", default="", help="What came of it; - reads it from standard input.")
@json_option
def end(name: str, *, summary: str, as_json: bool) -> int:
    """End a session, and save a summary of it.

    Without one, its latest note of the type session_summary becomes it; if it has none, the latest one
    since its start that was saved in no session. That of another session never does.

    \b
    Example:
      modicum memory sessions end monday-morning --summary "Queue on SQLite."
    """
    with open_memory() as (_, store):
        ended = end_session(store, name, given_text(summary))
    if ended is None:
        raise NotFound(f'there is no session "{name}"', remedy="modicum memory sessions list shows them")
    return output.say_result(ended._asdict(), f"Session {ended.id} ended", as_json=as_json)


@sessions.command("list")
@filter_options(ItemKind.SESSION)
@click.option("--limit", type=item_count, metavar="N", help="At most so many sessions.")
@amount_options
@json_option
def list_all(**options: Any) -> int:
    """List sessions, the one with the latest activity first. One is of every day from its start to its last note.

    \b
    Example:
      modicum memory sessions list --limit 5
    """
    with open_memory() as (config, store):
        read = list_sessions(store, query_of(store, config, options))
        return print_page(read, options, empty="There are no sessions.")
