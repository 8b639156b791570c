"""modicum explain"""

from typing import Any

import click

from modicum.app import run
from modicum.cli import output, tell
from modicum.cli.wish import wish_from
from modicum.cli.wishes import content_options, json_option, tool_options
from modicum.config import load_config
from modicum.page import Fate

COLOURS = {Fate.SHOWN: output.GOOD, Fate.SHORTENED: output.FAIR, Fate.CUT: output.BAD}


@click.command()
@tool_options
@content_options
@json_option
def command(**options: Any) -> int:
    """Every block of a tool's page with its fate, its size, and why it is not shown as asked.

    \b
    Examples:
      modicum explain --tool claude-code
      modicum explain --tool chatgpt --detail full
    """
    config = load_config()
    injection = run.survey(run.prepare(config, wish_from(config, options)))
    if options["as_json"]:
        output.say_json(tell.injection_as_json(injection))
        return 0
    for outcome in injection.outcomes:
        output.say(
            f"{tell.names(outcome)}: {outcome.destination.shown_path}, {tell.size(outcome)}, {tell.verdict(outcome)}"
        )
        page = outcome.page
        rows = [
            (
                output.coloured(str(fate), COLOURS.get(fate, output.DIM)),
                f"{page.sizes[key]:,}",
                key,
                page.reasons.get(key, ""),
            )
            for key, fate in page.fates.items()
        ]
        if rows:
            output.table(("Fate", "Size", "Block", "Why"), rows, right=("Size",))
    tell.say_warnings(injection)
    return 1 if injection.troubles else 0
