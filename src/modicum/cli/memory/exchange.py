"""modicum export and import"""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modicum.base.errors import ModicumError
from modicum.cli import output
from modicum.cli.options import memory, project_of, project_option, sized

if TYPE_CHECKING:
    from modicum.app.memory.exchange import ImportReport
    from modicum.memory.model import Archive, Imported

FORMATS = ("modicum", "engram", "markdown", "jsonl")
MOST_TOLD = 20


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option(
    "--format",
    "kind",
    type=click.Choice(FORMATS),
    default="modicum",
    show_default=True,
    help="What to write.",
)
@click.option("--to", "--output", "output_path", type=click.Path(path_type=Path), help="The same as FILE.")
@sized
def export(file: Path | None, *, kind: str, output_path: Path | None, as_json: bool) -> int:
    """Write everything in memory to a file; modicum import reads it back.

    Nothing is lost with modicum and jsonl. engram's format has no relations and no history. Markdown is one file a note,
    in a folder, without what is deleted.

    \b
    Examples:
      modicum export backup.json
      modicum export > backup.json
      modicum export --format markdown --to notes/
    """
    target = file or output_path
    if kind == "markdown" and target is None:
        raise ModicumError("Markdown needs a folder", remedy="modicum export --format markdown --to notes/")
    with memory() as (_, store):
        archive = store.export()
    number = _write_pages(archive, target) if kind == "markdown" and target else _write(archive, kind, target)
    if target is None:
        return 0
    counts = {"sessions": len(archive.sessions), "notes": number, "prompts": len(archive.prompts)}
    if as_json:
        output.say_json({"file": str(target), "format": kind, **counts})
        return 0
    others = {} if kind == "markdown" else {name: counts[name] for name in ("sessions", "prompts")}
    output.say(f"{output.enumerated({'notes': number, **others})} written to {target}.")
    return 0


def _write(archive: "Archive", kind: str, target: Path | None) -> int:
    from modicum.app.memory.exchange import write_file

    text = _text(archive, kind)
    if target is None:
        output.say(text.removesuffix("\n"))
    else:
        write_file(text, target)
    return len(archive.notes)


def _text(archive: "Archive", kind: str) -> str:
    from modicum.memory.exchange.archive import to_document, to_lines

    if kind == "engram":
        from modicum.compat.engram import go_json, records

        return go_json.encode(records.export(archive)).decode()
    if kind == "jsonl":
        return "".join(f"{line}\n" for line in to_lines(archive))
    return json.dumps(to_document(archive), ensure_ascii=False, indent=1) + "\n"


def _write_pages(archive: "Archive", folder: Path) -> int:
    from modicum.app.memory.exchange import write_pages

    return write_pages(archive, folder)


@click.command("import")
@click.argument("source", type=click.Path(path_type=Path, exists=True))
@click.option("--dry-run", is_flag=True, help="Show what would come, and do nothing.")
@project_option
@sized
def take_in(source: Path, *, dry_run: bool, project: str, as_json: bool) -> int:
    """Take over notes from a file or a folder, whatever program has made it; that is seen by what is in it.

    Exports of ours and databases, exports and chunks of engram, the databases of Hoofy and claude-mem, the file of
    server-memory, folders of Markdown notes, the memory folders of Claude Code and Codex. The source is not touched.
    What is here already stays as it is, so a second import changes nothing. --project is for notes that name none.

    \b
    Examples:
      modicum import backup.json
      modicum import ~/.engram/engram.db --dry-run
      modicum import ~/.claude/projects/-home-me-shop/memory
    """
    from modicum.app.memory.exchange import bring_in
    from modicum.memory.exchange.imports.recognise import recognise

    with memory() as (config, store):
        found = recognise(source, project_of(config, project))
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


def _as_json(report: "ImportReport", *, dry_run: bool) -> dict[str, object]:
    return {
        "source": report.source,
        "dry_run": dry_run,
        "came": report.came._asdict(),
        "there": report.there._asdict(),
        "differ": report.differ,
        "problems": [problem._asdict() for problem in report.problems],
    }


def _say(report: "ImportReport", *, dry_run: bool) -> None:
    output.say(f"This is {report.source}.")
    output.say(f"{_told(report.came)} {'would come' if dry_run else 'came'} in.")
    if any(report.there):
        output.say(f"Here already: {_told(report.there)}.")
    if report.differ:
        reads = (
            "reads otherwise here, and stays so" if report.differ == 1 else "read otherwise here, and stay so"
        )
        output.say(f"{output.counted(report.differ, 'note')} of these {reads}.")
    if report.problems:
        output.say(f"{len(report.problems):,} could not come:")
    for problem in report.problems[:MOST_TOLD]:
        output.warn(f"{problem.where}: {problem.reason}")
    if (rest := len(report.problems) - MOST_TOLD) > 0:
        output.warn(f"and {rest:,} more; --json tells them all")


def _told(counts: "Imported") -> str:
    return output.enumerated(
        {("notes" if name == "notes" else name): number for name, number in counts._asdict().items()}
    )
