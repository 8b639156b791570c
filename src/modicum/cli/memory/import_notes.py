"""The command modicum import."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modicum.app.memory.exchange import ImportReport, bring_in, read_source
from modicum.app.memory.query import project_of
from modicum.cli import output
from modicum.cli.options import json_option, project_option
from modicum.cli.store import open_memory

if TYPE_CHECKING:
    from modicum.memory.model import Imported

MOST_PROBLEMS = 20  # that are printed one by one


@click.command()
@click.argument("source", type=click.Path(path_type=Path, exists=True))
@click.option("--dry-run", is_flag=True, help="Show what would come, and do nothing.")
@project_option
@json_option
def command(source: Path, *, dry_run: bool, project: str, as_json: bool) -> int:
    """Import notes from a file or a folder; the program that made it is recognized by the content.

    Exports of ours and databases, exports and chunks of engram, the databases of Hoofy and claude-mem, the file of
    server-memory, folders of Markdown notes, the memory folders of Claude Code and Codex. The source is not touched.
    What is here already stays as it is, so a second import changes nothing. --project is for notes that name none.

    \b
    Examples:
      modicum import backup.json
      modicum import ~/.engram/engram.db --dry-run
      modicum import ~/.claude/projects/-home-me-shop/memory
    """
    with open_memory() as (config, store):
        found = read_source(source, project_of(config, project))
        with click.progressbar(
            length=len(found.archive.notes),
            label="Importing",
            file=sys.stderr,
            hidden=not sys.stderr.isatty() or dry_run,
        ) as bar:
            report = bring_in(store, found, dry_run=dry_run, tell=lambda count: bar.update(count - bar.pos))
    if as_json:
        output.say_json(_as_json(report, dry_run=dry_run))
    else:
        _say(report, dry_run=dry_run)
    return 0


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
        output.say(f"{output.counted(report.differ, 'note')} of these {reads}.")
    if report.problems:
        output.say(f"{len(report.problems):,} could not come:")
    for problem in report.problems[:MOST_PROBLEMS]:
        output.warn(f"{problem.where}: {problem.reason}")
    if (rest := len(report.problems) - MOST_PROBLEMS) > 0:
        output.warn(f"and {rest:,} more; --json tells them all")


def _counted(counts: "Imported") -> str:
    return output.enumerated(counts._asdict())
