"""The command modicum lint."""

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from modicum.app.counted import counted
from modicum.app.inject.load import split_names, tool_ids
from modicum.app.lint.run import LintReport, find_finding, lint_project
from modicum.app.lint.silenced import silence
from modicum.base.config import Config
from modicum.base.paths import MEMORY_FILE
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FOUND
from modicum.cli.inject.request import ready_config
from modicum.cli.options import ToolCommand, json_option
from modicum.cli.settings.names_to_complete import complete_tools
from modicum.cli.store import open_memory_if_possible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modicum.memory.store import Store
    from modicum.text.rules.findings import LintFinding

MOST_TOOLS = 4  # that are named on a line
HOW_TO_SILENCE = "If both may stand, silence a finding for good: modicum lint --silence ID --reason TEXT"


@click.command(cls=ToolCommand)
@click.option(
    "--tool",
    "tools",
    multiple=True,
    metavar="ID",
    help="What this tool reads; several with commas.",
    shell_complete=complete_tools,
)
@click.option("--silence", "silenced_id", default="", metavar="ID", help="Never tell this finding again.")
@click.option("--reason", default="", metavar="TEXT", help="With --silence: why both may stand.")
@click.option("--silenced", is_flag=True, help="Only what is silenced, with the reasons.")
@json_option
def command(**options: Any) -> int:
    """Find rules that contradict or repeat each other in what AI tools read here.

    Looks at instruction files, packs, notices, pinned notes and decisions in force, for rules of which one forbids
    what the other demands, for rival tools and values, for paths and commands that are not there, for what is said
    twice or says nothing, and for too many instructions. Exit 1 if anything is found. English only.

    \b
    Examples:
      modicum lint
      modicum lint --tool claude-code --json
      modicum lint --silence 3f2a91c0 --reason "tabs only in Makefiles"
      modicum lint --silenced
    """
    if bool(options["reason"]) != bool(options["silenced_id"]):
        raise click.UsageError("--silence and --reason belong together")
    with _memory_if_there(ready_config(options)) as (config, store):
        report = lint_project(config, store, tool_ids(config, split_names(options["tools"])))
    if options["silenced_id"]:
        return _silence(config, report, options)
    if options["as_json"]:
        output.say_json(_as_json(report))
    elif options["silenced"]:
        _say_silenced(report)
    else:
        _say_findings(report)
    return FOUND if report.findings and not options["silenced"] else DONE


@contextmanager
def _memory_if_there(config: Config) -> "Iterator[tuple[Config, Store | None]]":
    """The configuration, and the memory if there is one: to lint is no reason to make it."""
    if config.database or (config.data / MEMORY_FILE).exists():
        with open_memory_if_possible() as found:
            yield found
    else:
        yield config, None


def _silence(config: Config, report: LintReport, options: dict[str, Any]) -> int:
    kept = silence(config, find_finding(report, options["silenced_id"]), options["reason"])
    fields = {"id": kept.id, "reason": kept.reason, "says": [*kept.says]}
    return output.say_result(fields, f"{kept.id} is silenced: {kept.reason}", as_json=options["as_json"])


def _say_findings(report: LintReport) -> None:
    for finding in report.findings:
        _say_finding(finding)
        tools = _tools(finding.tools)
        output.say(f"  {finding.why}{f' ({tools})' if tools else ''}; {finding.remedy}\n")
    silenced = f", {len(report.silenced):,} silenced" if report.silenced else ""
    if report.findings:
        output.say(f"{counted(len(report.findings), 'finding')}{silenced}. {HOW_TO_SILENCE}")
    else:
        output.say(f"Nothing found in what {counted(len(report.tools), 'tool')} may read here{silenced}.")


def _say_silenced(report: LintReport) -> None:
    for finding, kept in report.silenced:
        _say_finding(finding)
        output.say(f"  silenced: {output.shown(kept.reason)}\n")
    output.say(f"{counted(len(report.silenced), 'finding')} silenced, in .modicum/silenced.yaml")


def _say_finding(finding: "LintFinding") -> None:
    output.say_coloured(f"{finding.kind}  {finding.id}", output.BOLD)
    for place, text in finding.sentences:
        output.say(output.shown(f"  {place}  {text}"))


def _tools(tools: tuple[str, ...]) -> str:
    more = f" and {len(tools) - MOST_TOOLS} more" if len(tools) > MOST_TOOLS else ""
    return ", ".join(tools[:MOST_TOOLS]) + more


def _as_json(report: LintReport) -> dict[str, object]:
    return {
        "findings": [_finding_as_json(each) for each in report.findings],
        "silenced": [{**_finding_as_json(each), "reason": kept.reason} for each, kept in report.silenced],
        "tools": [{"tool": each.tool, "directives": each.directives} for each in report.tools],
    }


def _finding_as_json(finding: "LintFinding") -> dict[str, object]:
    places = [
        {"source": place.source, "line": place.line or None, "text": text}
        for place, text in finding.sentences
    ]
    return {
        "id": finding.id,
        "kind": str(finding.kind),
        "places": places,
        "why": finding.why,
        "remedy": finding.remedy,
        "tools": [*finding.tools],
    }
