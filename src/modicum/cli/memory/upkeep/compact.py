"""The command modicum memory compact."""

from typing import Any

import click

from modicum.app.counted import counted
from modicum.app.memory.query import older_than
from modicum.app.memory.upkeep.compact import CompactedNotes, compact_notes, list_old_notes
from modicum.cli import output
from modicum.cli.memory.filters import asked, filter_options, words_of
from modicum.cli.options import given_text, json_option
from modicum.cli.pages import print_all
from modicum.cli.store import open_memory
from modicum.memory.filters.model import ItemKind


@click.command("compact")
@click.option("--before", required=True, metavar="DATE", help="Notes that are older than this day.")
@filter_options(ItemKind.NOTE, without=("until",))
@click.option("--ids", default="", metavar="ID,…", help="Which of them; without it they are only listed.")
@click.option("--title", default="", help="Of the summary that takes their place.")
@click.option("--summary", default="", help="Its text; - reads it from standard input.")
@json_option
def compact(*, before: str, ids: str, title: str, summary: str, as_json: bool, **options: Any) -> int:
    """Put one summary in the place of old notes. The notes can still be restored.

    \b
    Examples:
      modicum memory compact --before 2026-06-01
      modicum memory compact --before 2026-06-01 --ids n-7kq2,n-3v9e --title Q2 …
    """
    with open_memory() as (config, store):
        words = words_of(store, config, options)
        query = asked(lambda: older_than(before, words))
        if not ids:
            empty = f"No note is older than {before}."
            return print_all(list_old_notes(store, query), detail="summary", empty=empty, as_json=as_json)
        done = compact_notes(store, ids.split(","), query, title=title, content=given_text(summary))
    return output.say_result(done._asdict(), _sentence(done), as_json=as_json)


def _sentence(done: CompactedNotes) -> str:
    gone = f"{counted(len(done.deleted), 'note')} compacted, {len(done.skipped)} left alone"
    return f"{gone}; {done.after} of {done.before} remain."
