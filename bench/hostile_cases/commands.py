"""Every command of the table, as somebody would type it in a clone that they do not know, without agreeing to anything."""

from collections.abc import Iterator
from importlib import import_module

import click

from modicum.cli.commands import COMMANDS

TEXT = ("--context", "x", "--decision", "x", "--rationale", "x")

# Each leaf of the table, with the lines that are tried. No line agrees: no --yes, --trust, --wire or --force.
LINES: dict[str, tuple[tuple[str, ...], ...]] = {
    "init": ((), ("--json",)),
    "inject": (
        *((), ("--dry-run",), ("--all-tools",), ("--global",), ("--global", "--all-tools"), ("--stats", "--check")),
        *(("--tool", "house"), ("--tool", "codex,claude-code,cursor", "--make-room"), ("--strict",), ("--here", "--profile", "evil")),
    ),
    "adopt": ((), ("--apply",), ("--undo",)),
    "explain": ((), ("--all-tools",)),
    "status": ((), ("--all-tools", "--json"), ("--global",)),
    "lint": ((), ("--json",), ("--silence", "3f2a91c0", "--reason", "x")),
    "uninstall": ((), ("--all-tools",), ("--global",)),
    "pack list": ((),),
    "pack new": (("made",),),
    "pack skip": (("git",),),
    "pack tier": (("evil",), ("evil", "--apply")),
    "pack use": (("git",), ("git", "--user")),
    "pack validate": ((".",), (".modicum/packs/evil",)),
    "source add": ((".",), ("../neighbour", "--here"), ("ext::canary", "--ref", "main"), (".git", "--ref", "main")),
    "source agree": (("../nothing",),),
    "source list": ((),),
    "source remove": (("evil",),),
    "source update": ((), ("evil",)),
    "profile list": ((),),
    "profile set": (("evil", "--here"),),
    "profile show": (("evil",),),
    "notice add": (("Deploys", "wait"),),
    "notice list": ((),),
    "notice remove": (("1",), ("--all",)),
    "tool backups": ((),),
    "tool list": ((),),
    "tool restore": (("3f2a91c0.1",),),
    "tool show": (("house",), ("claude-code",)),
    "save": (("A note", "Its text."),),
    "search": (("tabs",),),
    "recall": ((), ("--all-projects",)),
    "show": (("evil",), ("../../private/notes.md",), ("n-1",)),
    "update": (("n-1", "--title", "x"),),
    "delete": (("n-1", "--dry-run"),),
    "undo": ((),),
    "import": ((".",), (".modicum/memory", "--dry-run"), ("docs",)),
    "export": ((), ("{out}/notes.json",), ("--format", "markdown", "--to", "{out}/notes")),
    "backup": (("{out}/memory.db",),),
    "sync": ((), ("--status",), ("--check",)),
    "memory audit": ((),),
    "memory compact": (("--before", "2020-01-01"),),
    "memory inbox accept": (("--all",),),
    "memory inbox drop": (("--all",),),
    "memory inbox edit": (("n-1", "--title", "x"),),
    "memory inbox list": ((),),
    "memory index": ((),),
    "memory log": ((),),
    "memory pin": (("n-1",),),
    "memory progress": ((), ('{"goal": "x"}',)),
    "memory projects join": (("neighbour",), ("../../x",)),
    "memory projects list": ((),),
    "memory projects merge": (("x", "--into", "neighbour"),),
    "memory projects remove": (("neighbour",),),
    "memory projects rename": (("clone", "../../x"),),
    "memory prompt": (("What is here?",),),
    "memory relate": (("n-1", "n-2"),),
    "memory restore": (("n-1",),),
    "memory sessions end": (("s",),),
    "memory sessions list": ((),),
    "memory sessions start": (("../s",),),
    "memory stats": ((),),
    "check": ((), ("tabs", "and", "notes")),
    "change advance": ((), ("x", "--content", "x")),
    "change archive": (("x",), ("../../private",)),
    "change back": ((), ("x",)),
    "change cancel": (("x", "--reason", "x"),),
    "change list": ((), ("--all",)),
    "change new": (("Mend", "the", "door"), ("../../x",)),
    "change reopen": (("x",),),
    "change resize": (("large", "x"),),
    "change status": ((), ("../../private",)),
    "adr list": ((),),
    "adr new": (("Keep tabs", *TEXT), ("../../../x", *TEXT)),
    "adr show": (("1",), ("2",)),
    "adr supersede": (("1", "Keep spaces", *TEXT),),
    "spec advance": ((), ("--content", "x")),
    "spec audit": ((),),
    "spec back": (("x",),),
    "spec bootstrap": ((),),
    "spec context": ((),),
    "spec init": (("Shop", "Sells books"),),
    "spec review": ((), ("tabs",)),
    "spec scan": ((), (".",), ("linked",)),
    "spec suggest": (("tabs",),),
    "setup": (("--all", "--dry-run"), ("house", "--here"), ("codex", "claude-code", "--here"), ("cursor",), ("codex", "--remove")),
    "see": ((), ("claude-code",), ("codex",), ("house",), ("--all-tools",), ("--costs",), ("--against", "HEAD"), ("claude-code", "--in", "sub")),
    "doctor": ((), ("--fix",)),
    "team log": ((),),
    "team token list": ((),),
    "team token revoke": (("nobody",),),
    "config get": (("tools",), ("docs",)),
    "config list": ((),),
    "config path": ((), ("--here",)),
    "config set": (("language", "en"), ("docs", "papers", "--here")),
    "config unset": (("language",), ("docs", "--here")),
    "completion": (("bash",),),
    "help": ((), ("inject",)),
    "mcp": ((), ("--list",)),
    "hook": tuple((event, "--harness", agent) for event in ("session-start", "prompt-submit", "session-end") for agent in ("claude-code", "house")),
}  # fmt: skip

# What is for a person who does it on purpose, or asks first.
LEFT_OUT = {
    "config edit": "opens the editor, which is a program of the user's choice",
    "open": "opens the browser; its server is that of serve",
    "serve": "stays until it is ended: its routes have tests of their own",
    "team migrate": "needs two databases",
    "team token new": "asks before there is the first token",
}


def leaves() -> Iterator[str]:
    """Every command of the table, and every one below a group."""
    for name, entry in COMMANDS.items():
        command: click.Command = getattr(import_module(entry.module), entry.function)
        yield from _below(name, command)


def _below(name: str, command: click.Command) -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield name
        return
    for sub in sorted(command.commands):
        yield from _below(f"{name} {sub}", command.commands[sub])


def typed(out: str) -> list[tuple[str, ...]]:
    """Every line that is tried; what a command writes where somebody says goes below a folder."""
    return [
        (*name.split(), *(word.replace("{out}", out) for word in line))
        for name, lines in LINES.items()
        for line in lines
    ]
