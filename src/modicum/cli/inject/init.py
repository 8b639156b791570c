"""modicum init"""

import click

from modicum.app.inject.load import choose_packs, choose_profile, choose_tools, load_knowledge
from modicum.base.config import load_config
from modicum.base.paths import CONFIG_FILE
from modicum.cli import output
from modicum.cli.decorate import json_option
from modicum.cli.inject import report
from modicum.targets.disk import write_own
from modicum.targets.model import Adapter

START = """\
# What modicum does in this project. Every key is optional.
#
# profile: all        which packs, in which order: modicum profile list
# language: de        for packs that have texts in several languages
# scope: project      or global, for tools' files in your home folder
"""


@click.command()
@json_option
def command(*, as_json: bool) -> int:
    """Set up this project, and show which AI tools are here and what they would get.

    \b
    Example:
      modicum init && modicum inject
    """
    config = load_config()
    file = config.project / CONFIG_FILE
    is_new = not file.exists()
    if is_new:
        write_own(file, START.encode(), private=False)
    shelf = load_knowledge(config)
    tools = choose_tools(config, shelf, (), every=False)
    packs, _ = choose_packs(shelf.library, choose_profile(shelf.library, config.profile), (), ())
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
            "No AI tool was found here. Name one: modicum inject --tool claude-code (modicum adapters list)."
        )
    output.say(f"\nPacks in force: {', '.join(pack.id for pack in packs) or 'none'}")
    output.say(
        "\nNext:\n  modicum inject --dry-run    see what would be written\n  modicum inject              write it"
    )
    output.say("  modicum packs new NAME      keep knowledge of your own")
    return 0


def _file(tool: Adapter) -> str:
    paths = [target.path for target in tool.targets if target.scope == "project"]
    return paths[0] if paths else "(only a file in your home folder: modicum inject --global)"
