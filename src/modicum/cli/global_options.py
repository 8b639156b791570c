"""The options that every command has, taken from the command line before the command sees it."""

from collections.abc import Sequence

GLOBAL_OPTIONS = {
    "--quiet": "print only warnings and errors (and what --json prints)",
    "--verbose": "say on stderr where things are and how long it took; after a bug, where",
    "--no-color": "no colours; NO_COLOR in the environment does the same",
    "--no-pager": "never a pager; PAGER names the one that is used on a terminal",
}

_given: set[str] = set()


def take_global_options(arguments: Sequence[str]) -> list[str]:
    """Remembers the global options of a command line until the next one; returns the other arguments."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    _given.clear()
    _given.update(GLOBAL_OPTIONS.keys() & arguments[:end])
    if not _given:
        return list(arguments)
    return [word for word in arguments[:end] if word not in _given] + list(arguments[end:])


def is_given(option: str) -> bool:
    """Returns True if a global option such as "--quiet" was given on the command line."""
    return option in _given
