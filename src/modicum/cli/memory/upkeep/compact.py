"""The command modicum memory compact."""

from collections.abc import Mapping, Sequence

import click

from modicum.app.local_times import local_day
from modicum.app.memory.notes import note_numbers
from modicum.app.memory.query import older_than, project_of
from modicum.cli import output
from modicum.cli.options import given_text, json_option, project_option
from modicum.cli.store import open_memory
from modicum.memory.model import Compacted, Note


@click.command("compact")
@click.option("--before", required=True, metavar="DATE", help="Notes that are older than this day.")
@project_option
@click.option("--type", "kind", default="", help="Only notes of this type.")
@click.option("--ids", default="", metavar="ID,…", help="Which of them; without it they are only listed.")
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
      modicum memory compact --before 2026-06-01 --ids n-7kq2,n-3v9e --title Q2 …
    """
    with open_memory() as (config, store):
        query = older_than(before, project=project_of(config, project), kind=kind)
        if not ids:
            old = store.stale(query)
            return _say_old(old, store.names(note.id for note in old), before, as_json=as_json)
        text = given_text(summary)
        done = store.compact(note_numbers(store, ids.split(",")), query, title=title, content=text)
        names = store.names((*done.deleted, *done.skipped, *filter(None, (done.summary_id,))))
    return output.say_result(_fields(done, names), _sentence(done), as_json=as_json)


def _fields(done: Compacted, names: Mapping[int, str]) -> dict[str, object]:
    ids = {name: [names[number] for number in getattr(done, name)] for name in ("deleted", "skipped")}
    return {**done._asdict(), **ids, "summary_id": names.get(done.summary_id)}


def _sentence(done: Compacted) -> str:
    gone = f"{output.counted(len(done.deleted), 'note')} compacted, {len(done.skipped)} left alone"
    return f"{gone}; {done.after} of {done.before} remain."


def _say_old(notes: Sequence[Note], names: Mapping[int, str], before: str, *, as_json: bool) -> int:
    if as_json:
        rows = [
            {"id": names[note.id], "number": note.id, "title": note.title, "created_at": note.created_at}
            for note in notes
        ]
        output.say_json({"stale": rows})
        return 0
    for note in notes:
        output.say(f"{names[note.id]}  {local_day(note.created_at)}  {note.title}")
    if not notes:
        output.say(f"No note is older than {before}.")
    return 0
