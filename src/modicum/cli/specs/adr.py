"""The command modicum adr."""

from typing import Any

import click

from modicum.app.specs.decisions import DecisionResult, list_decisions, new_decision, show_decision
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.groups import group
from modicum.cli.options import given_text, json_option, together
from modicum.cli.remedies import command_wording
from modicum.cli.store import open_memory_if_possible
from modicum.specs.model import STATUSES, Decision, DecisionDraft

parts = together(
    click.option(
        "--context", required=True, help="What made a decision necessary. - reads it from standard input."
    ),
    click.option("--decision", required=True, help="What was decided."),
    click.option("--rationale", required=True, help="Why this and nothing else."),
    click.option("--alternatives", default="", help="What was not chosen, and why."),
    click.option("--status", default="accepted", show_default=True, type=click.Choice(STATUSES)),
    click.option(
        "--change", default="", metavar="ID", help="The change it belongs to; by default the one at hand."
    ),
)


@group
def command() -> None:
    """Write, supersede and list decisions (ADRs): numbered files below docs/adrs, each also kept in memory.

    \b
    Examples:
      modicum adr new "Keep sessions in Postgres" --context "Redis lost some." \\
        --decision "A table with an index." --rationale "One thing less to run."
      modicum adr list
    """


def _draft(title: tuple[str, ...], options: dict[str, Any]) -> DecisionDraft:
    context = given_text(options["context"])
    return DecisionDraft(
        " ".join(title),
        context,
        options["decision"],
        options["rationale"],
        options["alternatives"],
        options["status"],
        options["change"],
    )


@command.command("new")
@click.argument("title", nargs=-1, required=True)
@parts
@json_option
def new(title: tuple[str, ...], **options: Any) -> int:
    """Write a decision down.

    \b
    Example:
      modicum adr new "Keep sessions in Postgres" --context "Redis lost some." \\
        --decision "A table with an index." --rationale "One thing less to run."
    """
    with open_memory_if_possible() as (config, store):
        decided = new_decision(config, store, _draft(title, options))
    return _print_decision(decided, as_json=options["as_json"])


@command.command("supersede")
@click.argument("number")
@click.argument("title", nargs=-1, required=True)
@parts
@json_option
def supersede(number: str, title: tuple[str, ...], **options: Any) -> int:
    """Supersede a decision: a new one takes its place. The old one stays and says so.

    \b
    Example:
      modicum adr supersede 4 "Keep sessions in Redis" \\
        --context "Postgres is too slow." \\
        --decision "Redis with a backup." --rationale "Measured: 40 ms less."
    """
    with open_memory_if_possible() as (config, store):
        decided = new_decision(config, store, _draft(title, options), supersedes=number)
    return _print_decision(decided, as_json=options["as_json"])


@command.command("list")
@json_option
def list_all(*, as_json: bool) -> int:
    """List every decision (ADR) with its status.

    \b
    Example:
      modicum adr list
    """
    found = list_decisions(load_config())
    if as_json:
        output.say_json({"decisions": [_as_json(each) for each in found]})
        return 0
    for each in found:
        by = f" by {each.superseded_by}" if each.superseded_by else ""
        output.say(f"{each.number}  {each.title}  ({each.status}{by})")
    if not found:
        output.say("There are no decisions.")
    return 0


@command.command("show")
@click.argument("number")
@json_option
def show(number: str, *, as_json: bool) -> int:
    """Show a decision (ADR), whole.

    \b
    Example:
      modicum adr show 4
    """
    found = show_decision(load_config(), number)
    if as_json:
        output.say_json({**_as_json(found), "text": found.text})
    else:
        output.say(found.text.rstrip("\n"))
    return 0


def _print_decision(decided: DecisionResult, *, as_json: bool) -> int:
    warnings = [each.worded(command_wording) for each in decided.remarks]
    if as_json:
        output.say_json({**_as_json(decided.decision), "warnings": warnings})
        return 0
    output.say(f"{decided.decision.number} {decided.decision.title}: {decided.decision.file}")
    for warning in warnings:
        output.warn(warning)
    return 0


def _as_json(decision: Decision) -> dict[str, object]:
    return {
        "number": decision.number,
        "title": decision.title,
        "status": decision.status,
        "superseded_by": decision.superseded_by or None,
        "change": decision.change or None,
        "file": decision.file,
    }
