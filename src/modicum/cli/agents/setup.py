"""The command modicum setup."""

from collections.abc import Sequence

import click

from modicum.app.agents import setup
from modicum.app.agents.wiring import Wiring
from modicum.app.inject.load import load_knowledge, tool_ids
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.inject import wiring_output
from modicum.cli.options import json_option, trust_option
from modicum.cli.packs.adapter_questions import say_waiting, settle_adapters
from modicum.cli.questions import can_ask
from modicum.cli.settings.names_to_complete import complete_tools
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
@trust_option
@json_option
def command(
    agents: tuple[str, ...],
    *,
    every: bool,
    remove: bool,
    dry_run: bool,
    in_project: bool,
    trust: tuple[str, ...],
    as_json: bool,
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
    config = settle_adapters(config, trust, may_ask=not (as_json or remove) and can_ask())
    knowledge = load_knowledge(config)
    names = tool_ids(config, agents)
    chosen = setup.choose_agents(config, knowledge, names, scope, every=every, remove=remove)
    if remove:
        run = setup.survey_removal if dry_run else setup.remove_setup
        done = run(config, knowledge, [adapter.id for adapter in chosen], scope)
    else:
        act = setup.survey_setup if dry_run else setup.perform_setup
        done = act(config, knowledge, chosen, scope, setup.find_launcher())
    if as_json:
        told = [each.in_one_line() for each in knowledge.waiting]
        fields: dict[str, object] = {"agents": [adapter.id for adapter in chosen], "warnings": told}
        output.say_json(wiring_output.as_json(fields, done))
    else:
        wiring_output.say(done, dry=dry_run, diffs=dry_run)
        say_waiting(knowledge.waiting)
        _say_next(chosen, done, remove=remove, dry=dry_run)
    return FOUND if done.troubles else DONE


def _say_next(chosen: Sequence[Adapter], done: Wiring, *, remove: bool, dry: bool) -> None:
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
