"""The command modicum backup."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from modicum.app.counted import counted
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.options import PATH, json_option
from modicum.cli.progress_bar import ProgressBar

if TYPE_CHECKING:
    from modicum.base.config import Config


@click.command()
@click.argument("file", type=PATH)
@click.option("--restore", is_flag=True, help="Put what is in FILE in the place of memory.")
@click.option("--force", is_flag=True, help="Replace FILE if there is one.")
@json_option
def command(file: Path, *, restore: bool, force: bool, as_json: bool) -> int:
    """Write a copy of the whole memory to FILE while everything runs, or restore memory from FILE.

    The copy is memory as it is at one moment. FILE is complete or not there, and its owner alone may read it.
    It holds everything: history, what is deleted, prompts and the hashes of tokens.

    A restore keeps what was in memory before beside it, and says where. Servers go on with what is restored.

    \b
    Examples:
      modicum backup ~/memory-monday.db
      modicum backup --restore ~/memory-monday.db
    """
    if restore and force:
        raise click.UsageError("--force is for writing a backup; a restore keeps what was there anyway.")
    return (_restore if restore else _back_up)(load_config(), file, force=force, as_json=as_json)


def _back_up(config: "Config", file: Path, *, force: bool, as_json: bool) -> int:
    from modicum.app.memory.upkeep import backup

    with closing(ProgressBar("Copying")) as bar:
        done = backup.back_up(config, file, force=force, begin=bar.begin, tell=bar.tell)
    sentence = f"{counted(done.notes, 'note')} with all that belongs to memory copied to {file} ({done.bytes:,} bytes)."
    fields = {"file": str(file), "notes": done.notes, "bytes": done.bytes}
    return output.say_result(fields, sentence, as_json=as_json)


def _restore(config: "Config", file: Path, *, force: bool, as_json: bool) -> int:
    from modicum.app.memory.upkeep import backup

    with closing(ProgressBar("Restoring")) as bar:
        done = backup.restore(config, file, begin=bar.begin, tell=bar.tell)
    former = f"\nWhat was there before: {done.former}" if done.former else ""
    sentence = f"Memory is restored from {file}: {counted(done.notes, 'note')}.{former}"
    fields = {"file": str(file), "notes": done.notes, "former": str(done.former) if done.former else None}
    return output.say_result(fields, sentence, as_json=as_json)
