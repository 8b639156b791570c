"""The commands modicum delete and modicum memory restore."""

import click

from modicum.app.memory.notes import find_note
from modicum.base.errors import Remedy
from modicum.cli.options import json_option
from modicum.cli.store import open_memory, say_note
from modicum.memory.model import NotFound


@click.command()
@click.argument("note")
@click.option("--hard", is_flag=True, help="For good: it cannot be restored.")
@json_option
def command(note: str, *, hard: bool, as_json: bool) -> int:
    """Delete a note. Unless --hard, modicum memory restore brings it back.

    \b
    Example:
      modicum delete n-7kq2m4xd
    """
    with open_memory() as (_, store):
        found = find_note(store, note)
        if not store.delete(found.id, hard=hard):
            raise NotFound(f"there is no note {found.public_id}", remedy=Remedy("note.find"))
    hint = " for good" if hard else " (undo: modicum undo)"
    return say_note(found, f"deleted{hint}", as_json=as_json)


@click.command("restore")
@click.argument("note")
@json_option
def restore(note: str, *, as_json: bool) -> int:
    """Bring a deleted note back.

    \b
    Example:
      modicum memory restore n-7kq2m4xd
    """
    with open_memory() as (_, store):
        found = store.restore(find_note(store, note, deleted=True).id)
    return say_note(found, "is back", as_json=as_json)
