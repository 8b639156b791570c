"""Copies a page to the system's clipboard, by whatever program or terminal offers one."""

import subprocess
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence

from modicum.base.git import find_program
from modicum.base.value import Value

Which = Callable[[str], str | None]
Run = Callable[[Sequence[str], bytes], bool]
Send = Callable[[str], object]

_PATIENCE_SECONDS = 5
# Terminals drop longer sequences without a word.
_LONGEST_SEQUENCE = 74_994


class _Program(Value):
    command: tuple[str, ...]
    needs: str = ""  # the variable without which it has nowhere to go
    encoding: str = "utf-8"


_PROGRAMS = (
    _Program(("wl-copy",), needs="WAYLAND_DISPLAY"),
    _Program(("xclip", "-selection", "clipboard"), needs="DISPLAY"),
    _Program(("xsel", "--clipboard", "--input"), needs="DISPLAY"),
    _Program(("pbcopy",)),
    _Program(("clip.exe",), encoding="utf-16-le"),
    # Passes it on to the terminal around it; what a program sends itself, tmux drops by default.
    _Program(("tmux", "load-buffer", "-w", "-"), needs="TMUX"),
)


class ClipboardResult(Value):
    """Whether a text was copied to the clipboard, and by which program; none if there is no clipboard."""

    done: bool
    by: str
    message: str


def run(command: Sequence[str], data: bytes) -> bool:
    """Runs a clipboard program with the data as its input; the output is not read, as some programs stay running."""
    quiet = subprocess.DEVNULL
    try:
        ended = subprocess.run(  # noqa: S603 (no shell; the commands are ours)
            command, input=data, stdout=quiet, stderr=quiet, timeout=_PATIENCE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return ended.returncode == 0


def copy(
    text: str,
    *,
    environment: Mapping[str, str],
    which: Which | None = None,
    run: Run = run,
    terminal: Send | None = None,
) -> ClipboardResult:
    """Copies a text to the system's clipboard by a program, or through `terminal` if there is one."""
    for program in _PROGRAMS:
        found = which(program.command[0]) if which else find_program(program.command[0], environment)
        if not found or (program.needs and not environment.get(program.needs)):
            continue
        if run((found, *program.command[1:]), text.encode(program.encoding, "replace")):
            return ClipboardResult(True, program.command[0], "copied to the clipboard")
    if terminal and environment.get("TERM", "dumb") != "dumb":
        return _sent(text, terminal)
    return ClipboardResult(False, "", "there is no clipboard here")


def _sent(text: str, terminal: Send) -> ClipboardResult:
    code = b64encode(text.encode("utf-8", "replace")).decode("ascii")
    if len(code) > _LONGEST_SEQUENCE:
        return ClipboardResult(False, "", "the text is too long for the terminal's clipboard")
    terminal(f"\x1b]52;c;{code}\x07")
    message = "sent to the terminal's clipboard; if nothing is there, your terminal does not allow it"
    return ClipboardResult(True, "OSC 52", message)
