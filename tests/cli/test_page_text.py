"""Pages on a real terminal: colours, highlights and a pager; and none of it elsewhere."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(sys.executable).parent / "modicum"


def on_terminal(world, *arguments: str, lines: int = 50, **environment: str) -> str:
    """What a run writes to a terminal of so many lines."""
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, 80, 0, 0))
    env = {"HOME": str(world.home), "PATH": os.defpath, "TERM": "xterm", "LANG": "C.UTF-8", **environment}
    process = subprocess.Popen(
        [PROGRAM, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=world.project
    )
    os.close(theirs)
    heard = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        heard += piece
    os.close(ours)
    process.wait(timeout=20)
    return heard.decode().replace("\r\n", "\n")


@pytest.fixture
def notes(world):
    world.modicum("save", "Queue on SQLite", "Readers must not block writers. 數據庫很快。")
    return world


def test_hits_are_highlighted_on_a_terminal_and_nowhere_else(notes) -> None:
    said = on_terminal(notes, "search", "why do readers block")

    assert "\x1b[1;35mReaders\x1b[0m must not \x1b[1;35mblock\x1b[0m writers" in said
    assert re.search(r"\x1b\[33mn-\w{6}\x1b\[0m", said)
    assert "\x1b" not in notes.modicum("search", "why do readers block").out


def test_headings_are_bold_in_recall(notes) -> None:
    assert "\x1b[1m### Notes\x1b[0m" in on_terminal(notes, "recall")


@pytest.mark.parametrize("how", [{"option": "--no-color"}, {"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_colours_can_be_turned_off(notes, how: dict[str, str]) -> None:
    more = (how.pop("option"),) if "option" in how else ()

    assert "\x1b[" not in on_terminal(notes, "search", "readers", *more, **how)


@pytest.fixture
def pager(notes) -> str:
    """A pager that says that it was there."""
    file = notes.write("pager", "#!/bin/sh\necho PAGED\ncat\n")
    file.chmod(0o755)
    return str(file)


def test_a_page_longer_than_the_screen_goes_to_the_pager(notes, pager: str) -> None:
    notes.modicum("save", "Long", "\n".join(f"line {n}" for n in range(60)))

    assert "PAGED" in on_terminal(notes, "show", "2", lines=20, PAGER=pager)
    assert "PAGED" not in on_terminal(notes, "show", "2", lines=200, PAGER=pager)
    assert "PAGED" not in on_terminal(notes, "show", "2", "--no-pager", lines=20, PAGER=pager)
    assert "line 59" in on_terminal(notes, "show", "2", lines=20, PAGER="cat")


def test_control_characters_of_a_note_are_shown_not_obeyed(notes) -> None:
    notes.modicum("save", "Bad", "a\x1b[2Jb")

    assert "\x1b[2J" not in on_terminal(notes, "show", "2")
