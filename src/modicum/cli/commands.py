"""The table of commands. Each names the module that is imported when it is asked for."""

from typing import NamedTuple


class Command(NamedTuple):
    module: str
    does: str
    function: str = "command"


GROUPS: dict[str, dict[str, Command]] = {
    "Packs into tools": {
        "init": Command("modicum.cli.inject.init", "set up a project, and show which tools are here"),
        "inject": Command("modicum.cli.inject.command", "put packs into AI tools' instruction files"),
        "status": Command("modicum.cli.inject.status", "which files are current, stale or edited by you"),
        "uninstall": Command("modicum.cli.inject.uninstall", "take everything out again, byte for byte"),
        "explain": Command("modicum.cli.inject.explain", "what is on a tool's page, what is not, and why"),
        "show": Command("modicum.cli.packs.show", "print what a pointer line points at"),
    },
    "What there is": {
        "packs": Command("modicum.cli.packs.pack", "list, validate and start packs"),
        "profile": Command("modicum.cli.packs.profile", "list, choose and show profiles"),
        "adapters": Command("modicum.cli.packs.tool", "the AI tools that modicum knows"),
        "note": Command("modicum.cli.packs.notice", "a line that every tool should know today"),
        "sources": Command("modicum.cli.packs.source", "packs from folders and git repositories"),
    },
    "Memory": {
        "save": Command("modicum.cli.memory.notes", "keep a note", "save"),
        "search": Command("modicum.cli.memory.search", "find notes by a plain question", "search"),
        "recall": Command(
            "modicum.cli.memory.search", "what a new session should know (also: context)", "recall"
        ),
        "get": Command("modicum.cli.memory.notes", "a note, whole", "get"),
        "timeline": Command("modicum.cli.memory.search", "a note among those made around it", "timeline"),
        "update": Command("modicum.cli.memory.notes", "change a note; its history stays", "update"),
        "delete": Command("modicum.cli.memory.notes", "delete a note", "delete"),
        "restore": Command("modicum.cli.memory.notes", "bring a deleted note back", "restore"),
        "history": Command("modicum.cli.memory.notes", "every wording that a note has had", "history"),
        "pin": Command("modicum.cli.memory.notes", "tell a note first, in every session", "pin"),
        "relate": Command("modicum.cli.memory.notes", "connect two notes", "relate"),
    },
    "Work and upkeep": {
        "session": Command("modicum.cli.memory.sessions", "start, end and list sessions", "session"),
        "prompt": Command("modicum.cli.memory.sessions", "keep what a user typed", "prompt"),
        "progress": Command(
            "modicum.cli.memory.sessions", "how far a project has come, as one document", "progress"
        ),
        "compact": Command(
            "modicum.cli.memory.sessions", "put a summary in the place of old notes", "compact"
        ),
        "projects": Command(
            "modicum.cli.memory.projects", "list, merge, rename and prune projects", "projects"
        ),
        "stats": Command("modicum.cli.memory.projects", "how much there is in memory", "stats"),
        "export": Command(
            "modicum.cli.memory.exchange", "everything in memory, in a format of your choice", "export"
        ),
        "import": Command("modicum.cli.memory.exchange", "take over notes from here or elsewhere", "take_in"),
    },
    "Specs": {
        "check": Command("modicum.cli.specs.check", "what was decided and tried that bears on a change"),
        "change": Command("modicum.cli.specs.change", "changes, in as many stages as they need"),
        "adr": Command("modicum.cli.specs.adr", "decisions, in numbered files"),
        "specs": Command("modicum.cli.specs.spec", "the documents of a project, and drafts of them"),
    },
    "Agents": {
        "setup": Command("modicum.cli.agents.setup", "give agents the server, the hooks and the protocol"),
        "doctor": Command("modicum.cli.agents.doctor", "check everything from end to end"),
        "mcp": Command("modicum.cli.agents.mcp", "memory, packs and specs as tools for an agent (MCP)"),
        "serve": Command("modicum.cli.agents.serve", "memory over HTTP, on this machine"),
        "hook": Command("modicum.cli.agents.hook", "what agents run at the moments of a session"),
    },
    "Teams": {
        "sync": Command("modicum.cli.memory.sync", "share a project's notes through git"),
        "token": Command("modicum.cli.teams.token", "tokens of people: new, list, revoke", "token"),
        "audit": Command("modicum.cli.teams.token", "who saved, changed and deleted what", "audit"),
        "migrate": Command("modicum.cli.teams.migrate", "move a store between a file and PostgreSQL"),
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
