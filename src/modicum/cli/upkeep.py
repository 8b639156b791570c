"""modicum projects, stats, export and import"""

import json
import sys
from pathlib import Path

import click

from modicum.cli import output
from modicum.cli.options import memory, sized
from modicum.errors import ModicumError
from modicum.memory.documents import from_document, to_document
from modicum.memory.model import Moved


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


def _tell(moved: Moved, what: str, *, as_json: bool) -> int:
    if as_json:
        output.say_json(moved._asdict())
    else:
        output.say(
            f"{moved.observations} notes, {moved.sessions} sessions and {moved.prompts} prompts {what}."
        )
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
    output.say(
        f"{found.observations:,} notes, {found.sessions:,} sessions, {found.prompts:,} prompts in {place}"
    )
    if found.projects:
        output.say(f"Projects: {', '.join(found.projects)}")
    return 0


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@sized
def export(file: Path | None, *, as_json: bool) -> int:
    """Write everything in memory as JSON; modicum import reads it back without loss.

    \b
    Examples:
      modicum export backup.json
      modicum export > backup.json
    """
    with memory() as (_, store):
        archive = store.export()
    text = json.dumps(to_document(archive), ensure_ascii=False, indent=1)
    if file is None:
        output.say(text)
        return 0
    file.write_text(text + "\n", encoding="utf-8")
    counts = {
        "file": str(file),
        "sessions": len(archive.sessions),
        "observations": len(archive.observations),
        "prompts": len(archive.prompts),
    }
    if as_json:
        output.say_json(counts)
    else:
        output.say(
            f"{counts['observations']} notes, {counts['sessions']} sessions, {counts['prompts']} prompts written to {file}."
        )
    return 0


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@sized
def take_in(file: Path, *, as_json: bool) -> int:
    """Read an export, ours or engram's. What is here already stays as it is, so a second import changes nothing.

    \b
    Example:
      modicum import backup.json
    """
    try:
        archive = from_document(json.loads(file.read_bytes()))
    except (ValueError, RecursionError) as error:
        raise ModicumError(
            f"{file} is no export: {error}", remedy="make one with: modicum export FILE"
        ) from error
    number = len(archive.observations)
    with (
        memory() as (_, store),
        click.progressbar(
            length=number, label="Importing", file=sys.stderr, hidden=not sys.stderr.isatty()
        ) as bar,
    ):
        done = store.take_in(archive, tell=lambda count: bar.update(count - bar.pos))
    if as_json:
        output.say_json(done._asdict())
    else:
        output.say(", ".join(f"{number} {what}" for what, number in done._asdict().items()) + " were new.")
    return 0
