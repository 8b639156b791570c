"""The command modicum pack."""

from collections.abc import Sequence
from pathlib import Path

import click

from modicum.app.inject.load import choose_packs, choose_profile, load_knowledge
from modicum.app.packs.choice import PackSwitch, skip_packs, start_pack_in_use, use_packs
from modicum.app.packs.library import complaints, token_count, validate, weigh
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.groups import group
from modicum.cli.inject import report
from modicum.cli.options import json_option
from modicum.cli.packs.tier import tier_command
from modicum.cli.settings.names import complete_packs
from modicum.packs.model import Library, Pack


@group
def command() -> None:
    """List and check the packs that are in force here, turn packs on and off, or start a new pack."""


command.add_command(tier_command, "tier")


@command.command("list")
@json_option
def list_packs(*, as_json: bool) -> int:
    """List every pack in force, in reading order, with its weight, its layer and the bytes of its tiers.

    Below it what is turned off: starter packs that nobody has chosen, with their size, and packs that are skipped.

    \b
    Example:
      modicum pack list
    """
    config = load_config()
    knowledge = load_knowledge(config)
    profile = choose_profile(knowledge.library, config.profile)
    packs, strangers = choose_packs(knowledge.library, profile)
    weights, off = [weigh(pack) for pack in packs], packs_off(knowledge.library, packs)
    warnings = [*strangers, *knowledge.warnings, *knowledge.troubles]
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
        output.say_json({"packs": rows, "off": offers_as_json(off), "warnings": warnings})
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
        if off:
            output.say("\nTurned off (modicum pack use NAME turns one on):")
            say_offers(off)
        for sentence in warnings:
            output.warn(sentence)
    return FOUND if knowledge.troubles else DONE


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
    return FOUND if wrong else DONE


def packs_off(library: Library, packs: Sequence[Pack]) -> list[Pack]:
    """Returns the packs of a library that are turned off and not among those in force."""
    in_force = {pack.id for pack in packs}
    return [pack for pack in library.off if pack.id not in in_force]


def say_offers(packs: Sequence[Pack]) -> None:
    """Prints a line for each pack that can be turned on: its name, its size in tokens, and what it is about."""
    sizes = [output.amount(token_count(pack)) for pack in packs]
    wide = max(map(len, sizes), default=0)
    rows = zip(packs, sizes, strict=True)
    report.say_lines((pack.id, f"{size:>{wide}} tokens", pack.description) for pack, size in rows)


def offers_as_json(packs: Sequence[Pack]) -> list[dict[str, object]]:
    """Returns the packs that can be turned on as JSON: id, description, layer and size in tokens."""
    return [
        {"id": p.id, "description": p.description, "layer": p.layer, "tokens": token_count(p)} for p in packs
    ]


_FOR_USER = click.option("--user", is_flag=True, help="For all your projects, not only this one.")


@command.command("use")
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=complete_packs)
@_FOR_USER
@json_option
def turn_on(names: tuple[str, ...], *, user: bool, as_json: bool) -> int:
    """Turn packs on, starter packs too. Kept in .modicum/config.yaml.

    \b
    Examples:
      modicum pack use git
      modicum pack use git testing --user
    """
    return _say_switch(use_packs(load_config(), names, user=user), "on", as_json=as_json)


@command.command("skip")
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=complete_packs)
@_FOR_USER
@json_option
def turn_off(names: tuple[str, ...], *, user: bool, as_json: bool) -> int:
    """Turn packs off. Kept in .modicum/config.yaml.

    \b
    Example:
      modicum pack skip git
    """
    return _say_switch(skip_packs(load_config(), names, user=user), "off", as_json=as_json)


def _say_switch(switch: PackSwitch, state: str, *, as_json: bool) -> int:
    fields = {"file": str(switch.file), "changed": switch.changed, "unchanged": switch.unchanged}
    return output.say_result(fields, "\n".join(switch_sentences(switch, state)), as_json=as_json)


def switch_sentences(switch: PackSwitch, state: str) -> list[str]:
    """Returns what was turned on or off and what was so already, in words."""
    said = []
    if switch.changed:
        said.append(
            f"Turned {state}: {', '.join(switch.changed)} ({switch.file}). Run modicum inject to tell the tools."
        )
    if switch.unchanged:
        said.append(f"Turned {state} already: {', '.join(switch.unchanged)}.")
    return said


@command.command("new")
@click.argument("name")
@_FOR_USER
@json_option
def new_pack(name: str, *, user: bool, as_json: bool) -> int:
    """Start a pack in this project, with text in each tier to write over. The next inject shows it.

    \b
    Example:
      modicum pack new billing
    """
    folder, switch = start_pack_in_use(load_config(), name, user=user)
    said = f"Started {folder}: edit context.md and constraints.md, then run modicum inject."
    more = f"\nThe profile leaves it out, so {switch.file} turns it on." if switch.changed else ""
    return output.say_result({"folder": str(folder)}, said + more, as_json=as_json)
