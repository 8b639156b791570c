"""The command modicum memory: pin, relate, prompt, progress and stats; other sub-commands have their own modules."""

import click

from modicum.app.counted import counted
from modicum.app.memory import notes
from modicum.app.whose import project_of
from modicum.cli import output
from modicum.cli.groups import group
from modicum.cli.memory.delete import restore
from modicum.cli.memory.projects import projects
from modicum.cli.memory.sessions import sessions
from modicum.cli.memory.upkeep.audit import audit
from modicum.cli.memory.upkeep.compact import compact
from modicum.cli.memory.upkeep.inbox import inbox
from modicum.cli.memory.upkeep.index import index
from modicum.cli.memory.upkeep.undo import log
from modicum.cli.options import filled, given_text, json_option, project_option
from modicum.cli.settings.names_to_complete import complete_notes
from modicum.cli.store import open_memory, say_note
from modicum.memory.model import RELATION_TYPES


@group
def command() -> None:
    """Work with memory beside saving and finding notes: pin, relate, restore, compact, sessions, projects, …

    \b
    Examples:
      modicum memory pin n-7kq2m4
      modicum memory log
      modicum memory stats
    """


@command.command("pin")
@click.argument("note", shell_complete=complete_notes)
@click.option("--remove", is_flag=True, help="Take the pin away.")
@json_option
def pin(note: str, *, remove: bool, as_json: bool) -> int:
    """Pin a note: every session gets it first.

    \b
    Example:
      modicum memory pin n-7kq2m4
    """
    with open_memory() as (_, store):
        found = notes.find_note(store, note)
        store.pin(found.id, pinned=not remove)
    return say_note(found, f"{'is no longer' if remove else 'is'} pinned", as_json=as_json)


@command.command("relate")
@click.argument("note", shell_complete=complete_notes)
@click.argument("other", shell_complete=complete_notes)
@click.option(
    "--type",
    "kind",
    default="",
    metavar="TYPE",
    help=f"One of {', '.join(RELATION_TYPES)} (usual: the first).",
)
@click.option("--note", "why", default="", help="Why, in a few words.")
@click.option("--both", is_flag=True, help="In both directions.")
@click.option("--remove", is_flag=True, help="Remove the relations between the two, or those of the type.")
@json_option
def relate(note: str, other: str, *, kind: str, why: str, both: bool, remove: bool, as_json: bool) -> int:
    """Connect two notes.

    \b
    Example:
      modicum memory relate n-7kq2m4 n-3v9e0c --type supersedes
    """
    with open_memory() as (_, store):
        ends = [notes.find_note(store, word) for word in (note, other)]
        one, two = (end.id for end in ends)
        if remove:
            edges = notes.unrelate(store, one, two, kind)
        else:
            edges = notes.relate(store, one, two, kind, note=why, both=both)
        fields = {"relations": notes.relation_fields(store, edges)}
    first, second = map(notes.with_title, ends)
    types = ", ".join(dict.fromkeys(edge.type for edge in edges))
    gone = f"{first} and {second} are no longer related ({types})"
    return output.say_result(fields, gone if remove else f"{first} {types} {second}", as_json=as_json)


@command.command("prompt")
@click.argument("text", type=filled)
@project_option
@click.option("--session", "session_id", default="", metavar="ID", help="The session that it belongs to.")
@json_option
def prompt(text: str, *, project: str, session_id: str, as_json: bool) -> int:
    """Save a prompt that a user typed; - reads it from standard input.

    \b
    Example:
      modicum memory prompt "Make the queue faster"
    """
    with open_memory() as (config, store):
        words = given_text(text)
        kept = store.add_prompt(
            words, session_id=session_id, project=project_of(store, config, project, writing=True)
        )
    return output.say_result({"id": kept.id}, f"Prompt {kept.id} is kept.", as_json=as_json)


@command.command("progress")
@click.argument("content", required=False)
@project_option
@click.option("--namespace", default="", help="One agent's own document.")
@json_option
def progress(content: str | None, *, project: str, namespace: str, as_json: bool) -> int:
    """Print the progress of a project, one JSON document, or put a new one in its place.

    \b
    Examples:
      modicum memory progress
      modicum memory progress '{"goal": "ship", "next": "search"}'
    """
    with open_memory() as (config, store):
        name = project_of(store, config, project)
        words = given_text(content)
        if words is None:
            document = store.progress(name, namespace)
        else:
            document = store.put_progress(name, words, namespace)
    fields = document._asdict() if document else {"content": None}
    sentence = document.content if document else f"Nothing is written down for {name} yet."
    return output.say_result(fields, sentence, as_json=as_json)


@command.command("stats")
@json_option
def stats(*, as_json: bool) -> int:
    """Count what is in memory.

    \b
    Example:
      modicum memory stats
    """
    with open_memory() as (_, store):
        found, place, waiting = store.stats(), store.database.place, store.count_inbox()
        shown = store.shown_projects()
    counts = {"note": found.notes, "session": found.sessions, "prompt": found.prompts}
    said = ", ".join(counted(number, noun) for noun, number in counts.items())
    projects = (
        f"\nProjects: {', '.join(shown.get(each, each) for each in found.projects)}" if found.projects else ""
    )
    inbox = f"\n{counted(waiting, 'note')} in the inbox: modicum memory inbox" if waiting else ""
    fields = {**found._asdict(), "waiting": waiting}
    return output.say_result(fields, f"{said} in {place}{projects}{inbox}", as_json=as_json)


for each in (log, restore, inbox, audit, sessions, projects, compact, index):
    command.add_command(each)
