"""The command modicum source."""

from typing import TYPE_CHECKING

import click

from modicum.app.counted import counted
from modicum.app.inject.load import about_own_packs
from modicum.app.packs import sources
from modicum.app.packs.adapter_agreements import waiting_adapters
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.failures.exit_codes import DONE, FAILED, FOUND
from modicum.cli.groups import group
from modicum.cli.options import filled, json_option, trust_option
from modicum.cli.packs.adapter_questions import say_waiting, settle_adapters, waiting_as_json
from modicum.cli.questions import can_ask
from modicum.cli.settings.names_to_complete import complete_sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modicum.app.packs.sources import ListedSource
    from modicum.base.config import Config
    from modicum.packs.model import Source, SourceReport


@group
def command() -> None:
    """Install packs from sources: folders and git repositories. Starter packs that are on stay on.

    A source is yours, or a project's, which names it in .modicum/config.yaml for everybody who works on it.

    \b
    Examples:
      modicum source add ~/team-packs
      modicum source update
    """


@command.command("add")
@click.argument("where", type=filled)
@click.option("--ref", default="", help="Branch, tag or commit of a git repository.")
@click.option("--name", default="", help="What to call it; by default the last part of where it is.")
@click.option(
    "--here", "of_project", is_flag=True, help="A git repository for everybody who works on this project."
)
@trust_option
@json_option
def add(where: str, *, ref: str, name: str, of_project: bool, trust: tuple[str, ...], as_json: bool) -> int:
    """Install a source. A folder is used in place; a repository is copied and its commit written down.

    A source has a folder packs (or content/packs), with a folder for each pack: packs/billing/pack.yaml, context.md, … It
    may have profiles/ and adapters/, too; adapters count once you have agreed to each. If nothing in it can be used, nothing is installed.

    \b
    Examples:
      modicum source add ~/team-packs
      modicum source add https://git.example.com/team/packs.git --ref v3
      modicum source add https://git.example.com/team/packs.git --ref v3 --here
    """
    add_it = sources.add_to_project if of_project else sources.add_source
    config = load_config()
    report = add_it(config, where, ref=ref, name=name)
    config = settle_adapters(
        load_config(), trust, may_ask=not as_json and can_ask(), layer=report.source.name
    )
    _say_reports(config, [report], as_json=as_json)
    if not of_project and (sentence := about_own_packs(config)):
        output.warn(sentence)
    return 0  # what is broken in it was told; the source is there


@command.command("list")
@json_option
def list_sources(*, as_json: bool) -> int:
    """List your sources and those of this project. Later ones override earlier ones.

    \b
    Example:
      modicum source list
    """
    found = sources.list_sources(load_config())
    if as_json:
        output.say_json({"sources": [_listed_as_json(each) for each in found]})
    elif found:
        output.table(
            ("Source", "Of", "Where", "Ref", "Commit"),
            [(*_of(each), each.source.location, each.source.ref, each.source.commit[:12]) for each in found],
        )
    else:
        output.say("No source is installed. Add one: modicum source add FOLDER")
    return 0


@command.command("update")
@click.argument("names", nargs=-1, shell_complete=complete_sources)
@click.option("--ref", default=None, help="Move the named source to this branch, tag or commit.")
@json_option
def update(names: tuple[str, ...], *, ref: str | None, as_json: bool) -> int:
    """Update sources, and fetch the web pages that packs of yours quote. What fails keeps what it has.

    What a project names moves only by this command: its lock file, .modicum/sources.lock.json, keeps the commit.

    \b
    Examples:
      modicum source update team
      modicum source update team --ref v2
    """
    if ref is not None and len(names) != 1:
        raise click.UsageError("--ref needs the name of one source")
    reports = sources.update_sources(load_config(), names, ref)
    return _say_reports(load_config(), reports, as_json=as_json)


@command.command("agree")
@click.argument("locations", type=filled, nargs=-1, required=True)
@json_option
def agree(locations: tuple[str, ...], *, as_json: bool) -> int:
    """Let projects take packs from a location. Kept in your own config file; without it nothing is fetched.

    What a project fetches becomes instructions for your AI tools, so agree to what you trust. In CI the variable
    MODICUM_AGREED_SOURCES does the same, with the locations separated by blanks.

    \b
    Example:
      modicum source agree https://git.example.com/team/packs.git
    """
    config = sources.agree(load_config(), locations)
    sentence = f"Projects may take packs from {', '.join(locations)} now."
    return output.say_result({"agreed_sources": [*config.agreed_sources]}, sentence, as_json=as_json)


@command.command("remove")
@click.argument("name", shell_complete=complete_sources)
@json_option
def remove(name: str, *, as_json: bool) -> int:
    """Remove a source: the project's of that name, if any, or yours. A folder of yours is not touched.

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


def _listed_as_json(listed: "ListedSource") -> dict[str, object]:
    return {**_as_json(listed.source), "of": _of(listed)[1]}


def _of(listed: "ListedSource") -> tuple[str, str]:
    return listed.source.name, "project" if listed.of_project else "you"


def _say_reports(config: "Config", reports: "Sequence[SourceReport]", *, as_json: bool) -> int:
    names = {report.source.name for report in reports}
    waiting = [each for each in waiting_adapters(config) if each.layer in names]
    if as_json:
        rows = [_report_as_json(report) for report in reports]
        output.say_json({"sources": rows, "not_agreed": waiting_as_json(waiting)})
    else:
        for report in reports:
            _say(report)
        say_waiting(waiting)
    if reports and all(report.failed for report in reports):
        return FAILED
    return FOUND if any(report.failed or report.problems for report in reports) else DONE


def _say(report: "SourceReport") -> None:
    counts = {"pack": report.packs, "profile": report.profiles, "adapter": report.adapters}
    held = ", ".join(counted(number, noun) for noun, number in counts.items())
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
