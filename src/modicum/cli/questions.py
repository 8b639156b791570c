"""Questions to whoever sits at the terminal, answered with yes or no."""

import sys


def can_ask() -> bool:
    """Returns True if somebody sits at a terminal and can be asked a question on stderr."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def can_choose() -> bool:
    """Returns True if somebody at a terminal can be asked a question about a list that is printed on stdout."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def says_yes(question: str) -> bool:
    """Asks a question on stderr; returns True only if the answer is yes."""
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
