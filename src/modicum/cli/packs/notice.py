"""The command modicum notice."""

import click

from modicum.app.counted import counted
from modicum.app.packs.notices import Notice, add_notice, clear_notices, read_notices, remove_notice
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.groups import group
from modicum.cli.options import json_option


@group
def command() -> None:
    """Add, list and remove notices: lines that every tool in this project should know today, shown first.

    \b
    Examples:
      modicum notice add "Deploys are frozen until Friday"
      modicum notice list
      modicum notice remove --all
    """


@command.command("add")
@click.argument("words", nargs=-1, required=True)
@json_option
def add(words: tuple[str, ...], *, as_json: bool) -> int:
    """Add a notice.

    \b
    Example:
      modicum notice add "Deploys are frozen until Friday"
    """
    config = load_config()
    notice = add_notice(config, " ".join(words))
    sentence = f"Notice {notice.id} is kept in {config.project}. Run modicum inject to tell the tools."
    return output.say_result({**_as_json(notice), "folder": str(config.project)}, sentence, as_json=as_json)


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
@click.argument("number", type=int, required=False)
@click.option("--all", "every", is_flag=True, help="All notices of this project, readable or not.")
@json_option
def remove(number: int | None, *, every: bool, as_json: bool) -> int:
    """Remove one notice, or all.

    \b
    Examples:
      modicum notice remove 2
      modicum notice remove --all
    """
    if every is not (number is None):
        raise click.UsageError("say which notice, or --all")
    config = load_config()
    if number is None:
        gone = clear_notices(config)
        sentence = f"{counted(gone, 'notice')} {'are' if gone != 1 else 'is'} gone."
        return output.say_result({"removed": gone}, sentence, as_json=as_json)
    notice = remove_notice(config, number)
    return output.say_result(_as_json(notice), f"Notice {notice.id} is gone: {notice.text}", as_json=as_json)


def _as_json(notice: Notice) -> dict[str, object]:
    return {"id": notice.id, "text": notice.text}
