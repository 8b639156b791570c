"""The command modicum check."""

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from modicum.app.specs.check import check
from modicum.cli.options import check_options, json_option
from modicum.cli.pages import amount_options, print_page
from modicum.cli.store import open_memory, warn_of_others

EMPTY = "Nothing that was written here bears on that."


@click.command()
@click.argument("words", nargs=-1)
@check_options
@amount_options
@json_option
def command(words: tuple[str, ...], **options: Any) -> int:
    """Check what was specified, decided and tried before that bears on what you want to change.

    Looks at specs, decisions, earlier changes, memory, files with conventions and packs. Without WORDS, for the change
    at hand. Everything is named, the most relevant first, before anything is told at length.

    \b
    Examples:
      modicum check "move sessions to Redis"
      modicum check "use floats for discounts" --detail summary --max-tokens 400
    """
    return print_findings(check, words, options)


def print_findings(findings: Callable[..., Any], words: tuple[str, ...], options: dict[str, Any]) -> int:
    """Prints the findings of `modicum check` on some words, as the page that the options ask for."""
    with open_memory() as (config, store):
        read = partial(findings, config, store, " ".join(words), change=options["change"])
        warn_of_others(config, store)
        return print_page(read, options, empty=EMPTY)
