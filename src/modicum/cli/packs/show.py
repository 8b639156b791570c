"""modicum show"""

import click

from modicum.app.inject.load import load_knowledge
from modicum.app.packs.library import find_part
from modicum.base.config import load_config
from modicum.cli import output
from modicum.cli.decorate import json_option


@click.command()
@click.argument("key")
@json_option
def command(key: str, *, as_json: bool) -> int:
    """Print what a key stands for: a pack, a heading in it, a known error, whole and in full.

    \b
    Examples:
      modicum show pack:git
      modicum show pack:git/commits
      modicum show error:git/index-lock
    """
    text = find_part(load_knowledge(load_config()), key)
    if as_json:
        output.say_json({"key": key, "text": text})
    else:
        output.say(text)
    return 0
