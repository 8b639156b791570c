"""The command modicum import."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from modicum.app.counted import counted, enumerated
from modicum.app.memory.exchange import ImportReport, bring_in, read_source, takes_repository_files
from modicum.app.whose import project_of
from modicum.base.errors import ModicumError, WrongUsage
from modicum.cli import output
from modicum.cli.memory.upkeep.undo import MOST_NAMES, undo_in
from modicum.cli.options import PATH, json_option, project_option
from modicum.cli.questions import can_ask, require_yes
from modicum.cli.store import open_memory

if TYPE_CHECKING:
    from modicum.memory.exchange.imports.model import ImportContents
    from modicum.memory.model import Imported
    from modicum.memory.store import Store

MOST_PROBLEMS = 20  # that are printed one by one


@click.command()
@click.argument("source", type=PATH, required=False)
@click.option("--dry-run", is_flag=True, help="Show what would come, and do nothing.")
@click.option("--yes", is_flag=True, help="Take in the files of a repository without asking.")
@click.option("--undo", "do_undo", is_flag=True, help="Take the last import back.")
@project_option
@json_option
def command(source: Path | None, **options: Any) -> int:
    """Import notes from a file or a folder; the program that made it is recognized by the content.

    Exports of ours and databases, exports and chunks of engram, the databases of Hoofy and claude-mem, the file of
    server-memory, folders of Markdown notes, the memory folders of Claude Code and Codex. The source is not touched.
    What is here already stays as it is, so a second import changes nothing. --project is for notes that name none.
    Before the Markdown files of a repository come in, you are asked.

    \b
    Examples:
      modicum import backup.json
      modicum import ~/.engram/engram.db --dry-run
      modicum import ~/.claude/projects/-home-me-shop/memory
      modicum import --undo
    """
    dry_run, as_json = options["dry_run"], options["as_json"]
    if (source is None) != options["do_undo"]:
        raise WrongUsage("give a file or folder, or --undo", remedy="modicum help import")
    if source and not source.exists():
        raise ModicumError(f"{source}: there is no such file or folder", remedy="check the path")
    with open_memory() as (config, store):
        if source is None:
            return undo_in(store, config, dry_run=dry_run, as_json=as_json, kind="import", everywhere=True)
        found = read_source(
            config, source, project_of(store, config, options["project"], writing=not dry_run)
        )
        asks = not (dry_run or options["yes"]) and takes_repository_files(source, found)
        if asks:
            _agree(source, found)
        report = _brought_in(store, found, dry_run=dry_run)
    if as_json:
        output.say_json(_as_json(report, dry_run=dry_run))
    else:
        _say(report, dry_run=dry_run)
    return 0


def _agree(source: Path, found: "ImportContents") -> None:
    """Names the files of a repository that would come in, and asks; raises ModicumError unless the answer is yes."""
    for file in found.files[:MOST_NAMES]:
        output.warn(f"would come in: {file}")
    if len(found.files) > MOST_NAMES:
        output.warn(f"and {len(found.files) - MOST_NAMES:,} more")
    what = f"{counted(len(found.files), 'Markdown file')}, in or around a git repository, would become notes"
    if not can_ask():
        remedy = "say --yes if you want that, or name another folder; --dry-run only counts"
        raise ModicumError(f"{source}: {what}", remedy=remedy)
    require_yes(
        f"{what}. Take them in?", "nothing was imported", "name the folder or file that has the notes"
    )


def _brought_in(store: "Store", found: "ImportContents", *, dry_run: bool) -> ImportReport:
    with click.progressbar(
        length=len(found.archive.notes),
        label="Importing",
        file=sys.stderr,
        hidden=not sys.stderr.isatty() or dry_run,
    ) as bar:
        return bring_in(store, found, dry_run=dry_run, tell=lambda count: bar.update(count - bar.pos))


def _as_json(report: ImportReport, *, dry_run: bool) -> dict[str, object]:
    return {
        "source": report.source,
        "dry_run": dry_run,
        "came": report.came._asdict(),
        "there": report.there._asdict(),
        "differ": report.differ,
        "problems": [problem._asdict() for problem in report.problems],
    }


def _say(report: ImportReport, *, dry_run: bool) -> None:
    output.say(f"This is {report.source}.")
    output.say(f"{_counted(report.came)} {'would come' if dry_run else 'came'} in.")
    if any(report.there):
        output.say(f"Here already: {_counted(report.there)}.")
    if report.differ:
        reads = (
            "reads otherwise here, and stays so" if report.differ == 1 else "read otherwise here, and stay so"
        )
        output.say(f"{counted(report.differ, 'note')} of these {reads}.")
    if report.problems:
        output.say(f"{len(report.problems):,} could not come:")
    for problem in report.problems[:MOST_PROBLEMS]:
        output.warn(f"{problem.where}: {problem.reason}")
    if (rest := len(report.problems) - MOST_PROBLEMS) > 0:
        output.warn(f"and {rest:,} more; --json tells them all")
    if any(report.came) and not dry_run:
        output.say("Take it back: modicum import --undo")


def _counted(counts: "Imported") -> str:
    return enumerated(counts._asdict())
