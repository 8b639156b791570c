"""How the command line prints: lines, tables, JSON. Colours only where a person looks, and never with NO_COLOR."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

GOOD, BAD, DIM, PLAIN = "green", "red", "bright_black", ""


def say(text: str = "") -> None:
    """One line for the reader; bytes of other people's files that are no text are shown as such."""
    sys.stdout.write(text.encode("utf-8", "backslashreplace").decode() + "\n")


def warn(text: str) -> None:
    """One line beside the answer."""
    sys.stderr.write(f"modicum: {text.encode('utf-8', 'backslashreplace').decode()}\n")


def say_json(value: Mapping[str, object]) -> None:
    """One object, and nothing else, on stdout."""
    say(json.dumps(value, indent=2, ensure_ascii=not _speaks_utf8()))


def _speaks_utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def console() -> "Console":
    """A console that wraps to the terminal, and to 100 columns in a file."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 100, highlight=False, soft_wrap=False)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> None:
    """Rows under headings; the columns named in `right` hold numbers. Cells may have rich markup."""
    from rich import box
    from rich.table import Table

    drawn = Table(box=box.SIMPLE, pad_edge=False, header_style="bold", show_edge=False)
    for title in head:
        drawn.add_column(title, justify="right" if title in right else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*row)
    console().print(drawn)


def amount(number: int) -> str:
    """A number for people: 1,400."""
    return f"{number:,}"


def coloured(text: str, colour: str) -> str:
    """Text in a colour for `table`, with whatever looks like markup in it left alone."""
    from rich.markup import escape

    return f"[{colour}]{escape(text)}[/{colour}]" if colour else escape(text)


def diff_lines(before: str, after: str, path: str) -> list[str]:
    """A unified diff with line ends shown as they are."""
    from difflib import unified_diff

    lines = unified_diff(before.splitlines(), after.splitlines(), path, path, "before", "after", lineterm="")
    return list(lines)


def say_diff(lines: Sequence[str]) -> None:
    """A diff, coloured on a terminal."""
    import os

    plain = not sys.stdout.isatty() or "NO_COLOR" in os.environ
    codes = {"+": "32", "-": "31", "@": "36"}
    for line in lines:
        code = codes.get(line[:1], "")
        say(line if plain or not code else f"\x1b[{code}m{line}\x1b[0m")
