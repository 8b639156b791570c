"""The table of commands: the name, the group and the module of each, which is imported when the command runs."""

from collections.abc import Iterable

from modicum.base.named_tuple import NamedTuple
from modicum.cli.global_options import GLOBAL_OPTIONS


class Command(NamedTuple):
    """A command in the table of commands: the module that runs it, and what it does in a few words."""

    module: str
    does: str
    function: str = "command"


GROUPS: dict[str, dict[str, Command]] = {
    "Packs into tools": {
        "init": Command("modicum.cli.inject.init", "set up a project, and show which tools are here"),
        "inject": Command("modicum.cli.inject.inject", "put packs into AI tools' instruction files"),
        "adopt": Command("modicum.cli.inject.adopt", "take over what your instruction files say into a pack"),
        "explain": Command("modicum.cli.inject.explain", "what is on a tool's page, what is not, and why"),
        "status": Command("modicum.cli.inject.status", "which files are current, stale or edited by you"),
        "lint": Command("modicum.cli.inject.lint", "rules that contradict or repeat each other"),
        "uninstall": Command("modicum.cli.inject.uninstall", "take everything out again, byte for byte"),
        "pack": Command("modicum.cli.packs.pack", "packs: new, list, tier, validate"),
        "source": Command(
            "modicum.cli.packs.source", "packs from folders and git: add, update, remove, list"
        ),
        "profile": Command("modicum.cli.packs.profile", "which packs, in which order: list, set, show"),
        "notice": Command("modicum.cli.packs.notice", "a line that every tool should know today"),
        "tool": Command(
            "modicum.cli.packs.tool", "the AI tools that modicum knows, and backups of their files"
        ),
    },
    "Memory": {
        "save": Command("modicum.cli.memory.save", "keep a note"),
        "search": Command("modicum.cli.memory.search", "find notes by a plain question", "search"),
        "recall": Command("modicum.cli.memory.search", "what a new session should know", "recall"),
        "show": Command("modicum.cli.memory.show", "anything with a name: a note, a pack, a decision, …"),
        "update": Command("modicum.cli.memory.update", "change a note; what it said before is kept"),
        "delete": Command("modicum.cli.memory.delete", "delete notes; they can be restored"),
        "undo": Command("modicum.cli.memory.upkeep.undo", "take back your last change of memory"),
        "import": Command("modicum.cli.memory.import_notes", "take over notes from here or elsewhere"),
        "export": Command("modicum.cli.memory.export", "everything in memory, in a format of your choice"),
        "backup": Command("modicum.cli.memory.backup", "the whole memory in one file, and back"),
        "sync": Command("modicum.cli.memory.sync", "share a project's notes through git"),
        "memory": Command(
            "modicum.cli.memory.memory", "its log, pins, relations, sessions, projects, upkeep"
        ),
    },
    "Specs": {
        "check": Command("modicum.cli.specs.check", "what was decided and tried that bears on a change"),
        "change": Command("modicum.cli.specs.change", "changes, in as many stages as they need"),
        "adr": Command("modicum.cli.specs.adr", "decisions, in numbered files"),
        "spec": Command("modicum.cli.specs.spec", "the documents of a project, and drafts of them"),
    },
    "Agents, teams, help": {
        "setup": Command("modicum.cli.agents.setup", "give agents the server, the hooks and the protocol"),
        "see": Command("modicum.cli.agents.see", "what AI tools really read here"),
        "open": Command("modicum.cli.agents.open", "the workbench: all of this in your browser"),
        "doctor": Command("modicum.cli.agents.doctor", "check everything from end to end"),
        "team": Command("modicum.cli.teams.team", "tokens of people, who did what, PostgreSQL"),
        "config": Command("modicum.cli.settings.config", "your settings: list, get, set, unset, edit, path"),
        "completion": Command(
            "modicum.cli.settings.completion", "names and options at the Tab key, in your shell"
        ),
        "help": Command("modicum.cli.settings.help", "every command, or one of them"),
    },
    "For programs": {
        "mcp": Command("modicum.cli.agents.mcp", "memory, packs and specs as tools for an agent (MCP)"),
        "serve": Command("modicum.cli.agents.serve", "memory over HTTP, on this machine"),
        "hook": Command("modicum.cli.agents.hook", "what agents run when a session starts, goes on and ends"),
    },
}

COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}

# What `modicum` alone shows.
FIRST = ("init", "inject", "see", "explain", "save", "search", "check", "setup", "open", "doctor")

# Only for suggestions: none of these can be run.
OLD_NAMES = {
    "adapters": "tool",
    "audit": "team log",
    "change show": "show NAME",
    "compact": "memory compact",
    "context": "recall --project NAME",
    "get": "show",
    "history": "show ID --history",
    "migrate": "team migrate",
    "note": "save",
    "memory projects prune": "memory projects remove",
    "notice clear": "notice remove --all",
    "notice rm": "notice remove",
    "packs": "pack",
    "pack show": "show NAME",
    "pin": "memory pin",
    "progress": "memory progress",
    "projects": "memory projects",
    "prompt": "memory prompt",
    "relate": "memory relate",
    "restore": "memory restore",
    "session": "memory sessions",
    "sources": "source",
    "spec list": "spec context",
    "specs": "spec",
    "stats": "memory stats",
    "timeline": "show ID --around 5",
    "token": "team token",
}

USAGE = """\
modicum gives every AI tool the right amount of context.

Usage: modicum COMMAND [OPTIONS]

"""
MORE = """\
modicum help            every command
modicum help COMMAND    all about one of them, with examples
modicum --version       the version and nothing else
"""
OF_EVERY_COMMAND = """
modicum help COMMAND tells more, with examples. Every command also takes
--quiet, --verbose, --no-color and --no-pager.
"""
WIDE = 12
FIRST_OPTIONS = ("--version", "--help", *GLOBAL_OPTIONS)  # instead of a command, or before it
_SHORT = 4  # letters of an old name: a slip in one makes another word


def first_page() -> str:
    """Returns what the command line prints for `modicum` alone: the commands to begin with, and how to list all commands."""
    rows = "".join(_row(name) for name in FIRST)
    return f"{USAGE}{rows}\n{MORE}"


def overview() -> str:
    """Returns the overview of every command of the command line, by group, which `modicum help` prints."""
    groups = (f"{title}\n{''.join(map(_row, group))}" for title, group in GROUPS.items())
    return USAGE + "\n".join(groups) + OF_EVERY_COMMAND


def _row(name: str) -> str:
    return f"  {name:<{WIDE}}{COMMANDS[name].does}\n"


def suggestion(wrong: str, known: Iterable[str] = COMMANDS, group: str = "") -> str:
    """Returns which command to type instead of a wrong name: the new name of an old one, or the nearest."""
    from modicum.base.near_words import nearest

    old = () if group else (name for name in OLD_NAMES if len(name) > _SHORT)
    names = FIRST_OPTIONS if wrong.startswith("-") else [*known, *old]
    near = wrong if _path(group, wrong) in OLD_NAMES else nearest(wrong, names if wrong.strip("-") else ())
    if not near:
        return f"see: modicum {_path('help', group)}"
    right = _path(group, near)
    return f'did you mean "{OLD_NAMES.get(right, right)}"?'


def _path(group: str, name: str) -> str:
    return f"{group} {name}".strip()
