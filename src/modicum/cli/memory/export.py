"""The command modicum export."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modicum.app.counted import enumerated
from modicum.app.memory.exchange import archive_as_document, archive_as_lines, write_file, write_pages
from modicum.base.errors import WrongUsage
from modicum.cli import output
from modicum.cli.options import PATH, json_option
from modicum.cli.store import open_memory

if TYPE_CHECKING:
    from modicum.base.config import Config
    from modicum.memory.model import Archive

MARKDOWN = "markdown"  # a folder of files; every other format is one text


def _as_engram(archive: "Archive") -> str:
    from modicum.compat.engram import go_json, records

    return go_json.encode(records.export(archive)).decode()


# Formats of other systems are registered here, and nowhere else on the command line.
TEXTS: Mapping[str, Callable[["Archive"], str]] = {
    "modicum": archive_as_document,
    "engram": _as_engram,
    "jsonl": archive_as_lines,
}


@click.command()
@click.argument("file", type=PATH, required=False)
@click.option(
    "--format",
    "kind",
    type=click.Choice((*TEXTS, MARKDOWN)),
    default="modicum",
    show_default=True,
    help="What to write.",
)
@click.option("--to", "--output", "output_path", type=PATH, help="The same as FILE.")
@json_option
def command(file: Path | None, *, kind: str, output_path: Path | None, as_json: bool) -> int:
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
    if kind == MARKDOWN and target is None:
        raise WrongUsage("Markdown needs a folder", remedy="modicum export --format markdown --to notes/")
    with open_memory() as (config, store):
        archive = store.export()
    if target is None:
        output.say(TEXTS[kind](archive).removesuffix("\n"))
        return 0
    number = _write(config, archive, kind, target)
    counts = {"notes": number, "sessions": len(archive.sessions), "prompts": len(archive.prompts)}
    written = {"notes": number} if kind == MARKDOWN else counts
    sentence = f"{enumerated(written)} written to {target}."
    return output.say_result({"file": str(target), "format": kind, **counts}, sentence, as_json=as_json)


def _write(config: "Config", archive: "Archive", kind: str, target: Path) -> int:
    """Writes a file or a folder; returns the number of notes."""
    if kind == MARKDOWN:
        return write_pages(config, archive, target)
    write_file(config, TEXTS[kind](archive), target)
    return len(archive.notes)
