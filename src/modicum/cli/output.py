"""How the command line prints: lines, tables, JSON. Colours only where a person looks, and never with NO_COLOR."""

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

GOOD, BAD, DIM, PLAIN = "green", "red", "bright_black", ""
CONTEXT = 3
# What a terminal would obey instead of showing it.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def say(text: str = "") -> None:
    """One line for the reader; bytes of other people's files that are no text are shown as such."""
    sys.stdout.write(_speakable(text) + "\n")


def warn(text: str) -> None:
    """One line beside the answer."""
    sys.stdout.flush()
    sys.stderr.write(f"modicum: {_speakable(shown(text), sys.stderr.encoding)}\n")


def shown(text: str) -> str:
    """A text with its control characters made visible."""
    return _CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def _speakable(text: str, encoding: str | None = None) -> str:
    encoding = encoding or sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def say_json(value: Mapping[str, object]) -> None:
    """One object, and nothing else, on stdout."""
    say(json.dumps(value, indent=2, ensure_ascii=not _speaks_utf8()))


def _speaks_utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def console() -> "Console":
    """A console that wraps to the terminal, and nowhere if the output is for a file or another program."""
    from rich.console import Console

    wide = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else 10_000
    return Console(width=wide, highlight=False, soft_wrap=False)


def table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: Sequence[str] = (),
    tight: Sequence[str] = (),
) -> None:
    """Rows under headings; columns in `right` hold numbers, those in `tight` do not wrap. Cells may have rich markup."""
    from rich import box
    from rich.table import Table

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", show_edge=False)
    for title in head:
        justify: object = "right" if title in right else "left"
        drawn.add_column(title, justify=justify, overflow="fold", no_wrap=title in (*right, *tight))  # type: ignore[arg-type]
    for row in rows:
        drawn.add_row(*row)
    printer = console()
    with printer.capture() as captured:
        printer.print(drawn)
    for line in captured.get().splitlines():
        say(line.rstrip())


def width(text: str) -> int:
    """How many columns a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def amount(number: int) -> str:
    """A number for people: 1,400."""
    return f"{number:,}"


def coloured(text: str, colour: str) -> str:
    """Text in a colour for `table`, with whatever looks like markup in it left alone."""
    from rich.markup import escape

    safe = escape(shown(text))
    return f"[{colour}]{safe}[/{colour}]" if colour else safe


def diff_lines(before: str, after: str, path: str) -> list[str]:
    """A unified diff. Only what is between the first and the last difference is compared, for files may be huge."""
    from difflib import unified_diff

    old, new = before.splitlines(), after.splitlines()
    if old == new:
        return [f"--- {path}\tbefore", f"+++ {path}\tafter", "(only line ends differ)"]
    start = max(0, _alike(old, new) - CONTEXT)
    end = max(0, _alike(old[:start:-1], new[:start:-1]) - CONTEXT)
    ours, theirs = old[start : len(old) - end], new[start : len(new) - end]
    lines = unified_diff(ours, theirs, path, path, "before", "after", n=CONTEXT, lineterm="")
    return list(_moved(lines, start))


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines are the same from the start on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _moved(lines: Iterator[str], by: int) -> Iterator[str]:
    for line in lines:
        if line.startswith("@@ "):
            yield re.sub(r"(?<=[-+])\d+", lambda number: str(int(number[0]) + by), line)
        else:
            yield line


def say_diff(lines: Sequence[str]) -> None:
    """A diff, coloured on a terminal."""
    plain = not sys.stdout.isatty() or "NO_COLOR" in os.environ
    codes = {"+": "32", "-": "31", "@": "36"}
    for line in map(shown, lines):
        code = codes.get(line[:1], "")
        say(line if plain or not code else f"\x1b[{code}m{line}\x1b[0m")
