"""The command modicum memory projects."""

import click

from modicum.app.local_times import local_time
from modicum.app.memory.projects import merge_projects, prune_project, rename_project
from modicum.cli import output
from modicum.cli.groups import group
from modicum.cli.options import json_option
from modicum.cli.settings.names import complete_projects
from modicum.cli.store import open_memory
from modicum.memory.model import ProjectMove

HEAD = ("Project", "Notes", "Sessions", "Prompts", "Latest")


@group
def projects() -> None:
    """List, merge, rename and prune the projects in memory."""


@projects.command("list")
@json_option
def list_projects(*, as_json: bool) -> int:
    """List every project in memory, and how much there is of it.

    \b
    Example:
      modicum memory projects list
    """
    with open_memory() as (_, store):
        found = store.projects()
    if as_json:
        output.say_json({"projects": [each._asdict() for each in found]})
        return 0
    if not found:
        output.say("There are no projects.")
        return 0
    rows = [
        (p.name or "(none)", str(p.notes), str(p.sessions), str(p.prompts), local_time(p.latest_at))
        for p in found
    ]
    output.table(HEAD, rows, right=("Notes", "Sessions", "Prompts"))
    return 0


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
        moved = prune_project(store, name)
    return _say(moved, "removed", as_json=as_json)


def _say(moved: ProjectMove, what: str, *, as_json: bool) -> int:
    notes, sessions = output.counted(moved.notes, "note"), output.counted(moved.sessions, "session")
    prompts = output.counted(moved.prompts, "prompt")
    return output.say_result(moved._asdict(), f"{notes}, {sessions} and {prompts} {what}.", as_json=as_json)
