"""The command modicum profile."""

import click

from modicum.app.config_file import set_config
from modicum.app.inject.load import choose_profile, load_knowledge, load_library
from modicum.app.packs.in_force import packs_in_force
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.groups import group
from modicum.cli.options import here_option, json_option
from modicum.cli.settings.names_to_complete import complete_profiles


@group
def command() -> None:
    """List, show and choose profiles: a profile orders packs, and may include and exclude some.

    \b
    Examples:
      modicum profile list
      modicum profile set minimal
    """


@command.command("list")
@json_option
def list_profiles(*, as_json: bool) -> int:
    """List every profile; the one in force is marked.

    \b
    Example:
      modicum profile list
    """
    config = load_config()
    knowledge = load_knowledge(config)
    profiles = knowledge.library.profiles
    chosen = config.profile or "all"
    if as_json:
        rows = [
            {"id": p.id, "name": p.name, "description": p.description, "chosen": p.id == chosen}
            for p in profiles
        ]
        output.say_json({"profiles": rows, "warnings": [*knowledge.warnings, *knowledge.troubles]})
    else:
        lines = [
            (
                "*" if p.id == chosen else "",
                p.id,
                p.name,
                p.description,
            )
            for p in profiles
        ]
        output.table(("", "Profile", "Name", "Description"), lines)
        for trouble in (*knowledge.warnings, *knowledge.troubles):
            output.warn(trouble)
    return FOUND if knowledge.troubles else DONE


@command.command("set")
@click.argument("name", shell_complete=complete_profiles)
@here_option
@json_option
def set_profile(name: str, *, here: bool, as_json: bool) -> int:
    """Use a profile from now on.

    \b
    Example:
      modicum profile set minimal --here
    """
    config = load_config()
    profile = choose_profile(load_library(config), name)
    file = set_config(config, "profile", name, project=here)
    if as_json:
        output.say_json({"profile": name, "file": str(file)})
    else:
        output.say(
            f"{profile.name if profile else name} is the profile now ({file}). Run modicum inject to use it."
        )
    return 0


@command.command("show")
@click.argument("name", required=False, default="", shell_complete=complete_profiles)
@json_option
def show_profile(name: str, *, as_json: bool) -> int:
    """Show the packs that a profile puts in force, in order.

    \b
    Example:
      modicum profile show minimal
    """
    config = load_config()
    library = load_library(config)
    profile, packs, _, _, strangers = packs_in_force(config, library, name, usual="all")
    if as_json:
        rows = [{"id": pack.id, "weight": pack.weight, "base": pack.base} for pack in packs]
        output.say_json(
            {"profile": profile.id if profile else None, "packs": rows, "warnings": list(strangers)}
        )
        return 0
    if profile:
        output.say(f"{profile.name}: {profile.description}")
    lines = [(p.id, str(p.weight), "base" if p.base else "") for p in packs]
    if lines:
        output.table(("Pack", "Weight", ""), lines, right=("Weight",))
    else:
        output.say("It puts no pack in force here (modicum pack list tells which there are).")
    for sentence in strangers:
        output.warn(sentence)
    return 0
