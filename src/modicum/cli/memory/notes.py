"""modicum save, get, update, delete, restore, history, pin and relate"""

import sys
from typing import Any

import click

from modicum.app.memory.notes import look
from modicum.app.memory.notes import save as save_note
from modicum.base.errors import ModicumError
from modicum.cli import output
from modicum.cli.options import memory, project_of, project_option, sized
from modicum.memory.model import RELATES_TO, SCOPES, Changes, Note, NoteDraft, NotFound
from modicum.text.markdown import snippet

SNIPPET = 300


@click.command()
@click.argument("title")
@click.argument("content")
@project_option
@click.option(
    "--type",
    "kind",
    default="manual",
    show_default=True,
    help="decision, bugfix, pattern, config, discovery, …",
)
@click.option(
    "--topic",
    default="",
    metavar="KEY",
    help="A later note with this key replaces this one and keeps it as history.",
)
@click.option("--scope", type=click.Choice(SCOPES), default="project", show_default=True)
@click.option("--namespace", default="", help="An agent's own corner.")
@click.option("--session", default="", metavar="ID", help="The session that it belongs to.")
@click.option("--author", default="", help="Who says so.")
@sized
def save(title: str, content: str, **options: Any) -> int:
    """Keep a note. CONTENT - reads it from standard input. Private text and likely secrets are taken out.

    \b
    Examples:
      modicum save "Use WAL" "Readers must not block writers." --type decision
      git log -3 | modicum save "What landed today" -
    """
    text = sys.stdin.read() if content == "-" else content
    with memory() as (config, store):
        draft = NoteDraft(
            title,
            text,
            options["kind"],
            project_of(config, options["project"]),
            options["session"],
            options["scope"],
            options["topic"],
            options["namespace"],
            author=options["author"],
        )
        kept = save_note(store, draft)
    if options["as_json"]:
        told = {
            "id": kept.saved.id,
            "outcome": str(kept.saved.outcome),
            "suggested_topic": kept.suggested_topic,
        }
        output.say_json({**told, "warnings": [*kept.remarks]})
        return 0
    output.say(f"#{kept.saved.id} {kept.saved.outcome}")
    for remark in kept.remarks:
        output.warn(remark)
    return 0


@click.command()
@click.argument("number", type=int)
@sized
def get(number: int, *, as_json: bool) -> int:
    """A note, always whole, with its relations.

    \b
    Example:
      modicum get 42
    """
    with memory() as (_, store):
        found = look(store, number)
    note = found.note
    if as_json:
        relations = [relation._asdict() for relation in found.relations]
        output.say_json({**note._asdict(), "pinned": bool(note.pinned), "relations": relations})
        return 0
    output.say(_head(note))
    output.say(note.content, "", snippet(note.content, SNIPPET))
    for relation in found.relations:
        output.say(
            f"  #{relation.from_id} {relation.type} #{relation.to_id}{f' ({relation.note})' if relation.note else ''}"
        )
    return 0


@click.command()
@click.argument("number", type=int)
@click.option("--title", help="Another title.")
@click.option("--content", help="Another text; - reads it from standard input.")
@click.option("--type", "kind", help="decision, bugfix, pattern, config, discovery, …")
@click.option("--project", metavar="NAME", help="Move it to this project.")
@click.option("--scope", type=click.Choice(SCOPES), help="Who sees it.")
@click.option("--topic", metavar="KEY", help="The key under which a later note replaces it.")
@sized
def update(number: int, **options: Any) -> int:
    """Change a note; what it said before stays in its history.

    \b
    Example:
      modicum update 42 --content "Readers never block, checked with 16 writers."
    """
    changes = Changes(
        title=options["title"],
        content=sys.stdin.read() if options["content"] == "-" else options["content"],
        type=options["kind"],
        project=options["project"],
        scope=options["scope"],
        topic_key=options["topic"],
    )
    if changes == Changes():
        raise ModicumError(
            "there is nothing to change",
            remedy="add --title, --content, --type, --project, --scope or --topic",
        )
    with memory() as (_, store):
        note = store.update(number, changes)
    return _done(note.id, f"#{note.id} updated, revision {note.revision_count}", as_json=options["as_json"])


@click.command()
@click.argument("number", type=int)
@click.option("--hard", is_flag=True, help="For good: it cannot be restored.")
@sized
def delete(number: int, *, hard: bool, as_json: bool) -> int:
    """Delete a note. Unless --hard, modicum restore brings it back.

    \b
    Example:
      modicum delete 42
    """
    with memory() as (_, store):
        if not store.delete(number, hard=hard):
            raise NotFound(f"there is no note #{number}", remedy="modicum search finds notes")
    hint = "" if hard else f"; bring it back: modicum restore {number}"
    return _done(number, f"#{number} deleted{hint}", as_json=as_json)


@click.command()
@click.argument("number", type=int)
@sized
def restore(number: int, *, as_json: bool) -> int:
    """Bring a deleted note back.

    \b
    Example:
      modicum restore 42
    """
    with memory() as (_, store):
        store.restore(number)
    return _done(number, f"#{number} is back", as_json=as_json)


@click.command()
@click.argument("number", type=int)
@sized
def history(number: int, *, as_json: bool) -> int:
    """Every wording that a note has had, the present one first.

    \b
    Example:
      modicum history 42
    """
    with memory() as (_, store):
        revisions = store.history(number)
    if as_json:
        output.say_json({"revisions": [revision._asdict() for revision in revisions]})
        return 0
    for revision in revisions:
        head = f"{revision.number}. {revision.saved_at}  {revision.title}"
        output.say(f"{head}\n{revision.content}\n", head)
    return 0


@click.command()
@click.argument("number", type=int)
@click.option("--off", is_flag=True, help="Take the pin away.")
@sized
def pin(number: int, *, off: bool, as_json: bool) -> int:
    """Pin a note: every session is told it first.

    \b
    Example:
      modicum pin 42
    """
    with memory() as (_, store):
        store.pin(number, pinned=not off)
    return _done(number, f"#{number} {'is no longer' if off else 'is'} pinned", as_json=as_json)


@click.command()
@click.argument("number", type=int)
@click.argument("other", type=int)
@click.option(
    "--type", "kind", default=RELATES_TO, show_default=True, help="supersedes, contradicts, depends_on, …"
)
@click.option("--note", default="", help="Why, in a few words.")
@click.option("--both", is_flag=True, help="In both directions.")
@sized
def relate(number: int, other: int, *, kind: str, note: str, both: bool, as_json: bool) -> int:
    """Connect two notes.

    \b
    Example:
      modicum relate 42 17 --type supersedes
    """
    with memory() as (_, store):
        edges = store.relate(number, other, kind, note=note, both=both)
    if as_json:
        output.say_json({"relations": [edge._asdict() for edge in edges]})
    else:
        output.say(f"#{number} {edges[0].type} #{other}")
    return 0


def _head(note: Note) -> str:
    about = [
        note.type,
        note.project,
        note.scope if note.scope != "project" else "",
        note.topic_key,
        note.updated_at[:16],
    ]
    return f"#{note.id} {note.title}\n{' · '.join(filter(None, about))}{' · pinned' if note.pinned else ''}\n"


def _done(number: int, sentence: str, *, as_json: bool) -> int:
    if as_json:
        output.say_json({"id": number})
    else:
        output.say(sentence)
    return 0
