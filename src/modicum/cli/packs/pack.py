"""The command modicum pack."""

from pathlib import Path

import click

from modicum.app.inject.load import choose_packs, choose_profile, load_knowledge
from modicum.app.packs.library import complaints, start_pack, validate, weigh
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.groups import group
from modicum.cli.options import json_option


@group
def command() -> None:
    """List and check the packs that are in force here, or start a new pack."""


@command.command("list")
@json_option
def list_packs(*, as_json: bool) -> int:
    """List every pack in reading order, with its weight, its layer and the bytes of its tiers.

    \b
    Example:
      modicum pack list
    """
    config = load_config()
    knowledge = load_knowledge(config)
    packs, _ = choose_packs(knowledge.library, choose_profile(knowledge.library, config.profile), (), ())
    weights = [weigh(pack) for pack in packs]
    if as_json:
        rows = [
            {
                "id": w.pack.id,
                "name": w.pack.name,
                "description": w.pack.description,
                "weight": w.pack.weight,
                "layer": w.pack.layer,
                "base": w.pack.base,
                "overlaps": w.pack.overlaps,
                "bytes": w.tiers,
            }
            for w in weights
        ]
        output.say_json({"packs": rows, "warnings": [*knowledge.warnings, *knowledge.troubles]})
    else:
        head = ("Pack", "Name", "Weight", "Layer", "Core", "Detail", "Extended")
        lines = [
            (
                w.pack.id,
                w.pack.name,
                str(w.pack.weight),
                w.pack.layer,
                *map(output.amount, w.tiers.values()),
            )
            for w in weights
        ]
        output.table(head, lines, right=("Weight", "Core", "Detail", "Extended"))
        for trouble in (*knowledge.warnings, *knowledge.troubles):
            output.warn(trouble)
    return 1 if knowledge.troubles else 0


@command.command("validate")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@json_option
def validate_packs(folder: Path | None, *, as_json: bool) -> int:
    """Check packs: keys, types, markers, hidden characters, likely secrets. Exit 1 if something is wrong.

    \b
    Examples:
      modicum pack validate                     everything in force here
      modicum pack validate .modicum/packs/shop one pack
    """
    config = load_config()
    library = validate(folder.resolve()) if folder else load_knowledge(config).library
    found = list(complaints(library))
    wrong = sum(fatal for _, fatal in found)
    if as_json:
        rows = [{"message": sentence, "wrong": fatal} for sentence, fatal in found]
        output.say_json({"packs": [pack.id for pack in library.packs], "findings": rows})
    else:
        for sentence, fatal in found:
            output.say(f"{'wrong' if fatal else 'odd  '}  {sentence}")
        packs = f"{len(library.packs)} pack{'s' * (len(library.packs) != 1)}"
        output.say(f"{packs}: {wrong or 'nothing'} wrong, {len(found) - wrong or 'nothing'} odd.")
    return 1 if wrong else 0


@command.command("new")
@click.argument("name")
@click.option("--user", is_flag=True, help="For all your projects, not only this one.")
@json_option
def new_pack(name: str, *, user: bool, as_json: bool) -> int:
    """Start a pack in this project, with text in each tier to write over.

    \b
    Example:
      modicum pack new billing
    """
    config = load_config()
    folder = start_pack(config.folder if user else config.project, name)
    if as_json:
        output.say_json({"folder": str(folder)})
    else:
        output.say(f"Started {folder}: edit context.md and constraints.md, then run modicum inject.")
    return 0
