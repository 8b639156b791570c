"""Prints the text of a page: on a terminal with colours and, if the page is longer than the screen, in a pager."""

import os
import re
import sys

from modicum.cli import output
from modicum.cli.global_options import is_given
from modicum.cli.table import width

_ID = re.compile(r"^(?:- )?(n-\w+|#\d+)(?= |$)")
_HEADING = re.compile(r"^#{1,6} ")
NO_PAGER = ("", "cat")


def say_page(text: str, question: str = "") -> None:
    """Prints the text of a page; the words of the question are highlighted, and a long text goes to a pager."""
    shown = "\n".join(map(output.shown, text.split("\n"))) if sys.stdout.isatty() else text
    painted = _painted(shown, question) if output.has_colours() else shown
    if _is_long(shown):
        _to_pager(painted)
    else:
        output.say(painted)


def _painted(text: str, question: str) -> str:
    if question:
        from modicum.app.memory.highlight import marked_words

        text = "".join(
            output.painted(piece.text, output.FOUND) if piece.is_marked else piece.text
            for piece in marked_words(text, question)
        )
    return "\n".join(map(_painted_line, text.split("\n")))


def _painted_line(line: str) -> str:
    if _HEADING.match(line):
        return output.painted(line, output.BOLD)
    found = _ID.match(line)
    if not found:
        return line
    return line[: found.start(1)] + output.painted(found[1], output.FAIR) + line[found.end(1) :]


def _is_long(text: str) -> bool:
    """Whether a pager is wanted: the page does not fit the screen, and somebody looks at it."""
    if is_given("--no-pager") or is_given("--quiet") or os.environ.get("PAGER", "less") in NO_PAGER:
        return False
    if not (sys.stdout.isatty() and sys.stdin.isatty()) or os.environ.get("TERM") == "dumb":
        return False
    columns, lines = os.get_terminal_size()
    rows = sum(max(1, -(-width(line) // (columns or 80))) for line in text.split("\n"))
    return lines > 0 and rows >= lines


def _to_pager(text: str) -> None:
    import click

    os.environ.setdefault("LESS", "-FRX")  # shows colours, and leaves the page on the screen
    click.echo_via_pager(text, color=output.has_colours())
