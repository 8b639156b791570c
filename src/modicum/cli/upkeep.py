"""modicum projects, stats and doctor"""

import sys

import click

from modicum.app.memory import FILE
from modicum.cli import output
from modicum.cli.options import json_option, memory
from modicum.memory.model import Moved


@click.group()
def projects() -> None:
    """Projects in memory: list, merge, rename and prune them."""


@projects.command("list")
@json_option
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
    rows = [
        (
            output.coloured(p.name or "(none)", ""),
            str(p.observations),
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
@json_option
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
@json_option
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
@json_option
def prune(name: str, *, as_json: bool) -> int:
    """Remove a project that has no notes.

    \b
    Example:
      modicum projects prune shop-backend
    """
    with memory() as (_, store):
        moved = store.prune_project(name)
    return _tell(moved, "removed", as_json=as_json)


def _tell(moved: Moved, what: str, *, as_json: bool) -> int:
    if as_json:
        output.say_json(moved._asdict())
    else:
        output.say(
            f"{moved.observations} notes, {moved.sessions} sessions and {moved.prompts} prompts {what}."
        )
    return 0


@click.command()
@json_option
def stats(*, as_json: bool) -> int:
    """How much there is in memory.

    \b
    Example:
      modicum stats
    """
    with memory() as (config, store):
        found = store.stats()
    if as_json:
        output.say_json(found._asdict())
        return 0
    output.say(
        f"{found.observations:,} notes, {found.sessions:,} sessions, {found.prompts:,} prompts in {config.data / FILE}"
    )
    if found.projects:
        output.say(f"Projects: {', '.join(found.projects)}")
    return 0


@click.command()
@click.option("--fix", is_flag=True, help="Make the search index anew.")
@json_option
def doctor(*, fix: bool, as_json: bool) -> int:
    """Check memory from end to end. Exit 1 if something is wrong.

    \b
    Example:
      modicum doctor --fix
    """
    with memory() as (config, store):
        if fix:
            store.rebuild_index()
        problems = store.problems()
        path = config.data / FILE
    if as_json:
        output.say_json({"python": sys.version.split()[0], "memory": str(path), "problems": [*problems]})
    else:
        output.say(f"Memory: {path}, {path.stat().st_size:,} bytes")
        for problem in problems:
            output.say(f"wrong  {problem}")
        output.say(
            "Nothing is wrong."
            if not problems
            else "Try modicum doctor --fix; your notes are not touched by it."
        )
    return 1 if problems else 0
