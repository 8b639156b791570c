"""modicum check"""

from collections.abc import Callable
from typing import Any

import click

from modicum.app.answer.answer import Answer, answer_as_json
from modicum.app.specs.check import check
from modicum.cli import output
from modicum.cli.options import amount_from, amount_options, json_option, memory

EMPTY = "Nothing that was written here bears on that."

check_options = (
    click.option("--change", default="", metavar="ID", help="The change that this is for; it is left out."),
    click.option("--limit", default=0, metavar="N", help="At most so many findings."),
)


@click.command()
@click.argument("words", nargs=-1)
@check_options[0]
@check_options[1]
@amount_options
@json_option
def command(words: tuple[str, ...], **options: Any) -> int:
    """What was specified, decided and tried before that bears on what you want to change.

    Looks at specs, decisions, earlier changes, memory, files with conventions and packs. Without WORDS, for the change
    at hand. Everything is named, the most relevant first, before anything is told at length.

    \b
    Examples:
      modicum check "move sessions to Redis"
      modicum check "use floats for discounts" --detail summary --max-tokens 400
    """
    return run(check, words, options)


def run(view: Callable[..., Answer], words: tuple[str, ...], options: dict[str, Any]) -> int:
    """Ask one of the views of the findings, and print it."""
    with memory() as (config, store):
        answer = view(
            config,
            store,
            " ".join(words),
            amount_from(options),
            change=options["change"],
            limit=max(0, options["limit"]),
            cursor=options["cursor"],
        )
    tell(answer, as_json=options["as_json"], empty=EMPTY)
    return 0


def tell(answer: Answer, *, as_json: bool, empty: str) -> None:
    """An answer as JSON, or its text."""
    if as_json:
        output.say_json(answer_as_json(answer))
        return
    nothing = f"Nothing of it fits; there are {answer.total} items." if answer.total else empty
    output.say(answer.page.text or nothing)
    if answer.omitted and "cursor" not in answer.page.text:
        output.warn(
            f"{answer.omitted} more of {answer.total}{f': add --cursor {answer.next}' if answer.next else ''}"
        )
