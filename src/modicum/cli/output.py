"""The output of the command line: lines, tables, diffs and JSON; colours only on a terminal, never with NO_COLOR."""

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from modicum.cli.global_options import is_given
from modicum.cli.table import GAP, Cell, Line, Row, laid_out, narrowest, width

# As terminals number them.
GOOD, BAD, DIM, FAIR, HUNK, BOLD, FOUND = "32", "31", "90", "33", "36", "1", "1;35"
CONTEXT = 3
# What a terminal would obey instead of showing it.
_CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"


def has_terminal() -> bool:
    """Returns True if a person can be at the command line: input or output is a terminal."""
    return any(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def say(text: str = "") -> None:
    """Prints one line of output to stdout, unless --quiet; bytes that are no text are made visible."""
    if not is_given("--quiet"):
        sys.stdout.write(_speakable(text) + "\n")


def capital(sentence: str) -> str:
    """Returns a sentence for the output with a capital letter; errors begin with a small one."""
    return sentence[:1].upper() + sentence[1:]


def say_wrapped(text: str) -> None:
    """Prints a sentence of output on as many lines as it needs on a terminal, broken between words."""
    (lines,) = laid_out([[text]], room=_columns())
    for line in lines:
        say(line.cells[0].text.rstrip())


def say_coloured(text: str, colour: str) -> None:
    """Prints one line of output in a colour, where colours are shown."""
    say(painted(shown(text), colour))


def say_result(fields: Mapping[str, object], sentence: str, *, as_json: bool) -> int:
    """Prints the result of a command, as JSON or as a sentence, and returns the exit code 0."""
    if as_json:
        say_json(fields)
    else:
        say(sentence)
    return 0


def warn(text: str) -> None:
    """Prints one line of output to stderr, as a warning."""
    sys.stdout.flush()
    line = shown(text).replace("\n", "\\n")
    sys.stderr.write(f"modicum: {_speakable(line, sys.stderr.encoding)}\n")


def say_progress(text: str) -> None:
    """Prints at once on stderr what a command is doing: on a terminal in one line, which an empty text takes away."""
    if is_given("--quiet"):
        return
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{_speakable(shown(text), sys.stderr.encoding)}")
    elif text:
        sys.stderr.write(f"{_speakable(shown(text), sys.stderr.encoding)}\n")
    sys.stderr.flush()


def shown(text: str) -> str:
    """Returns a text as a command prints it, with its control characters made visible."""
    return re.sub(_CONTROLS, lambda found: f"\\x{ord(found[0]):02x}", text)


def _speakable(text: str, encoding: str | None = None) -> str:
    encoding = encoding or sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def say_json(value: Mapping[str, object]) -> None:
    """Prints one JSON object, and nothing else, as the output of a command."""
    sys.stdout.write(_speakable(json.dumps(value, indent=2, ensure_ascii=not _speaks_utf8())) + "\n")


def _speaks_utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def table(head: Sequence[str], rows: Sequence[Row], *, right: Sequence[str] = ()) -> None:
    """Prints rows under headings as output; columns in `right` hold numbers. Cells wrap only on a terminal."""
    cells = [[Cell(title, BOLD) for title in head], *([_safe(cell) for cell in row] for row in rows)]
    room = _columns()
    if room is not None and room < narrowest(len(head)):
        _say_listed(cells)
        return
    numbers = [at for at, title in enumerate(head) if title in right]
    top, *others = laid_out(cells, right=numbers, room=room)
    _say_row(top)
    say("─" * width(GAP.join(cell.text for cell in top[0].cells)))
    for lines in others:
        _say_row(lines)


def _say_listed(cells: Sequence[Sequence[Cell]]) -> None:
    """Prints a table where there is no room for columns: a line for each cell, and a blank line after each row."""
    top, *others = cells
    for row in others:
        for title, cell in zip(top, row, strict=True):
            if cell.text.strip():
                say(f"{painted(title.text, title.colour)} {painted(cell.text, cell.colour)}".lstrip())
        say()


def _columns() -> int | None:
    """How wide the terminal is; None if nobody knows, which a terminal says with a zero."""
    if named := os.environ.get("COLUMNS", "").strip():
        return (int(named) or None) if named.isascii() and named.isdigit() else None
    return (os.get_terminal_size().columns or None) if sys.stdout.isatty() else None


def _safe(cell: str | Cell) -> Cell:
    found = cell if isinstance(cell, Cell) else Cell(cell)
    return Cell(shown(found.text), found.colour)


def _say_row(lines: Sequence[Line]) -> None:
    for line in lines:
        # What must stay together on a line is joined by a blank that does not break.
        cells = [Cell(cell.text.replace("\N{NO-BREAK SPACE}", " "), cell.colour) for cell in line.cells]
        while cells and not cells[-1].text.strip():
            cells.pop()
        last = [Cell(cells[-1].text.rstrip(), cells[-1].colour)] if cells else []
        say(GAP.join(painted(*cell) for cell in (*cells[:-1], *last)))


def painted(text: str, colour: str) -> str:
    """Returns a text for the output in a colour, where colours are shown."""
    return f"\x1b[{colour}m{text}\x1b[0m" if colour and text.strip() and has_colours() else text


def has_colours() -> bool:
    """Returns True if the output goes to a terminal and the user has not asked for plain text."""
    if is_given("--no-color") or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


def coloured(text: str, colour: str) -> Cell:
    """Returns a cell for the output's `table`, in a colour."""
    return Cell(text, colour)


def amount(number: int) -> str:
    """Returns a number as commands print it for people: 1,400."""
    return f"{number:,}"


def diff_lines(before: str, after: str, path: str) -> list[str]:
    """Returns the lines of a unified diff for the output; only the part that differs is compared, for speed."""
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
    """Returns how many lines are the same from the start on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _moved(lines: Iterator[str], by: int) -> Iterator[str]:
    for line in lines:
        if line.startswith("@@ "):
            yield re.sub(r"(?<=[-+])\d+", lambda number: str(int(number[0]) + by), line)
        else:
            yield line


def say_diff(lines: Sequence[str]) -> None:
    """Prints the lines of a diff as output, coloured on a terminal."""
    colours = {"+": GOOD, "-": BAD, "@": HUNK}
    for line in map(shown, lines):
        say(painted(line, colours.get(line[:1], "")))


def drop_output() -> None:
    """Drops output that could not be written to stdout: the interpreter would try once more at exit, and complain."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
