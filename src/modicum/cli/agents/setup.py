"""The command modicum setup."""

import click

from modicum.app.agents import setup
from modicum.app.agents.wiring import Wiring
from modicum.app.inject.load import Knowledge, choose_tools, is_here, load_knowledge
from modicum.base.config import Config, load_config
from modicum.base.errors import WrongUsage
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.inject import wiring_output
from modicum.cli.inject.tool_names import tool_ids
from modicum.cli.options import json_option
from modicum.cli.settings.names import complete_tools
from modicum.targets.model import Adapter


@click.command()
@click.argument("agents", nargs=-1, shell_complete=complete_tools)
@click.option("--all", "every", is_flag=True, help="Every agent that is found here.")
@click.option("--remove", is_flag=True, help="Take it out again: the files are as they were.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option(
    "--here/--global",
    "in_project",
    default=False,
    help="In the files of this project, or in yours (the default).",
)
@json_option
def command(
    agents: tuple[str, ...], *, every: bool, remove: bool, dry_run: bool, in_project: bool, as_json: bool
) -> int:
    """Set up agents with modicum: the MCP server, the hooks, permissions, and the protocol as a skill or a
    rule.

    \b
    Examples:
      modicum setup claude-code
      modicum setup --all --dry-run
      modicum setup claude-code codex --remove
    """
    scope = "project" if in_project else "global"
    config = load_config() if in_project else load_config().of_user()
    knowledge = load_knowledge(config)
    chosen = choose(config, knowledge, agents, scope, every=every, remove=remove)
    if remove:
        run = setup.survey_removal if dry_run else setup.remove_setup
        done = run(config, knowledge, [adapter.id for adapter in chosen], scope)
    else:
        act = setup.survey_setup if dry_run else setup.perform_setup
        done = act(config, knowledge, chosen, scope, setup.find_launcher())
    if as_json:
        fields: dict[str, object] = {"agents": [adapter.id for adapter in chosen], "warnings": []}
        output.say_json(wiring_output.as_json(fields, done))
    else:
        wiring_output.say(done, dry=dry_run, diffs=dry_run)
        _say_next(chosen, done, remove=remove, dry=dry_run)
    return FOUND if done.troubles else DONE


def choose(
    config: Config, knowledge: Knowledge, names: tuple[str, ...], scope: str, *, every: bool, remove: bool
) -> list[Adapter]:
    """Returns the agents for modicum setup: those named, else those installed here (for a removal, those set up)."""
    if names:
        chosen = choose_tools(config, knowledge, tool_ids(config, names), every=False)
        if wrong := [adapter.name for adapter in chosen if not setup.can_be_set_up(adapter)]:
            raise WrongUsage(f"{wrong[0]} cannot be set up", remedy="modicum inject gives it packs")
        return list(chosen)
    if remove:
        known = setup.set_up_tools(config, scope)
        return [knowledge.adapters[name] for name in known if name in knowledge.adapters]
    able = [
        each for each in knowledge.adapters.values() if setup.can_be_set_up(each) and is_here(config, each)
    ]
    if every:
        return sorted(able, key=lambda adapter: adapter.id)
    here = ", ".join(sorted(adapter.id for adapter in able)) or "none"
    raise WrongUsage(
        "which agent?", remedy=f"name one as in: modicum setup claude-code, or --all; found here: {here}"
    )


def _say_next(chosen: list[Adapter], done: Wiring, *, remove: bool, dry: bool) -> None:
    if done.troubles and not done.wired:
        return
    if not done.wired:
        output.say("Nothing is set up here." if remove else "There is nothing to set up.")
    elif not remove and not dry:
        changed = any(each.change.changed for each in done.wired)
        start = f"Start {'it' if len(chosen) == 1 else 'them'} anew; " if changed else "Nothing has changed; "
        output.say(f"{start}modicum doctor checks everything.")
        for adapter in chosen:
            if adapter.hook_trust and changed:
                output.say(f"{adapter.name} skips our hooks until you trust them: start it, and type /hooks.")
