"""The command modicum status."""

from typing import Any

import click

from modicum.app.inject import run
from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.plan import PlannedFile
from modicum.base.config import Config
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.inject import report
from modicum.cli.inject.request import ready_config, request_from
from modicum.cli.options import ToolCommand, content_options, json_option, tool_options
from modicum.cli.packs.adapter_questions import waiting_as_json
from modicum.targets.change import FileState

REMEDIES = {
    FileState.STALE: "modicum inject would bring it up to date",
    FileState.EDITED: "modicum inject would replace the edit (and keep a backup)",
    FileState.FOREIGN: "not written by modicum, so inject would leave it alone",
    FileState.ABSENT: "modicum inject would write it",
    FileState.ORPHANED: "inject would leave it alone",
}


@click.command(cls=ToolCommand)
@tool_options
@content_options
@json_option
def command(**options: Any) -> int:
    """Compare every tool's file with what it should hold. Exit 1 unless all are current.

    \b
    Examples:
      modicum status
      modicum status --tool cursor --json
    """
    config = ready_config(options)
    return print_status(config, request_from(config, options), as_json=options["as_json"])


def print_status(config: Config, request: InjectRequest, *, as_json: bool) -> int:
    """Prints the status of each tool's file, as `modicum status` does; returns 1 unless all are current."""
    exports = run.find_exports(config, request)
    if not as_json:
        report.say_exports(exports)  # also where there is no other tool, which is an error
    job = run.prepare(config, request)
    injection = run.survey(job)
    files = [outcome for outcome in injection.outcomes if outcome.destination.place]
    if as_json:
        rows = [
            _as_json(outcome, adapter.id) for outcome in files for adapter in outcome.destination.adapters
        ]
        places = [report.export_as_json(each) for each in exports]
        waiting = waiting_as_json(job.knowledge.waiting)
        warnings = report.sentences(injection)
        output.say_json({"files": rows, "exports": places, "not_agreed": waiting, "warnings": warnings})
    else:
        rows_for_people = [(o.destination.shown_path, report.names(o, most=2), _standing(o)) for o in files]
        report.say_lines([*rows_for_people, *report.settings_rows(injection, dry=True)])
        report.say_warnings(injection)
    behind = any(report.is_behind(outcome.change) for outcome in files)
    return FOUND if behind or injection.troubles or report.settings_behind(injection) else DONE


def _standing(outcome: PlannedFile) -> str:
    change = outcome.change
    if outcome.failure:
        return outcome.failure
    if change is None:
        return "nothing for it"
    if not outcome.payload and not report.is_behind(change):
        return "absent: there is nothing for it"
    if report.is_removal(outcome):
        return f"{report.WORDS[change.state]}: no longer needed, modicum inject would take it out"
    remedy = REMEDIES.get(change.state, "")
    return f"{report.WORDS[change.state]}{f': {remedy}' if remedy else ''}"


def _as_json(outcome: PlannedFile, tool: str) -> dict[str, object]:
    destination, change = outcome.destination, outcome.change
    return {
        "tool": tool,
        "scope": destination.scope,
        "path": destination.place.path if destination.place else None,
        "state": str(change.state) if change else None,
        "current": not report.is_behind(change),
        "note": outcome.failure or (change.note if change else ""),
    }
