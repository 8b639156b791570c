"""The command modicum init."""

from collections.abc import Sequence

import click

from modicum.app.config_file import start_project_config
from modicum.app.ignored_by_git import about_ignored_project
from modicum.app.inject.load import choose_tools, load_knowledge, load_library, no_tool_here
from modicum.app.packs.in_force import packs_in_force
from modicum.app.packs.turn_on import use_packs
from modicum.app.wide_project import about_wide_project
from modicum.base.config import Config, load_config
from modicum.base.errors import WrongUsage
from modicum.base.near_words import nearest
from modicum.cli import output
from modicum.cli.inject import report
from modicum.cli.options import json_option, trust_option
from modicum.cli.packs.adapter_questions import say_waiting, settle_adapters, waiting_as_json
from modicum.cli.packs.pack import offers_as_json, say_offers, switch_sentences
from modicum.cli.questions import can_ask, can_choose, require_yes, words_of
from modicum.packs.model import Pack
from modicum.targets.model import Adapter


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask whether the home folder is meant to be a project.")
@trust_option
@json_option
def command(*, yes: bool, trust: tuple[str, ...], as_json: bool) -> int:
    """Set up this project: show which AI tools are here, and offer the starter packs.

    On a terminal it asks which starter packs you want; otherwise it lists them. None is in force unless chosen.

    \b
    Example:
      modicum init && modicum inject
    """
    config = load_config()
    if not yes and (what := about_wide_project(config)):
        _ask_about(what, may_ask=not as_json and can_ask())
    file, is_new = start_project_config(config)
    config = settle_adapters(config, trust, may_ask=not as_json and can_ask())
    knowledge = load_knowledge(config)
    tools = choose_tools(config, knowledge, (), every=False)
    found = packs_in_force(config, knowledge.library)
    packs, starters = found.packs, found.starters
    if as_json:
        rows = [{"id": tool.id, "name": tool.name} for tool in tools]
        names = [pack.id for pack in packs]
        output.say_json(
            {
                "config": str(file),
                "created": is_new,
                "tools": rows,
                "packs": names,
                "starters": offers_as_json(starters),
                "not_agreed": waiting_as_json(knowledge.waiting),
            }
        )
        return 0
    output.say(f"The project is {config.root}")
    output.say(f"{'Created' if is_new else 'There is already'} {file}\n")
    if ignored := about_ignored_project(config):
        output.warn(ignored)
    _say_tools(config, tools)
    say_waiting(knowledge.waiting)
    if starters and _offer(config, starters):
        config = load_config()
        packs = packs_in_force(config, load_library(config)).packs
    output.say(f"\nPacks in force: {', '.join(pack.id for pack in packs) or 'none'}")
    _say_next(has_tools=bool(tools))
    return 0


def _ask_about(what: str, *, may_ask: bool) -> None:
    """Asks before the home folder, or a whole disk, becomes a project: everything below would belong to it."""
    if not may_ask:
        raise WrongUsage(f"{what}, not a project", remedy="go to the folder of a project first, or add --yes")
    require_yes(
        f"{what}. Make it a project all the same?",
        "no project was made",
        "go to the folder of a project first",
    )


def _say_tools(config: Config, tools: Sequence[Adapter]) -> None:
    if tools:
        output.say("AI tools found here, and the file that each would get:")
        report.say_lines((tool.name, _file(tool)) for tool in tools)
    else:
        output.say(
            f"{output.capital(no_tool_here(config))}. Name yours: modicum inject --tool codex (modicum tool list)."
        )


def _offer(config: Config, starters: Sequence[Pack]) -> bool:
    """Lists the starter packs; on a terminal asks which are wanted. Returns True if some were turned on."""
    asks = can_choose()
    output.say(f"\nStarter packs, off until you choose them{'' if asks else ' (modicum pack use NAME)'}:")
    say_offers(starters)
    names = _asked([pack.id for pack in starters]) if asks else []
    if names:
        output.say("\n".join(switch_sentences(use_packs(config, names), "on")))
    return bool(names)


def _asked(known: Sequence[str]) -> Sequence[str]:
    while True:
        names = words_of("Which ones? Names, or Enter for none")
        wrong = [name for name in names if name not in known]
        if not wrong:
            return names
        near = nearest(wrong[0], known)
        hint = f'did you mean "{near}"?' if near else "Enter alone takes none"
        output.warn(f'there is no "{wrong[0]}" in the list: {hint}')


def _say_next(*, has_tools: bool) -> None:
    which = "" if has_tools else " --tool NAME"
    steps = {
        f"modicum inject{which} --dry-run": "see what would be written",
        f"modicum inject{which}": "write it",
        "modicum pack new NAME": "keep knowledge of your own",
    }
    output.say("\nNext:")
    for command, does in steps.items():
        output.say(f"  {command:<{26 + len(which)}}  {does}")


def _file(tool: Adapter) -> str:
    paths = [target.path for target in tool.targets if target.scope == "project"]
    return paths[0] if paths else "(only a file in your home folder: modicum inject --global)"
