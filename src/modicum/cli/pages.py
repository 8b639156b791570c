"""Prints pages on the command line as text or JSON, and has the options for how much of a page is wanted.

What an agent reads is made harmless, as over MCP; what a person reads, or sends into a file, stays as it was saved.

Whatever the command line needs of amounts and answers is here.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from modicum.app.answer.amount import Amount, bounded, parse_amount
from modicum.app.answer.answer import Answer, ItemList, Rest, answer, answer_as_json, list_of
from modicum.app.answer.harmless import harmless_json, harmless_list
from modicum.app.counted import counted
from modicum.app.memory.callers import is_at_terminal
from modicum.cli import output
from modicum.cli.options import together
from modicum.cli.page_text import say_page
from modicum.engine.page import Section

amount_options = together(
    click.option("--detail", default="", metavar="LEVEL", help="summary, standard or full."),
    click.option("--max-tokens", default="", metavar="N", help="At most so many tokens, whatever there is."),
    click.option(
        "--tokenizer", default="", metavar="NAME", help="What counts them: o200k_base unless you say so."
    ),
    click.option("--cursor", default="", metavar="WORD", help="Go on where an earlier page ended."),
)


ReadItems = Callable[[Amount], ItemList]


def print_page(
    read: ReadItems,
    options: Mapping[str, Any],
    *,
    empty: str | Callable[[], str],
    usual: str = "",
    question: str = "",
    origin: str = "",
) -> int:
    """Prints a page of items on the command line, as much as the options ask for; `empty` if there are none.

    The usual detail is `usual`, unless the options name one. Words of the question are highlighted on a terminal.
    The items are words of an origin, unless they say of which.
    """
    amount = _amount(options, usual)
    if options["detail"] and _agent_reads():
        amount = bounded(amount)
    items = read(amount)
    found = answer(
        harmless_list(items, amount.detail, origin) if _agent_reads() else items, amount, _closing_line
    )
    if options["as_json"]:
        say_fields(answer_as_json(found))
        return 0
    if found.page.text or not found.total:
        say_page(found.page.text or (empty if isinstance(empty, str) else empty()), question)
    if found.total and not found.shown:
        output.warn(f"nothing of {counted(found.total, 'item')} fits: say a larger --max-tokens")
    elif found.page.bare:  # there was no room for the closing line
        output.warn(_closing_line(found.rest).removeprefix("… "))
    if options.get("why"):
        _say_why(found)
    return 0


def print_all(read: ReadItems, *, empty: str, detail: str = "", as_json: bool) -> int:
    """Prints all items of a list on the command line, for a command that is not asked how much."""
    asked = {"detail": detail, "max_tokens": "", "tokenizer": "", "cursor": "", "as_json": as_json}
    return print_page(read, asked, empty=empty)


def print_sections(
    sections: Sequence[Section], options: Mapping[str, Any], *, empty: str, usual: str, origin: str = ""
) -> int:
    """Prints sections, words of an origin, as a page on the command line, at the usual detail unless the options name one."""
    return print_page(lambda _: list_of(sections), options, empty=empty, usual=usual, origin=origin)


def say_fields(fields: Mapping[str, object]) -> None:
    """Prints the fields of a page, or of one whole thing, as JSON on the command line."""
    output.say_json(harmless_json(dict(fields)) if _agent_reads() else fields)


def _agent_reads() -> bool:
    return not sys.stdout.isatty() and not is_at_terminal(os.environ, has_terminal=output.has_terminal())


def is_whole(options: Mapping[str, Any]) -> bool:
    """Returns True if the options for a page ask for no amount, so that the command prints it whole."""
    return not any(options[name] for name in ("detail", "max_tokens", "cursor"))


def _amount(options: Mapping[str, Any], usual: str) -> Amount:
    return parse_amount(
        detail=options["detail"] or usual,
        max_tokens=options["max_tokens"],
        tokenizer=options["tokenizer"],
        limit=str(max(0, options.get("limit") or 0)),
        cursor=options["cursor"],
    )


def _closing_line(rest: Rest) -> str:
    """Says how much is missing, and how to get it."""
    if rest.too_large:
        return f"… {rest.too_large} needs a larger --max-tokens; {rest.left} of {rest.total} are left"
    if rest.next:
        return f"… {rest.left} more of {rest.total}: add --cursor {rest.next}"
    return f"… {rest.shortened} shortened of {rest.total}: say a larger --max-tokens"


def _say_why(found: Answer) -> None:
    facts = {key: found.facts[key] for key in found.shown if "why" in found.facts.get(key, {})}
    wide = max((len(key) for key in facts), default=0) - len("note:")
    output.say()
    for key, fact in facts.items():
        output.say(f"  {key.removeprefix('note:'):<{wide}}  {fact['score']:.2f}  {fact['why']}")
