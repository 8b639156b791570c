"""modicum session, prompt, progress and compact"""

import sys
from collections.abc import Sequence

import click

from modicum.base.errors import ModicumError
from modicum.cli import output
from modicum.cli.options import memory, project_of, project_option, sized
from modicum.memory.model import Note, NotFound, Query, Session
from modicum.memory.times import parse_time


@click.group()
def session() -> None:
    """Sessions: a stretch of work, with the notes that were made in it."""


@session.command("start")
@click.argument("name")
@project_option
@sized
def start(name: str, *, project: str, as_json: bool) -> int:
    """Begin a session, or go on with it.

    \b
    Example:
      modicum session start monday-morning
    """
    with memory() as (config, store):
        made = store.start_session(name, project=project_of(config, project), directory=str(config.root))
    return _tell(made, f"Session {made.id} of {made.project}", as_json=as_json)


@session.command("end")
@click.argument("name")
@click.option("--summary", default="", help="What came of it; - reads it from standard input.")
@sized
def end(name: str, *, summary: str, as_json: bool) -> int:
    """End a session, and keep what came of it.

    \b
    Example:
      modicum session end monday-morning --summary "The queue runs on SQLite now."
    """
    with memory() as (_, store):
        ended = store.end_session(name, sys.stdin.read() if summary == "-" else summary)
    if ended is None:
        raise NotFound(f'there is no session "{name}"', remedy="modicum session list shows them")
    return _tell(ended, f"Session {ended.id} ended", as_json=as_json)


@session.command("list")
@project_option
@click.option("--limit", default=20, show_default=True)
@sized
def list_sessions(*, project: str, limit: int, as_json: bool) -> int:
    """Sessions, the one with the latest activity first.

    \b
    Example:
      modicum session list --limit 5
    """
    with memory() as (config, store):
        found = store.sessions(Query(project=project_of(config, project), limit=max(1, limit))).items
    if as_json:
        output.say_json({"sessions": [each._asdict() for each in found]})
        return 0
    for each in found:
        head = f"{each.active_at[:16]}  {each.id}  {output.counted(each.notes, 'note')}"
        output.say(f"{head}  {each.summary[:60]}".rstrip(), head)
    if not found:
        output.say("There are no sessions.")
    return 0


def _tell(made: Session, sentence: str, *, as_json: bool) -> int:
    if as_json:
        output.say_json(made._asdict())
    else:
        output.say(sentence)
    return 0


@click.command()
@click.argument("text")
@project_option
@click.option("--session", "session_id", default="", metavar="ID")
@sized
def prompt(text: str, *, project: str, session_id: str, as_json: bool) -> int:
    """Keep what a user typed; - reads it from standard input.

    \b
    Example:
      modicum prompt "Make the queue faster"
    """
    with memory() as (config, store):
        words = sys.stdin.read() if text == "-" else text
        kept = store.add_prompt(words, session_id=session_id, project=project_of(config, project))
    if as_json:
        output.say_json({"id": kept.id})
    else:
        output.say(f"Prompt {kept.id} is kept.")
    return 0


@click.command()
@click.argument("content", required=False)
@project_option
@click.option("--namespace", default="", help="One agent's own document.")
@sized
def progress(content: str | None, *, project: str, namespace: str, as_json: bool) -> int:
    """The one JSON document that says how far a project has come: print it, or put a new one in its place.

    \b
    Examples:
      modicum progress
      modicum progress '{"goal": "ship", "done": ["store"], "next": "search"}'
    """
    with memory() as (config, store):
        name = project_of(config, project)
        words = sys.stdin.read() if content == "-" else content
        found = (
            store.put_progress(name, words, namespace)
            if words is not None
            else store.progress(name, namespace)
        )
    if as_json:
        output.say_json(found._asdict() if found else {"content": None})
    else:
        output.say(found.content if found else f"Nothing is written down for {name} yet.")
    return 0


@click.command()
@click.option("--before", required=True, metavar="DATE", help="Notes that are older than this day.")
@project_option
@click.option("--type", "kind", default="", help="Only notes of this type.")
@click.option("--ids", default="", metavar="1,2,3", help="Which of them; without it they are only listed.")
@click.option("--title", default="", help="Of the summary that takes their place.")
@click.option("--summary", default="", help="Its text; - reads it from standard input.")
@sized
def compact(
    *, before: str, project: str, kind: str, ids: str, title: str, summary: str, as_json: bool
) -> int:
    """Put one summary in the place of old notes. The notes can still be restored.

    \b
    Examples:
      modicum compact --before 2026-06-01
      modicum compact --before 2026-06-01 --ids 3,4 --title Q2 --summary "Done."
    """
    with memory() as (config, store):
        query = Query(project=project_of(config, project), type=kind, until=parse_time(before), limit=200)
        if not ids:
            stale = store.stale(query)
            rows = [{"id": note.id, "title": note.title, "created_at": note.created_at} for note in stale]
            if as_json:
                output.say_json({"stale": rows})
            else:
                _list_stale(stale, before)
            return 0
        text = sys.stdin.read() if summary == "-" else summary
        done = store.compact(_numbers(ids), query, title=title, content=text)
    if as_json:
        output.say_json(done._asdict())
    else:
        output.say(
            f"{output.counted(len(done.deleted), 'note')} compacted, {len(done.skipped)} left alone; "
            f"{done.after} of {done.before} remain."
        )
    return 0


def _list_stale(notes: Sequence[Note], before: str) -> None:
    wide = max((len(str(note.id)) for note in notes), default=0)
    for note in notes:
        output.say(f"{f'#{note.id}':<{wide + 1}}  {note.created_at[:10]}  {note.title}")
    if not notes:
        output.say(f"No note is older than {before}.")


def _numbers(words: str) -> list[int]:
    try:
        return [int(word.strip().removeprefix("#")) for word in words.split(",")]
    except ValueError:
        raise ModicumError(f'"{words}" is no list of ids', remedy="write them like 3,4,9") from None
