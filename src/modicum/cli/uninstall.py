"""modicum uninstall"""

from typing import Any

import click

from modicum.app import run
from modicum.app.gather import open_shelf
from modicum.app.inject import Outcome, Wish
from modicum.app.wire import remove_wiring, survey_unwiring
from modicum.cli import output, tell, wires
from modicum.cli.wish import wish_from
from modicum.cli.wishes import json_option, tool_options
from modicum.config import Config, load_config
from modicum.targets.plan import Change
from modicum.value import replace


@click.command()
@tool_options
@click.option("--dry-run", is_flag=True, help="Remove nothing; show the diff of every file.")
@click.option(
    "--force", is_flag=True, help="Also remove files of ours that you have edited (they are backed up)."
)
@json_option
def command(**options: Any) -> int:
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
    wiring = (survey_unwiring if dry else remove_wiring)(config, open_shelf(config), wish)
    wired = [each for each in wiring.wired if each.change.changed or each.note]
    troubles = (*injection.troubles, *wiring.troubles)
    found = [(o, o.change) for o in injection.outcomes if o.change and (o.change.changed or o.change.note)]
    if as_json:
        rows = [_as_json(outcome, change) for outcome, change in found]
        told = {"files": rows, "warnings": tell.sentences(injection)}
        output.say_json(wires.as_json(told, replace(wiring, wired=tuple(wired))))
        return 1 if troubles else 0
    if dry:
        tell.say_diffs(injection)
    tell.say_lines(
        (o.destination.shown_path, tell.names(o, most=2), _deed(change, dry=dry)) for o, change in found
    )
    tell.say_warnings(injection)
    wires.say(replace(wiring, wired=tuple(wired)), dry=dry, diffs=dry)
    if not found and not wired:
        output.say("Nothing of modicum's was found here.")
    return 1 if troubles else 0


def _as_json(outcome: Outcome, change: Change) -> dict[str, object]:
    return {
        "tools": [adapter.id for adapter in outcome.destination.adapters],
        "path": change.path,
        "state": str(change.state),
        "removed": change.changed,
        "note": change.note,
    }


def _deed(change: Change, *, dry: bool) -> str:
    if not change.changed:
        return "left alone"
    return "would be taken out" if dry else "taken out"
