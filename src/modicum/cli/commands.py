"""The table of commands. Each names the module that is imported when it is asked for."""

from typing import NamedTuple


class Command(NamedTuple):
    module: str
    does: str
    function: str = "command"


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
    "Memory": {
        "save": Command("modicum.cli.keep", "keep a note", "save"),
        "search": Command("modicum.cli.find", "find notes by a plain question", "search"),
        "recall": Command("modicum.cli.find", "what a new session should know (also: context)", "recall"),
        "get": Command("modicum.cli.keep", "a note, whole", "get"),
        "timeline": Command("modicum.cli.find", "a note among those made around it", "timeline"),
        "update": Command("modicum.cli.keep", "change a note; its history stays", "update"),
        "delete": Command("modicum.cli.keep", "delete a note", "delete"),
        "restore": Command("modicum.cli.keep", "bring a deleted note back", "restore"),
        "history": Command("modicum.cli.keep", "every wording that a note has had", "history"),
        "pin": Command("modicum.cli.keep", "tell a note first, in every session", "pin"),
        "relate": Command("modicum.cli.keep", "connect two notes", "relate"),
    },
    "Work and upkeep": {
        "session": Command("modicum.cli.work", "start, end and list sessions", "session"),
        "prompt": Command("modicum.cli.work", "keep what a user typed", "prompt"),
        "progress": Command("modicum.cli.work", "how far a project has come, as one document", "progress"),
        "compact": Command("modicum.cli.work", "put a summary in the place of old notes", "compact"),
        "projects": Command("modicum.cli.upkeep", "list, merge, rename and prune projects", "projects"),
        "stats": Command("modicum.cli.upkeep", "how much there is in memory", "stats"),
        "export": Command("modicum.cli.travel", "everything in memory, in a format of your choice", "export"),
        "import": Command("modicum.cli.travel", "take over notes from here or elsewhere", "take_in"),
    },
    "Specs": {
        "check": Command("modicum.cli.check", "what was decided and tried that bears on a change"),
        "change": Command("modicum.cli.change", "changes, in as many stages as they need"),
        "adr": Command("modicum.cli.adr", "decisions, in numbered files"),
        "specs": Command("modicum.cli.specs", "the documents of a project, and drafts of them"),
    },
    "Agents": {
        "setup": Command("modicum.cli.setup", "give agents the server, the hooks and the protocol"),
        "doctor": Command("modicum.cli.doctor", "check everything from end to end"),
        "mcp": Command("modicum.cli.mcp", "memory, packs and specs as tools for an agent (MCP)"),
        "serve": Command("modicum.cli.serve", "memory over HTTP, on this machine"),
        "hook": Command("modicum.cli.hook", "what agents run at the moments of a session"),
    },
    "Teams": {
        "sync": Command("modicum.cli.sync", "share a project's notes through git"),
        "token": Command("modicum.cli.token", "tokens of people: new, list, revoke", "token"),
        "audit": Command("modicum.cli.token", "who saved, changed and deleted what", "audit"),
        "migrate": Command("modicum.cli.migrate", "move a store between a file and PostgreSQL"),
    },
}

ALIASES = {"context": "recall"}

COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
COMMANDS |= {alias: COMMANDS[name] for alias, name in ALIASES.items()}

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
