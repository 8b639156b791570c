"""The table of commands. Each names the module that is imported when it is asked for."""

from typing import NamedTuple


class Command(NamedTuple):
    module: str
    does: str


GROUPS: dict[str, dict[str, Command]] = {}

COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}

HEAD = """\
modicum gives every AI tool the right amount of context.

Usage: modicum COMMAND [OPTIONS]

  --version   the version and nothing else
  --help      this page; modicum COMMAND --help tells more, with examples
"""


def overview() -> str:
    """The help page."""
    parts = [HEAD]
    for title, group in GROUPS.items():
        rows = "".join(f"  {name:<12}{command.does}\n" for name, command in group.items())
        parts.append(f"{title}\n{rows}")
    return "\n".join(parts)
