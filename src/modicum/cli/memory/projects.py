"""modicum projects and stats"""

import click

from modicum.cli import output
from modicum.cli.options import memory, sized
from modicum.memory.model import ProjectMove, Stats


@click.group()
def projects() -> None:
    """Projects in memory: list, merge, rename and prune them."""


@projects.command("list")
@sized
def list_projects(*, as_json: bool) -> int:
    """Every project, and how much there is of it.

    \b
    Example:
      modicum projects list
    """
    with memory() as (_, store):
        found = store.projects()
    if as_json:
        output.say_json({"projects": [each._asdict() for each in found]})
        return 0
    if not found:
        output.say("There are no projects.")
        return 0
    rows = [
        (
            output.coloured(p.name or "(none)", ""),
            str(p.notes),
            str(p.sessions),
            str(p.prompts),
            p.latest_at[:16],
        )
        for p in found
    ]
    output.table(
        ("Project", "Notes", "Sessions", "Prompts", "Latest"), rows, right=("Notes", "Sessions", "Prompts")
    )
    return 0


@projects.command("merge")
@click.argument("sources", nargs=-1, required=True)
@click.option("--into", required=True, metavar="NAME")
@sized
def merge(sources: tuple[str, ...], *, into: str, as_json: bool) -> int:
    """Make one project of several.

    \b
    Example:
      modicum projects merge shop-backend Shop --into shop
    """
    with memory() as (_, store):
        moved = store.merge_projects(sources, into)
    return _tell(moved, f"moved to {into}", as_json=as_json)


@projects.command("rename")
@click.argument("old")
@click.argument("new")
@sized
def rename(old: str, new: str, *, as_json: bool) -> int:
    """Give a project another name.

    \b
    Example:
      modicum projects rename shop-backend shop
    """
    with memory() as (_, store):
        moved = store.rename_project(old, new)
    return _tell(moved, f"are {new}'s now", as_json=as_json)


@projects.command("prune")
@click.argument("name")
@sized
def prune(name: str, *, as_json: bool) -> int:
    """Remove a project that has no notes.

    \b
    Example:
      modicum projects prune shop-backend
    """
    with memory() as (_, store):
        moved = store.prune_project(name)
    return _tell(moved, "removed", as_json=as_json)


def _counted(found: ProjectMove | Stats) -> tuple[str, str, str]:
    return (
        output.counted(found.notes, "note"),
        output.counted(found.sessions, "session"),
        output.counted(found.prompts, "prompt"),
    )


def _tell(moved: ProjectMove, what: str, *, as_json: bool) -> int:
    if as_json:
        output.say_json(moved._asdict())
    else:
        notes, sessions, prompts = _counted(moved)
        output.say(f"{notes}, {sessions} and {prompts} {what}.")
    return 0


@click.command()
@sized
def stats(*, as_json: bool) -> int:
    """How much there is in memory.

    \b
    Example:
      modicum stats
    """
    with memory() as (_, store):
        found, place = store.stats(), store.database.place
    if as_json:
        output.say_json(found._asdict())
        return 0
    output.say(f"{', '.join(_counted(found))} in {place}")
    if found.projects:
        output.say(f"Projects: {', '.join(found.projects)}")
    return 0
