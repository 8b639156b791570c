"""The commands modicum tool backups and modicum tool restore."""

import click

from modicum.app.agents.file_backups import backups_of, made_at, restore
from modicum.app.local_times import local_time
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.options import json_option


@click.command("backups")
@click.option("--all", "every", is_flag=True, help="Of files in other projects and in your home folder, too.")
@json_option
def backups(*, every: bool, as_json: bool) -> int:
    """List the backups of tools' files in this project. They have what was there before modicum changed it, five at
    most of each.

    \b
    Examples:
      modicum tool backups
      modicum tool backups --all
    """
    found = backups_of(load_config(), everywhere=every)
    if as_json:
        rows = [
            {"name": b.name, "file": str(b.file), "made_at": made_at(b), "bytes": b.size, "copy": str(b.copy)}
            for b in found
        ]
        output.say_json({"backups": rows})
    elif found:
        rows_for_people = [
            (b.name, str(b.file), local_time(made_at(b)), output.amount(b.size)) for b in found
        ]
        output.table(("Backup", "File", "Made", "Bytes"), rows_for_people, right=("Bytes",))
    else:
        output.say("There are no backups of files here. Of all files: modicum tool backups --all")
    return 0


@click.command("restore")
@click.argument("name")
@json_option
def restore_file(name: str, *, as_json: bool) -> int:
    """Put a backup of a tool's file back, byte for byte. What is there now is kept as another backup.

    \b
    Example:
      modicum tool restore 3f2a91c0.1
    """
    backup, kept = restore(load_config(), name)
    fields = {"file": str(backup.file), "bytes": backup.size, "kept": str(kept) if kept else None}
    also = f" What was there is kept in {kept}" if kept else ""
    return output.say_result(fields, f"{backup.file} is as it was in {backup.name}.{also}", as_json=as_json)
