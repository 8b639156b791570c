"""The command modicum pack."""

from collections.abc import Sequence
from pathlib import Path

import click

from modicum.app.ignored_by_git import about_ignored_project
from modicum.app.inject.load import load_knowledge, load_library
from modicum.app.packs.in_force import packs_in_force
from modicum.app.packs.new_pack import start_pack_in_use
from modicum.app.packs.pack_sizes import tier_bytes, token_count
from modicum.app.packs.turn_on import PackSwitch, skip_packs, use_packs
from modicum.app.packs.validate import complaints, validate
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.groups import group
from modicum.cli.inject import report
from modicum.cli.options import PATH, json_option
from modicum.cli.packs.tier import tier_command
from modicum.cli.settings.names_to_complete import complete_packs
from modicum.packs.model import Pack, PackOrigin


@group
def command() -> None:
    """List and check the packs that are in force here, turn packs on and off, or start a new pack.

    \b
    Examples:
      modicum pack new billing
      modicum pack use git
      modicum pack list
    """


command.add_command(tier_command, "tier")


@command.command("list")
@json_option
def list_packs(*, as_json: bool) -> int:
    """List the packs in force, in reading order. Each with its weight, its layer and the bytes of its tiers.

    Below it what is turned off: starter packs that nobody has chosen, with their size, and packs that are skipped.

    \b
    Example:
      modicum pack list
    """
    config = load_config()
    knowledge = load_knowledge(config)
    found = packs_in_force(config, knowledge.library)
    sizes, off = [tier_bytes(pack) for pack in found.packs], found.off
    warnings = [*found.warnings, *knowledge.warnings, *knowledge.troubles]
    if as_json:
        rows = [
            {
                "id": each.pack.id,
                "name": each.pack.name,
                "description": each.pack.description,
                "weight": each.pack.weight,
                "layer": each.pack.layer,
                "base": each.pack.base,
                "overlaps": each.pack.overlaps,
                "bytes": each.tiers,
            }
            for each in sizes
        ]
        output.say_json({"packs": rows, "off": offers_as_json(off), "warnings": warnings})
    else:
        head = ("Pack", "Name", "Weight", "Layer", "Core bytes", "Detail bytes", "Extended bytes")
        lines = [
            (
                each.pack.id,
                each.pack.name,
                str(each.pack.weight),
                each.pack.layer,
                *map(output.amount, each.tiers.values()),
            )
            for each in sizes
        ]
        if lines:
            output.table(head, lines, right=("Weight", *head[-3:]))
        else:
            output.say(
                "No pack is in force. Write one: modicum pack new NAME, or turn one on: modicum pack use NAME."
            )
        if off:
            output.say("\nTurned off (modicum pack use NAME turns one on):")
            say_offers(off)
        for sentence in warnings:
            output.warn(sentence)
    return FOUND if knowledge.troubles else DONE


@command.command("validate")
@click.argument("folder", required=False, type=PATH)
@json_option
def validate_packs(folder: Path | None, *, as_json: bool) -> int:
    """Check packs: keys, types, markers, hidden text, likely secrets. Exit 1 if something is wrong.

    \b
    Examples:
      modicum pack validate                     everything in force here
      modicum pack validate .modicum/packs/shop one pack
    """
    config = load_config()
    library = validate(folder.resolve()) if folder else load_library(config)
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


def say_offers(packs: Sequence[Pack]) -> None:
    """Prints, for `modicum pack list`, each pack that can be turned on: its name, its size in tokens, and what it is about."""
    sizes = [output.amount(token_count(pack)) for pack in packs]
    wide = max(map(len, sizes), default=0)
    rows = zip(packs, sizes, strict=True)
    report.say_lines((pack.id, f"{size:>{wide}} tokens", pack.description) for pack, size in rows)


def offers_as_json(packs: Sequence[Pack]) -> list[dict[str, object]]:
    """Returns what `modicum pack list --json` prints of packs that can be turned on: id, description, layer and size in tokens."""
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
    """Returns the sentences that the commands `modicum pack use` and `skip` print: what was turned on or off, and what was so already."""
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
    """Start a pack in this project, with a template to write over. The next inject shows it.

    \b
    Example:
      modicum pack new billing
    """
    config = load_config()
    folder, switch, replaced = start_pack_in_use(config, name, user=user)
    said = f"Started {folder}: edit context.md and constraints.md, then run modicum inject."
    more = f"\nThe profile leaves it out, so {switch.file} turns it on." if switch.changed else ""
    more += f"\n{_replaced_sentence(replaced)}" if replaced else ""
    if not user and (ignored := about_ignored_project(config)):
        output.warn(ignored)
    fields = {"folder": str(folder), "replaces": replaced.layer if replaced else ""}
    return output.say_result(fields, said + more, as_json=as_json)


def _replaced_sentence(pack: Pack) -> str:
    whose = {
        PackOrigin.STARTER: f"the starter pack {pack.id}, which comes with modicum",
        PackOrigin.USER: f"your own pack {pack.id} here",
    }.get(pack.origin, f"the pack {pack.id} of the source {pack.layer}")
    return f"It replaces {whose}: choose another name to have both."
