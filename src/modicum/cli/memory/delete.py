"""The commands modicum delete and modicum memory restore."""

import click

from modicum.cli import output
from modicum.cli.options import json_option
from modicum.cli.store import open_memory
from modicum.memory.model import NotFound


@click.command()
@click.argument("number", type=int)
@click.option("--hard", is_flag=True, help="For good: it cannot be restored.")
@json_option
def command(number: int, *, hard: bool, as_json: bool) -> int:
    """Delete a note. Unless --hard, modicum memory restore brings it back.

    \b
    Example:
      modicum delete 42
    """
    with open_memory() as (_, store):
        if not store.delete(number, hard=hard):
            raise NotFound(f"there is no note #{number}", remedy="modicum search finds notes")
    hint = "" if hard else f"; bring it back: modicum memory restore {number}"
    return output.say_result({"id": number}, f"#{number} deleted{hint}", as_json=as_json)


@click.command("restore")
@click.argument("number", type=int)
@json_option
def restore(number: int, *, as_json: bool) -> int:
    """Bring a deleted note back.

    \b
    Example:
      modicum memory restore 42
    """
    with open_memory() as (_, store):
        store.restore(number)
    return output.say_result({"id": number}, f"#{number} is back", as_json=as_json)
