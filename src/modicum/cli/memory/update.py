"""The command modicum update."""

from typing import Any

import click

from modicum.app.memory.notes import find_note
from modicum.app.whose import project_of
from modicum.base.errors import WrongUsage
from modicum.cli.options import given_text, json_option
from modicum.cli.settings.names_to_complete import complete_notes
from modicum.cli.store import open_memory, say_note
from modicum.memory.model import NOTE_TYPES_LISTED, SCOPES, Changes


@click.command()
@click.argument("note", shell_complete=complete_notes)
@click.option("--title", help="Another title.")
@click.option("--content", help="Another text; - reads it from standard input.")
@click.option("--type", "kind", help=f"{NOTE_TYPES_LISTED}, …")
@click.option("--project", metavar="NAME", help="Move it to this project.")
@click.option("--scope", type=click.Choice(SCOPES), help="Who sees it.")
@click.option("--topic", metavar="KEY", help="The key under which a later note replaces it.")
@json_option
def command(note: str, **options: Any) -> int:
    """Update a note; modicum show NOTE --history prints what it said before.

    \b
    Example:
      modicum update n-7kq2m4 --content "Readers never block writers."
    """
    changes = Changes(
        title=options["title"],
        content=given_text(options["content"]),
        type=options["kind"],
        project=options["project"],
        scope=options["scope"],
        topic_key=options["topic"],
    )
    if changes == Changes():
        raise WrongUsage(
            "there is nothing to change",
            remedy="add --title, --content, --type, --project, --scope or --topic",
        )
    with open_memory() as (config, store):
        if changes.project:
            changes = changes._replace(project=project_of(store, config, changes.project))
        found = store.update(find_note(store, note).id, changes)
    return say_note(found, f"updated, revision {found.revision_count}", as_json=options["as_json"])
