"""modicum uninstall"""

from typing import Any

import click

from modicum.app import run
from modicum.app.inject import Wish
from modicum.cli import output, tell
from modicum.cli.wishes import json_option, tool_options, wish_from
from modicum.config import Config, load_config


@click.command()
@tool_options
@click.option("--dry-run", is_flag=True, help="Remove nothing; show the diff of every file.")
@click.option(
    "--force", is_flag=True, help="Also remove files of ours that you have edited (they are backed up)."
)
@json_option
def command(**options: Any) -> int:  # noqa: ANN401
    """Take out everything that modicum inject put in; files come back byte for byte.

    \b
    Examples:
      modicum uninstall                  from every tool in this project
      modicum uninstall --tool cursor    from one
      modicum uninstall --global         from your home folder
    """
    config = load_config()
    return answer(config, wish_from(config, options), dry=options["dry_run"], as_json=options["as_json"])


def answer(config: Config, wish: Wish, *, dry: bool, as_json: bool) -> int:
    """Remove, or show what would be removed."""
    injection = run.survey_removal(config, wish) if dry else run.remove(config, wish)
    found = [
        outcome
        for outcome in injection.outcomes
        if outcome.change and (outcome.change.changed or outcome.change.note)
    ]
    if as_json:
        rows = [
            {
                "path": o.change.path,
                "state": str(o.change.state),
                "removed": o.change.changed,
                "note": o.change.note,
            }
            for o in found
            if o.change
        ]
        output.say_json({"files": rows, "warnings": [*injection.warnings, *injection.troubles]})
        return 1 if injection.troubles else 0
    if dry:
        tell.say_diffs(injection)
    tell.say_lines(
        (tell.names(o), o.destination.shown_path, _deed(o.change is not None and o.change.changed, dry=dry))
        for o in found
    )
    tell.say_warnings(injection)
    if not found:
        output.say("Nothing of modicum's was found here.")
    return 1 if injection.troubles else 0


def _deed(changed: bool, *, dry: bool) -> str:
    if not changed:
        return "left alone"
    return "would be taken out" if dry else "taken out"
