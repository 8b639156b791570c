"""The command modicum team migrate."""

import os
from contextlib import closing

import click

from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.options import filled, json_option
from modicum.cli.progress_bar import ProgressBar


@click.command("migrate")
@click.option(
    "--from",
    "source",
    type=filled,
    required=True,
    metavar="URL",
    help="A postgresql:// URL, or the path of a file.",
)
@click.option("--to", "target", type=filled, required=True, metavar="URL", help="The same; made if need be.")
@click.option(
    "--owner", default="", metavar="NAME", help="Whose the personal notes and prompts are that have no owner."
)
@json_option
def migrate(source: str, target: str, *, owner: str, as_json: bool) -> int:
    """Migrate a whole store, either way: notes with their history, sessions, prompts, tokens, the audit list,
    what sync knows.

    On PostgreSQL a personal note needs an owner: yourself, unless you name another.
    The source is only read. Stopped half-way, it goes on when it is started again. In the end both
    are compared, row by row; the exit code is 0 only if they are the same.

    \b
    Examples:
      modicum team migrate --from memory.db --to postgresql://db/team
      modicum team migrate --from postgresql://db/team --to backup.db
    """
    from modicum.app.memory.notes import migrate as copy_store

    owner = owner or load_config({**os.environ, "MODICUM_DATABASE_URL": target}).person
    with closing(ProgressBar("Migrating")) as bar:
        done = copy_store(source, target, owner=owner, begin=bar.begin, tell=bar.tell)
    if as_json:
        output.say_json({"tables": [each._asdict() for each in done], "same": True})
        return 0
    rows = [(each.name, f"{each.there + each.came:,}", f"{each.came:,}", each.checksum[:16]) for each in done]
    output.table(("Table", "Rows", "Copied now", "SHA-256 of both"), rows, right=("Rows", "Copied now"))
    output.say("Both are the same.")
    return 0
