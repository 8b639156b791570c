"""The table of commands. Each names the module that is imported when it is asked for."""

from typing import NamedTuple


class Command(NamedTuple):
    module: str
    does: str


GROUPS: dict[str, dict[str, Command]] = {
    "Packs into tools": {
        "init": Command("modicum.cli.init", "set up a project, and show which tools are here"),
        "inject": Command("modicum.cli.inject", "put packs into AI tools' instruction files"),
        "status": Command("modicum.cli.status", "which files are current, stale or edited by you"),
        "uninstall": Command("modicum.cli.uninstall", "take everything out again, byte for byte"),
        "explain": Command("modicum.cli.explain", "what is on a tool's page, what is not, and why"),
        "show": Command("modicum.cli.show", "print what a pointer line points at"),
    },
    "What there is": {
        "packs": Command("modicum.cli.packs", "list, validate and start packs"),
        "profile": Command("modicum.cli.profile", "list, choose and show profiles"),
        "adapters": Command("modicum.cli.adapters", "the AI tools that modicum knows"),
        "note": Command("modicum.cli.note", "a line that every tool should know today"),
        "sources": Command("modicum.cli.sources", "packs from folders and git repositories"),
    },
}

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
