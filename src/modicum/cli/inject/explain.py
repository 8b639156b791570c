"""The command modicum explain."""

from typing import Any

import click

from modicum.app.inject import run
from modicum.app.inject.plan import PlannedFile
from modicum.app.inject.totals import about_limits, directives_in_words, totals_read
from modicum.app.inject.warnings import UNITS
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.inject import report
from modicum.cli.inject.request import ready_config, request_from
from modicum.cli.options import ToolCommand, content_options, json_option, tool_options
from modicum.engine.page import Fate

COLOURS = {Fate.SHOWN: output.GOOD, Fate.SHORTENED: output.FAIR, Fate.CUT: output.BAD}


@click.command(cls=ToolCommand)
@tool_options
@content_options
@json_option
def command(**options: Any) -> int:
    """Explain a tool's page: every block with its fate, its size, and why it is not shown as asked.

    \b
    Examples:
      modicum explain --tool claude-code
      modicum explain --tool chatgpt --detail full
    """
    config = ready_config(options)
    job = run.prepare(config, request_from(config, options))
    injection = run.survey(job)
    totals = totals_read(job.config, job.placement.seen, injection)
    limits = about_limits(config, job.placement, injection, totals)
    if options["as_json"]:
        fields = report.injection_as_json(injection, limits)
        output.say_json(fields | {"totals": [total._asdict() for total in totals]})
        return 0
    # The page for the clipboard is what an export is about; its file only holds the rest.
    for outcome in sorted(
        injection.outcomes,
        key=lambda o: o.destination.tool.type == "file-export" and o.destination.place is not None,
    ):
        output.say(
            f"{report.names(outcome)}: {outcome.destination.shown_path}, {report.size(outcome)}, {report.verdict(outcome)}"
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
            unit = _unit(outcome)
            output.table(("Fate", unit, "Block", "Why"), rows, right=(unit,))
    names = {a.id: a.name for outcome in injection.outcomes for a in outcome.destination.adapters}
    for tool, number in {total.tool: total.directives for total in totals}.items():
        output.say(f"{names[tool]} reads {directives_in_words(number)}.")
    for sentence in limits:
        output.warn(sentence)
    report.say_warnings(injection)
    return FOUND if injection.troubles else DONE


def _unit(outcome: PlannedFile) -> str:
    """What the sizes of blocks are counted in; of several limits with different units they are counted in none."""
    units = {limit.unit for limit in outcome.destination.limits} or {"bytes"}
    return UNITS.get(units.pop(), "tokens").capitalize() if len(units) == 1 else "Size"
