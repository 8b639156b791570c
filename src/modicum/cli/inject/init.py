"""The command modicum init."""

import click

from modicum.app.config_file import start_project_config
from modicum.app.inject.load import choose_packs, choose_profile, choose_tools, load_knowledge
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.inject import report
from modicum.cli.options import json_option
from modicum.targets.model import Adapter


@click.command()
@json_option
def command(*, as_json: bool) -> int:
    """Set up this project, and show which AI tools are here and what they would get.

    \b
    Example:
      modicum init && modicum inject
    """
    config = load_config()
    file, is_new = start_project_config(config)
    knowledge = load_knowledge(config)
    tools = choose_tools(config, knowledge, (), every=False)
    packs, _ = choose_packs(knowledge.library, choose_profile(knowledge.library, config.profile), (), ())
    if as_json:
        found = [{"id": tool.id, "name": tool.name} for tool in tools]
        output.say_json(
            {"config": str(file), "created": is_new, "tools": found, "packs": [pack.id for pack in packs]}
        )
        return 0
    output.say(f"{'Created' if is_new else 'There is already'} {file}\n")
    if tools:
        output.say("AI tools found here, and the file that each would get:")
        report.say_lines((tool.name, _file(tool)) for tool in tools)
    else:
        output.say(
            "No AI tool was found here. Name one: modicum inject --tool claude-code (modicum tool list)."
        )
    output.say(f"\nPacks in force: {', '.join(pack.id for pack in packs) or 'none'}")
    which = "" if tools else " --tool NAME"
    steps = {
        f"modicum inject{which} --dry-run": "see what would be written",
        f"modicum inject{which}": "write it",
    }
    output.say("\nNext:")
    for command, does in steps.items():
        output.say(f"  {command:<{26 + len(which)}}  {does}")
    output.say(f"  {'modicum pack new NAME':<{26 + len(which)}}  keep knowledge of your own")
    return 0


def _file(tool: Adapter) -> str:
    paths = [target.path for target in tool.targets if target.scope == "project"]
    return paths[0] if paths else "(only a file in your home folder: modicum inject --global)"
