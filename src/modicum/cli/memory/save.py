"""The command modicum save."""

from typing import Any

import click

from modicum.app.memory.notes import save, with_title
from modicum.app.whose import project_of
from modicum.cli import output
from modicum.cli.options import filled, given_text, json_option, project_option
from modicum.cli.store import open_memory
from modicum.memory.model import NOTE_TYPES_LISTED, SCOPES, NoteDraft


@click.command()
@click.argument("title", type=filled)
@click.argument("content", type=filled)
@project_option
@click.option(
    "--type",
    "kind",
    default="manual",
    show_default=True,
    help=f"{NOTE_TYPES_LISTED}, …",
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
@json_option
def command(title: str, content: str, **options: Any) -> int:
    """Save a note. CONTENT - reads it from standard input. Private text and likely secrets are taken out.

    \b
    Examples:
      modicum save "Use WAL" "Readers must not block writers." --type decision
      git log -3 | modicum save "What landed today" -
    """
    text = given_text(content)
    with open_memory() as (config, store):
        draft = NoteDraft(
            title,
            text,
            options["kind"],
            project_of(store, config, options["project"], writing=True),
            options["session"],
            options["scope"],
            options["topic"],
            options["namespace"],
            author=options["author"],
        )
        kept = save(store, draft, config)
    if options["as_json"]:
        fields = {"id": kept.note.public_id, "number": kept.note.id, "outcome": str(kept.saved.outcome)}
        remarks = {"suggested_topic": kept.suggested_topic, "warnings": [*kept.remarks]}
        output.say_json({**fields, **remarks})
        return 0
    output.say(f"{with_title(kept.note)} {kept.saved.outcome}")
    for remark in kept.remarks:
        output.warn(remark)
    return 0
