"""The command modicum uninstall."""

from typing import Any

import click

from modicum.app.agents.wiring import remove_wiring, survey_unwiring
from modicum.app.inject import run
from modicum.app.inject.destination import InjectRequest
from modicum.app.inject.load import load_knowledge
from modicum.app.inject.plan import PlannedFile
from modicum.base.config import Config, load_config
from modicum.base.value import replace
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.inject import report, wiring_output
from modicum.cli.inject.request import request_from
from modicum.cli.options import ToolCommand, json_option, tool_options
from modicum.targets.change import FileChange


@click.command(cls=ToolCommand)
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
    return run_uninstall(
        config, request_from(config, options), dry=options["dry_run"], as_json=options["as_json"]
    )


def run_uninstall(config: Config, request: InjectRequest, *, dry: bool, as_json: bool) -> int:
    """Runs `modicum uninstall`: removes what was injected, or prints what would be; returns the exit code."""
    injection = run.survey_removal(config, request) if dry else run.remove(config, request)
    wiring = (survey_unwiring if dry else remove_wiring)(config, load_knowledge(config), request)
    wired = [each for each in wiring.wired if each.change.changed or each.note]
    troubles = (*injection.troubles, *wiring.troubles)
    found = [(o, o.change) for o in injection.outcomes if o.change and (o.change.changed or o.change.note)]
    changes = (*(change for _, change in found), *(each.change for each in wired))
    stays = bool(troubles) or any(_had_to_stay(change, request) for change in changes)
    if as_json:
        rows = [_as_json(outcome, change) for outcome, change in found]
        exports = [report.export_as_json(each) for each in run.find_exports(config, request)]
        fields = {"files": rows, "exports": exports, "warnings": report.sentences(injection)}
        output.say_json(wiring_output.as_json(fields, replace(wiring, wired=tuple(wired))))
        return FOUND if stays else DONE
    if dry:
        report.say_diffs(injection)
    lines = [(o.destination.shown_path, report.names(o, most=2), _action(c, dry=dry)) for o, c in found]
    wiring_output.say(replace(wiring, wired=tuple(wired)), dry=dry, diffs=dry, above=lines)
    report.say_warnings(injection)
    if not found and not wired:
        output.say("Nothing of modicum's was found here.")
    report.say_exports(run.find_exports(config, request))
    return FOUND if stays else DONE


def _had_to_stay(change: FileChange, request: InjectRequest) -> bool:
    """Returns True if our part of a file is still there, unless it is only for tools that were not named.

    A setting that somebody changed is theirs, and no longer ours.
    """
    owners = {*change.record.tools} if change.record else set[str]()
    is_for_others = bool(request.tools and owners) and owners.isdisjoint(request.tools)
    return not change.changed and not is_for_others and change.place.mode != "settings"


def _as_json(outcome: PlannedFile, change: FileChange) -> dict[str, object]:
    return {
        "tools": [adapter.id for adapter in outcome.destination.adapters],
        "path": change.path,
        "state": str(change.state),
        "removed": change.changed,
        "note": change.note,
    }


def _action(change: FileChange, *, dry: bool) -> str:
    if not change.changed:
        return "left alone"
    return "would be taken out" if dry else "taken out"
