"""modicum inject"""

from collections.abc import Mapping
from typing import Any

import click

from modicum.app import run
from modicum.app.inject import Injection, Outcome, Wish
from modicum.cli import output, status, tell, uninstall
from modicum.cli.wishes import content_options, json_option, tool_options, wish_from
from modicum.config import Config, load_config
from modicum.targets.plan import State


@click.command()
@tool_options
@content_options
@click.option("--dry-run", is_flag=True, help="Write nothing; show the diff of every file.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if anything is not current.")
@click.option("--stats", is_flag=True, help="A row for each tool, and what was left out and why.")
@click.option("--strict", is_flag=True, help="Refuse packs with hidden characters or likely secrets.")
@click.option(
    "--force", is_flag=True, help="Also replace files that modicum did not write (they are backed up)."
)
@click.option("--status", "as_status", is_flag=True, help="The same as: modicum status.")
@click.option("--uninstall", "as_uninstall", is_flag=True, help="The same as: modicum uninstall.")
@json_option
def command(**options: Any) -> int:  # noqa: ANN401
    """Put packs into the instruction files of the AI tools that are found here.

    Each tool gets as much as it can take: at its verbosity, inside its limit, the important first. Your own text in
    these files is left alone, and modicum uninstall gives back the same bytes.

    \b
    Examples:
      modicum inject                          into every tool found in this project
      modicum inject --dry-run                show what would change
      modicum inject --tool cursor --stats    one tool, with sizes and what was left out
      modicum inject --tool chatgpt           to the clipboard, at most 1,400 bytes
      modicum inject --check                  for CI: exit 1 if anything is not current
    """
    config = load_config()
    wish = wish_from(config, options)
    if options["as_status"]:
        return status.answer(config, wish, as_json=options["as_json"])
    if options["as_uninstall"]:
        return uninstall.answer(config, wish, dry=options["dry_run"], as_json=options["as_json"])
    return answer(config, wish, options)


def answer(config: Config, wish: Wish, options: Mapping[str, Any]) -> int:
    """Run, tell, and say by the exit code whether all is well."""
    dry = options["dry_run"] or options["check"]
    injection = run.survey(config, wish) if dry else run.perform(config, wish, strict=options["strict"])
    if not dry:
        _copy_what_was_asked_for(config, wish, injection)
    if options["as_json"]:
        output.say_json(tell.injection_as_json(injection))
    else:
        _tell(injection, options)
    stale = options["check"] and any(_is_behind(outcome) for outcome in injection.outcomes)
    return 1 if injection.troubles or stale else 0


def _is_behind(outcome: Outcome) -> bool:
    change = outcome.change
    return change is not None and (change.changed or change.state not in (State.CURRENT, State.ABSENT))


def _tell(injection: Injection, options: Mapping[str, Any]) -> None:
    dry = options["dry_run"] or options["check"]
    if options["dry_run"] and not options["stats"]:
        tell.say_diffs(injection)
    if options["stats"]:
        tell.say_stats(injection)
    else:
        _say_deeds(injection, dry=dry)
    tell.say_warnings(injection)


def _say_deeds(injection: Injection, *, dry: bool) -> None:
    files = [outcome for outcome in injection.outcomes if outcome.change or outcome.destination.instead]
    tell.say_lines((tell.names(o), o.destination.shown_path, _what_happened(o, dry=dry)) for o in files)
    changed = sum(outcome.change.changed for outcome in files if outcome.change)
    if dry:
        output.say(f"\n{changed} of {len(files)} files would change. Nothing was written.")
    elif files:
        output.say(
            f"\n{changed} of {len(files)} files changed. See why each block is in or out: modicum explain --tool {files[0].destination.tool.id}"
        )
        output.say("Take everything out again: modicum uninstall")


def _what_happened(outcome: Outcome, *, dry: bool) -> str:
    if outcome.destination.instead:
        return f"reads {outcome.destination.instead}: no second copy"
    return f"{tell.deed(outcome.change, dry=dry)}, {tell.size(outcome)}"


def _copy_what_was_asked_for(config: Config, wish: Wish, injection: Injection) -> None:
    """The clipboard holds one text, and only a tool that was named may have it."""
    for outcome in injection.outcomes:
        if outcome.destination.place is None and outcome.destination.tool.id in wish.tools:
            _copy(config, outcome)


def _copy(config: Config, outcome: Outcome) -> None:
    from modicum.targets.clipboard import copy

    tool = outcome.destination.tool
    if copy(outcome.payload, environment=config.environment).done:
        output.warn(f"{tool.name}: {tell.size(outcome)} copied. {tool.instructions}")
    else:
        output.warn(f"{tool.name}: there is no clipboard here, so copy the text below. {tool.instructions}")
        output.say(outcome.payload)
