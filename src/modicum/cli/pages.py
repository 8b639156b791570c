"""Pages on the command line: the options that say how much is wanted, and a page printed as text or as JSON.

Whatever the command line needs of amounts and answers is here.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import click

from modicum.app.answer.amount import Amount, parse_amount
from modicum.app.answer.answer import Answer, answer_as_json
from modicum.app.specs.pages import paging
from modicum.cli import output
from modicum.cli.options import together
from modicum.engine.page import LeftOut, Section

amount_options = together(
    click.option(
        "--detail", "--verbosity", "detail", default="", metavar="LEVEL", help="summary, standard or full."
    ),
    click.option("--max-tokens", default="", metavar="N", help="At most so many tokens, whatever there is."),
    click.option(
        "--tokenizer", default="", metavar="NAME", help="What counts them: o200k_base unless you say so."
    ),
    click.option("--cursor", default="", metavar="WORD", help="Go on where an earlier page ended."),
)


class ReadPage(Protocol):
    """A use case that answers in the amount that is asked for, from a cursor on."""

    def __call__(self, amount: Amount, /, *, cursor: str) -> Answer: ...


def print_page(read: ReadPage, options: Mapping[str, Any], *, empty: str) -> int:
    """Reads a page in the amount of the options and prints it; `empty` is said if there is nothing to read."""
    answer = read(_amount(options), cursor=options["cursor"])
    if options["as_json"]:
        output.say_json(answer_as_json(answer))
        return 0
    output.say(_text(answer, empty))
    if options.get("why") and answer.hits:
        _say_why(answer)
    _warn_of_rest(answer)
    return 0


def print_sections(sections: Sequence[Section], options: Mapping[str, Any], *, empty: str, usual: str) -> int:
    """Prints sections as a page, at the usual detail unless the options name one. Its last line says what is missing."""
    amount = _amount({**options, "detail": options["detail"] or usual})._replace(pointer=_say_larger)
    answer = paging(sections, cursor=options["cursor"])(amount)
    if options["as_json"]:
        output.say_json(answer_as_json(answer))
    else:
        output.say(_text(answer, empty))
    return 0


def is_whole(options: Mapping[str, Any]) -> bool:
    """Returns True if no amount is asked for, so that everything is printed."""
    return not any(options[name] for name in ("detail", "max_tokens", "cursor"))


def _amount(options: Mapping[str, Any]) -> Amount:
    return parse_amount(
        detail=options["detail"], max_tokens=options["max_tokens"], tokenizer=options["tokenizer"]
    )


def _text(answer: Answer, empty: str) -> str:
    if answer.page.text:
        return answer.page.text
    return f"Nothing of it fits; there are {answer.total} items." if answer.total else empty


def _say_larger(left: LeftOut) -> str:
    missing = ((len(left.cut), "left out"), (len(left.shortened), "shortened"))
    words = " and ".join(f"{number} {what}" for number, what in missing if number)
    return f"… {words} of {left.total}: say a larger --max-tokens"


def _say_why(answer: Answer) -> None:
    hits = answer.hits.values()
    wide = max(len(str(hit.note.id)) for hit in hits)
    output.say()
    for hit in hits:
        output.say(f"  {f'#{hit.note.id}':<{wide + 1}}  {hit.score:.2f}  {'; '.join(hit.reasons)}")


def _warn_of_rest(answer: Answer) -> None:
    """Says how to go on, unless the page itself says so."""
    if answer.next and answer.next not in answer.page.text:
        output.warn(f"{answer.omitted} more of {answer.total}: add --cursor {answer.next}")
    elif answer.omitted and not answer.next:
        output.warn(f"{answer.omitted} more of {answer.total}")
