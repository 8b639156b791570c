"""The command modicum memory: pin, relate, prompt, progress and stats; other sub-commands have their own modules."""

import sys

import click

from modicum.app.memory import notes
from modicum.app.memory.query import project_of
from modicum.cli import output
from modicum.cli.groups import group
from modicum.cli.memory.compact import compact
from modicum.cli.memory.delete import restore
from modicum.cli.memory.index import index
from modicum.cli.memory.projects import projects
from modicum.cli.memory.sessions import sessions
from modicum.cli.options import json_option, project_option
from modicum.cli.store import open_memory
from modicum.memory.model import RELATION_TYPES


@group
def command() -> None:
    """Work with memory beside saving and finding notes: pin, relate, restore, compact, sessions, projects, …"""


@command.command("pin")
@click.argument("number", type=int)
@click.option("--off", is_flag=True, help="Take the pin away.")
@json_option
def pin(number: int, *, off: bool, as_json: bool) -> int:
    """Pin a note: every session gets it first.

    \b
    Example:
      modicum memory pin 42
    """
    with open_memory() as (_, store):
        store.pin(number, pinned=not off)
    sentence = f"#{number} {'is no longer' if off else 'is'} pinned"
    return output.say_result({"id": number}, sentence, as_json=as_json)


@command.command("relate")
@click.argument("number", type=int)
@click.argument("other", type=int)
@click.option(
    "--type",
    "kind",
    default="",
    metavar="TYPE",
    help=f"One of {', '.join(RELATION_TYPES)} (usual: the first).",
)
@click.option("--note", default="", help="Why, in a few words.")
@click.option("--both", is_flag=True, help="In both directions.")
@click.option("--off", is_flag=True, help="Remove the relations between the two, or those of the type.")
@json_option
def relate(number: int, other: int, *, kind: str, note: str, both: bool, off: bool, as_json: bool) -> int:
    """Connect two notes.

    \b
    Example:
      modicum memory relate 42 17 --type supersedes
    """
    with open_memory() as (_, store):
        if off:
            edges = notes.unrelate(store, number, other, kind)
        else:
            edges = notes.relate(store, number, other, kind, note=note, both=both)
    fields = {"relations": [edge._asdict() for edge in edges]}
    if off:
        gone = ", ".join(dict.fromkeys(edge.type for edge in edges))
        return output.say_result(
            fields, f"#{number} and #{other} are no longer related ({gone})", as_json=as_json
        )
    return output.say_result(fields, f"#{number} {edges[0].type} #{other}", as_json=as_json)


@command.command("prompt")
@click.argument("text")
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
        words = sys.stdin.read() if text == "-" else text
        kept = store.add_prompt(words, session_id=session_id, project=project_of(config, project))
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
        name = project_of(config, project)
        words = sys.stdin.read() if content == "-" else content
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
        found, place = store.stats(), store.database.place
    counts = {"note": found.notes, "session": found.sessions, "prompt": found.prompts}
    said = ", ".join(output.counted(number, noun) for noun, number in counts.items())
    projects = f"\nProjects: {', '.join(found.projects)}" if found.projects else ""
    return output.say_result(found._asdict(), f"{said} in {place}{projects}", as_json=as_json)


for each in (restore, sessions, projects, compact, index):
    command.add_command(each)
