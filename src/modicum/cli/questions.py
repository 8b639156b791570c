"""Questions to whoever sits at the terminal: yes or no, or a few words. The end of input (Ctrl+D) is a no, and no words."""

import sys
from typing import TextIO

from modicum.base.errors import Advice, ModicumError


def can_ask() -> bool:
    """Returns True if somebody sits at a terminal and can be asked a question on stderr."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def can_choose() -> bool:
    """Returns True if somebody at a terminal can be asked a question about a list that is printed on stdout."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def says_yes(question: str) -> bool:
    """Asks a question on stderr; returns True only if the answer is yes."""
    return _answer(f"{question} [y/N] ", sys.stderr).lower() in ("y", "yes")


def require_yes(question: str, otherwise: str, remedy: Advice = "") -> None:
    """Asks a question on stderr; unless the answer is yes, raises ModicumError, which says that nothing was done."""
    if not says_yes(question):
        raise ModicumError(otherwise, remedy=remedy)


def words_of(question: str) -> tuple[str, ...]:
    """Asks a question on stdout; returns the words of the answer, between which there may be commas."""
    return tuple(_answer(f"{question}: ", sys.stdout).replace(",", " ").split())


def _answer(prompt: str, stream: TextIO) -> str:
    stream.write(prompt)
    stream.flush()
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        stream.write("\n")  # nobody pressed Enter, so the cursor stands behind the question
    return line.strip()
