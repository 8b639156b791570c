"""The command modicum memory projects."""

from typing import Any

import click

from modicum.app.counted import counted
from modicum.app.memory.lists import list_projects
from modicum.app.memory.projects import join_project, merge_projects, remove_project, rename_project
from modicum.cli import output
from modicum.cli.groups import group
from modicum.cli.options import item_count, json_option
from modicum.cli.pages import amount_options, print_page
from modicum.cli.settings.names_to_complete import complete_projects
from modicum.cli.store import open_memory
from modicum.memory.model import ProjectMove


@group
def projects() -> None:
    """List, merge, rename, join and remove the projects in memory.

    \b
    Examples:
      modicum memory projects list
      modicum memory projects rename shop store
    """


@projects.command("list")
@click.option("--limit", type=item_count, metavar="N", help="At most so many projects.")
@amount_options
@json_option
def list_all(**options: Any) -> int:
    """List the projects in memory, the one with the most notes first, and how much there is of each.

    \b
    Example:
      modicum memory projects list
    """
    with open_memory() as (_, store):
        return print_page(list_projects(store), options, empty="There are no projects.")


@projects.command("merge")
@click.argument("sources", nargs=-1, required=True, shell_complete=complete_projects)
@click.option("--into", required=True, metavar="NAME", help="The project that they become.")
@json_option
def merge(sources: tuple[str, ...], *, into: str, as_json: bool) -> int:
    """Merge several projects in memory into one.

    \b
    Example:
      modicum memory projects merge shop-backend Shop --into shop
    """
    with open_memory() as (_, store):
        moved = merge_projects(store, sources, into)
    return _say(moved, f"moved to {into}", as_json=as_json)


@projects.command("rename")
@click.argument("old", shell_complete=complete_projects)
@click.argument("new")
@json_option
def rename(old: str, new: str, *, as_json: bool) -> int:
    """Give a project another name.

    \b
    Example:
      modicum memory projects rename shop-backend shop
    """
    with open_memory() as (_, store):
        moved = rename_project(store, old, new)
    return _say(moved, f"are {new}'s now", as_json=as_json)


@projects.command("join")
@click.argument("name", shell_complete=complete_projects)
@json_option
def join(name: str, *, as_json: bool) -> int:
    """Say that the folder you are in belongs to a project in memory.

    What was saved in the folder until now moves there, and every clone of the folder's repository finds it from then on.

    \b
    Example:
      modicum memory projects join acme/shop
    """
    with open_memory() as (config, store):
        joined = join_project(store, config, name)
    fields = {"project": joined.name, **joined.moved._asdict()}
    return output.say_result(fields, f"This folder belongs to {joined.name} now.", as_json=as_json)


@projects.command("remove")
@click.argument("name", shell_complete=complete_projects)
@json_option
def remove(name: str, *, as_json: bool) -> int:
    """Remove a project that has no notes.

    \b
    Example:
      modicum memory projects remove shop-backend
    """
    with open_memory() as (_, store):
        moved = remove_project(store, name)
    return _say(moved, "removed", as_json=as_json)


def _say(moved: ProjectMove, what: str, *, as_json: bool) -> int:
    notes, sessions = counted(moved.notes, "note"), counted(moved.sessions, "session")
    prompts = counted(moved.prompts, "prompt")
    return output.say_result(moved._asdict(), f"{notes}, {sessions} and {prompts} {what}.", as_json=as_json)
