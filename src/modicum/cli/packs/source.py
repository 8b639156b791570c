"""The command modicum source."""

from typing import TYPE_CHECKING

import click

from modicum.app.packs import sources
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.groups import group
from modicum.cli.options import json_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modicum.packs.sources import Source, SourceReport


@group
def command() -> None:
    """Install packs from sources: folders and git repositories. With the first one, the starter packs make way."""


@command.command("add")
@click.argument("where")
@click.option("--ref", default="", help="Branch, tag or commit of a git repository.")
@click.option("--name", default="", help="What to call it; by default the last part of where it is.")
@json_option
def add(where: str, *, ref: str, name: str, as_json: bool) -> int:
    """Install a source. A folder is used in place; a repository is copied and its commit written down.

    A source has a folder packs (or content/packs), with a folder for each pack: packs/billing/pack.yaml, context.md, … It
    may have profiles/ and adapters/, too. If nothing in it can be used, nothing is installed.

    \b
    Examples:
      modicum source add ~/team-packs
      modicum source add https://git.example.com/team/packs.git --ref v3
    """
    report = sources.add_source(load_config(), where, ref=ref, name=name)
    _say_reports([report], as_json=as_json)
    return 0  # what is broken in it was told; the source is there


@command.command("list")
@json_option
def list_sources(*, as_json: bool) -> int:
    """List the installed sources; later ones override earlier ones.

    \b
    Example:
      modicum source list
    """
    found = sources.list_sources(load_config())
    if as_json:
        output.say_json({"sources": [_as_json(source) for source in found]})
    elif found:
        output.table(
            ("Source", "Where", "Ref", "Commit"),
            [(s.name, s.location, s.ref, s.commit[:12]) for s in found],
        )
    else:
        output.say(
            "No source is installed, so the starter packs are in force. Add one: modicum source add FOLDER"
        )
    return 0


@command.command("update")
@click.argument("names", nargs=-1)
@json_option
def update(names: tuple[str, ...], *, as_json: bool) -> int:
    """Update sources, and fetch the web pages that their packs quote. What fails keeps what it has.

    \b
    Example:
      modicum source update team
    """
    return _say_reports(sources.update_sources(load_config(), names), as_json=as_json)


@command.command("remove")
@click.argument("name")
@json_option
def remove(name: str, *, as_json: bool) -> int:
    """Remove a source. A folder of yours is not touched.

    \b
    Example:
      modicum source remove team
    """
    source = sources.remove_source(load_config(), name)
    if as_json:
        output.say_json(_as_json(source))
    else:
        output.say(f"{source.name} is no longer a source. Run modicum inject to bring the tools up to date.")
    return 0


def _as_json(source: "Source") -> dict[str, object]:
    return {"name": source.name, "location": source.location, "ref": source.ref, "commit": source.commit}


def _say_reports(reports: "Sequence[SourceReport]", *, as_json: bool) -> int:
    if as_json:
        output.say_json({"sources": [_report_as_json(report) for report in reports]})
    else:
        for report in reports:
            _say(report)
    return 1 if any(report.failed or report.problems for report in reports) else 0


def _say(report: "SourceReport") -> None:
    counts = {"pack": report.packs, "profile": report.profiles, "adapter": report.adapters}
    held = ", ".join(output.counted(number, noun) for noun, number in counts.items())
    output.say(f"{report.source.name}: {report.failed or held}")
    for sentence in (*map(str, report.problems), *report.remarks):
        output.warn(sentence)


def _report_as_json(report: "SourceReport") -> dict[str, object]:
    return {
        **_as_json(report.source),
        "packs": report.packs,
        "profiles": report.profiles,
        "adapters": report.adapters,
        "problems": [*map(str, report.problems)],
        "remarks": [*report.remarks],
        "failed": report.failed,
    }
