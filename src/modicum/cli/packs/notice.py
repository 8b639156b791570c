"""modicum note"""

import click

from modicum.app.packs.notices import Notice, add_notice, clear_notices, read_notices, remove_notice
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.decorate import json_option


@click.group()
def command() -> None:
    """A line that every tool in this project should know today. Shown first, at every verbosity."""


@command.command("add")
@click.argument("words", nargs=-1, required=True)
@json_option
def add(words: tuple[str, ...], *, as_json: bool) -> int:
    """Keep a note.

    \b
    Example:
      modicum note add "Deploys are frozen until Friday"
    """
    note = add_notice(load_config(), " ".join(words))
    if as_json:
        output.say_json(_as_json(note))
    else:
        output.say(f"Note {note.id} is kept. Run modicum inject to tell the tools.")
    return 0


@command.command("list")
@json_option
def list_notes(*, as_json: bool) -> int:
    """The notes of this project.

    \b
    Example:
      modicum note list
    """
    notes = read_notices(load_config())
    if as_json:
        output.say_json({"notes": [_as_json(note) for note in notes]})
    for note in () if as_json else notes:
        output.say(f"{note.id:>3}  {note.text}")
    if not notes and not as_json:
        output.say("There are no notes.")
    return 0


@command.command("rm")
@click.argument("number", type=int)
@json_option
def remove(number: int, *, as_json: bool) -> int:
    """Take one note away.

    \b
    Example:
      modicum note rm 2
    """
    note = remove_notice(load_config(), number)
    if as_json:
        output.say_json(_as_json(note))
    else:
        output.say(f"Note {note.id} is gone: {note.text}")
    return 0


@command.command("clear")
@json_option
def clear(*, as_json: bool) -> int:
    """Take all notes away.

    \b
    Example:
      modicum note clear
    """
    number = clear_notices(load_config())
    if as_json:
        output.say_json({"cleared": number})
    else:
        output.say(f"{number} note{'s' * (number != 1)} {'are' if number != 1 else 'is'} gone.")
    return 0


def _as_json(note: Notice) -> dict[str, object]:
    return {"id": note.id, "text": note.text}
