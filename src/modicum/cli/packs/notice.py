"""The command modicum notice."""

import click

from modicum.app.packs.notices import Notice, add_notice, clear_notices, read_notices, remove_notice
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.groups import group
from modicum.cli.options import json_option


@group
def command() -> None:
    """Add, list and remove notices: lines that every tool in this project should know today, shown first."""


@command.command("add")
@click.argument("words", nargs=-1, required=True)
@json_option
def add(words: tuple[str, ...], *, as_json: bool) -> int:
    """Add a notice.

    \b
    Example:
      modicum notice add "Deploys are frozen until Friday"
    """
    notice = add_notice(load_config(), " ".join(words))
    if as_json:
        output.say_json(_as_json(notice))
    else:
        output.say(f"Notice {notice.id} is kept. Run modicum inject to tell the tools.")
    return 0


@command.command("list")
@json_option
def list_notices(*, as_json: bool) -> int:
    """List the notices of this project.

    \b
    Example:
      modicum notice list
    """
    notices = read_notices(load_config())
    if as_json:
        output.say_json({"notices": [_as_json(each) for each in notices]})
    for each in () if as_json else notices:
        output.say(f"{each.id:>3}  {each.text}")
    if not notices and not as_json:
        output.say("There are no notices.")
    return 0


@command.command("remove")
@click.argument("number", type=int)
@json_option
def remove(number: int, *, as_json: bool) -> int:
    """Remove one notice.

    \b
    Example:
      modicum notice remove 2
    """
    notice = remove_notice(load_config(), number)
    if as_json:
        output.say_json(_as_json(notice))
    else:
        output.say(f"Notice {notice.id} is gone: {notice.text}")
    return 0


@command.command("clear")
@json_option
def clear(*, as_json: bool) -> int:
    """Remove all notices.

    \b
    Example:
      modicum notice clear
    """
    number = clear_notices(load_config())
    if as_json:
        output.say_json({"cleared": number})
    else:
        output.say(f"{output.counted(number, 'notice')} {'are' if number != 1 else 'is'} gone.")
    return 0


def _as_json(notice: Notice) -> dict[str, object]:
    return {"id": notice.id, "text": notice.text}
