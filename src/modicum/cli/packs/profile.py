"""The command modicum profile."""

import click

from modicum.app.config_file import set_config
from modicum.app.inject.load import choose_packs, choose_profile, load_knowledge
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.groups import group
from modicum.cli.options import json_option


@group
def command() -> None:
    """List, show and choose profiles: a profile orders packs, and may include and exclude some."""


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
    return 1 if knowledge.troubles else 0


@command.command("set")
@click.argument("name")
@click.option("--project", is_flag=True, help="For this project only, in .modicum/config.yaml.")
@json_option
def set_profile(name: str, *, project: bool, as_json: bool) -> int:
    """Use a profile from now on.

    \b
    Example:
      modicum profile set minimal --project
    """
    config = load_config()
    profile = choose_profile(load_knowledge(config).library, name)
    file = set_config(config, "profile", name, project=project)
    if as_json:
        output.say_json({"profile": name, "file": str(file)})
    else:
        output.say(
            f"{profile.name if profile else name} is the profile now ({file}). Run modicum inject to use it."
        )
    return 0


@command.command("show")
@click.argument("name", required=False, default="")
@json_option
def show_profile(name: str, *, as_json: bool) -> int:
    """Show the packs that a profile puts in force, in order.

    \b
    Example:
      modicum profile show minimal
    """
    config = load_config()
    library = load_knowledge(config).library
    profile = choose_profile(library, name or config.profile or "all")
    packs, strangers = choose_packs(library, profile, is_named=bool(name))
    if as_json:
        rows = [{"id": pack.id, "weight": pack.weight, "base": pack.base} for pack in packs]
        output.say_json(
            {"profile": profile.id if profile else None, "packs": rows, "warnings": list(strangers)}
        )
        return 0
    if profile:
        output.say(f"{profile.name}: {profile.description}")
    output.table(
        ("Pack", "Weight", ""),
        [(p.id, str(p.weight), "base" if p.base else "") for p in packs],
        right=("Weight",),
    )
    for sentence in strangers:
        output.warn(sentence)
    return 0
