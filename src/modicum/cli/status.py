"""modicum status"""

from typing import Any

import click

from modicum.app import run
from modicum.app.inject import Wish
from modicum.cli import output, tell
from modicum.cli.wishes import content_options, json_option, tool_options, wish_from
from modicum.config import Config, load_config
from modicum.targets.plan import State

MEANING = {
    State.CURRENT: "current",
    State.STALE: "stale: modicum inject brings it up to date",
    State.EDITED: "edited by you: modicum inject replaces the edit (and keeps a backup)",
    State.ORPHANED: "orphaned marker",
    State.FOREIGN: "foreign file: not written by modicum, left alone",
    State.ABSENT: "absent: modicum inject writes it",
}


@click.command()
@tool_options
@content_options
@json_option
def command(**options: Any) -> int:  # noqa: ANN401
    """Compare every tool's file with what it should hold. Exit 1 unless all are current.

    \b
    Examples:
      modicum status
      modicum status --tool cursor --json
    """
    config = load_config()
    return answer(config, wish_from(config, options), as_json=options["as_json"])


def answer(config: Config, wish: Wish, *, as_json: bool) -> int:
    """Tell how each file stands."""
    injection = run.survey(config, wish)
    rows = [
        (o, o.change)
        for o in injection.outcomes
        if o.destination.place and (o.change or o.destination.instead)
    ]
    if as_json:
        output.say_json(
            {
                "files": [
                    {
                        "tool": adapter.id,
                        "scope": o.destination.scope,
                        "path": o.destination.place.path if o.destination.place else None,
                        "state": str(change.state) if change else "reads " + o.destination.instead,
                        "note": change.note if change else "",
                    }
                    for o, change in rows
                    for adapter in o.destination.adapters
                ],
                "warnings": [*injection.warnings, *injection.troubles],
            }
        )
    else:
        tell.say_lines(
            (
                tell.names(o),
                o.destination.shown_path,
                MEANING[change.state] if change else f"reads {o.destination.instead}",
            )
            for o, change in rows
        )
        tell.say_warnings(injection)
    well = all(change is None or change.state is State.CURRENT for _, change in rows)
    return 0 if well and not injection.troubles else 1
