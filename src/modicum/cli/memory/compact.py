"""The command modicum memory compact."""

import sys
from collections.abc import Sequence

import click

from modicum.app.memory.query import older_than, project_of
from modicum.base.errors import ModicumError
from modicum.cli import output
from modicum.cli.options import json_option, project_option
from modicum.cli.store import open_memory
from modicum.memory.model import Compacted, Note


@click.command("compact")
@click.option("--before", required=True, metavar="DATE", help="Notes that are older than this day.")
@project_option
@click.option("--type", "kind", default="", help="Only notes of this type.")
@click.option("--ids", default="", metavar="1,2,3", help="Which of them; without it they are only listed.")
@click.option("--title", default="", help="Of the summary that takes their place.")
@click.option("--summary", default="", help="Its text; - reads it from standard input.")
@json_option
def compact(
    *, before: str, project: str, kind: str, ids: str, title: str, summary: str, as_json: bool
) -> int:
    """Put one summary in the place of old notes. The notes can still be restored.

    \b
    Examples:
      modicum memory compact --before 2026-06-01
      modicum memory compact --before 2026-06-01 --ids 3,4 --title Q2 --summary ok
    """
    with open_memory() as (config, store):
        query = older_than(before, project=project_of(config, project), kind=kind)
        if not ids:
            return _say_old(store.stale(query), before, as_json=as_json)
        text = sys.stdin.read() if summary == "-" else summary
        done = store.compact(_numbers(ids), query, title=title, content=text)
    return output.say_result(done._asdict(), _sentence(done), as_json=as_json)


def _sentence(done: Compacted) -> str:
    gone = f"{output.counted(len(done.deleted), 'note')} compacted, {len(done.skipped)} left alone"
    return f"{gone}; {done.after} of {done.before} remain."


def _say_old(notes: Sequence[Note], before: str, *, as_json: bool) -> int:
    if as_json:
        rows = [{"id": note.id, "title": note.title, "created_at": note.created_at} for note in notes]
        output.say_json({"stale": rows})
        return 0
    wide = max((len(str(note.id)) for note in notes), default=0)
    for note in notes:
        output.say(f"{f'#{note.id}':<{wide + 1}}  {note.created_at[:10]}  {note.title}")
    if not notes:
        output.say(f"No note is older than {before}.")
    return 0


def _numbers(words: str) -> list[int]:
    try:
        return [int(word.strip().removeprefix("#")) for word in words.split(",")]
    except ValueError:
        raise ModicumError(f'"{words}" is no list of ids', remedy="write them like 3,4,9") from None
