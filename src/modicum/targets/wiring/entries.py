"""Entries of servers, hooks and skills in the shape of each tool: what its settings files should hold. Pure."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from modicum.base.value import NOTHING, Value
from modicum.targets.model import Adapter, SettingsFile
from modicum.targets.settings.undo import Path

# The section under which records of wiring are kept, apart from those of pages.
WIRING = "wiring"
SKILL_FILE = "SKILL.md"

Shown = dict[str, object]

# Nothing that could lead out of a folder, or mean something else on another system.
_STEP = re.compile(r"(?!\.{1,2}\Z)[^/\\:\x00-\x1f]+\Z")
_FENCE = "---"


class ServerEntry(Value):
    """An entry for an MCP server in the settings of `tools` (empty: all): a command to start, or an address."""

    id: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = NOTHING
    url: str = ""
    headers: Mapping[str, str] = NOTHING
    is_sse: bool = False
    description: str = ""
    tools: tuple[str, ...] = ()
    extra: Mapping[str, object] = NOTHING  # what only one tool understands


class HookEntry(Value):
    """A hook that a pack wires into the settings of `tools` (empty: all): a command that is run at an event."""

    id: str
    event: str
    command: str
    tools: tuple[str, ...] = ()
    extra: Mapping[str, object] = NOTHING  # what only one tool understands


Entry = TypeVar("Entry", ServerEntry, HookEntry)


class SkillEntry(Value):
    """An entry for a skill of `tools` (empty: all): its text, and the files beside it as (path, text)."""

    id: str
    text: str
    name: str = ""
    description: str = ""
    files: tuple[tuple[str, str], ...] = ()
    tools: tuple[str, ...] = ()


class Wanted(Value):
    """An entry that a settings file should hold at a key, or as an item of the list there.

    Without a name it is something that the file needs, such as its version, and nobody asked for.
    """

    path: str
    format: str
    keys: Path
    value: object
    is_item: bool = False
    name: str = ""
    tools: tuple[str, ...] = ()


class SkillFile(Value):
    """One file of a skill that a pack wires into a tool: the path of the skill's folder in the adapter's words, and a name in it."""

    folder: str
    name: str
    text: str
    preamble: str = ""
    tools: tuple[str, ...] = ()


def wanted_by(
    adapter: Adapter, scope: str, servers: Sequence[ServerEntry], hooks: Sequence[HookEntry]
) -> tuple[tuple[Wanted, ...], tuple[str, ...]]:
    """Returns the entries that a tool's settings files in a scope should hold, and what the tool cannot have."""
    answers = (
        *(_of_server(adapter, file, server) for file, server in _pairs(adapter, adapter.mcp, scope, servers)),
        *(_of_hook(adapter, file, hook) for file, hook in _pairs(adapter, adapter.hooks, scope, hooks)),
    )
    wanted = [each for answer in answers if not isinstance(answer, str) for each in answer]
    return tuple(wanted), tuple(answer for answer in answers if isinstance(answer, str))


def _pairs(
    adapter: Adapter, files: Iterable[SettingsFile], scope: str, entries: Sequence[Entry]
) -> Iterator[tuple[SettingsFile, Entry]]:
    for file in files:
        if file.scope == scope:
            yield from ((file, entry) for entry in entries if is_for(adapter, entry.tools))


def is_for(adapter: Adapter, tools: Sequence[str]) -> bool:
    """Returns True if an entry is to be wired into this tool: its list of tools is empty or names the tool."""
    return not tools or adapter.id in tools


def _of_server(adapter: Adapter, file: SettingsFile, server: ServerEntry) -> tuple[Wanted, ...] | str:
    value = SERVERS[file.shape](server)
    if value is None:
        return f'{adapter.name} cannot use the server "{server.id}": it has no servers of the type sse'
    name = f'the server "{server.id}"'
    is_item = file.shape in _LISTED
    keys = file.key if is_item else (*file.key, server.id)
    whole = {**value, **server.extra}
    wanted = Wanted(file.path, file.format, keys, whole, is_item, name, (adapter.id,))
    return (*_formalities(adapter, file, _OF_SERVERS), wanted)


def _of_hook(adapter: Adapter, file: SettingsFile, hook: HookEntry) -> tuple[Wanted, ...] | str:
    event = file.events.get(hook.event)
    if event is None:
        return f'{adapter.name} has no event {hook.event}: the hook "{hook.id}" is left out'
    name, value = f'the hook "{hook.id}"', HOOKS[file.shape](hook.command, **hook.extra)
    keys = (*file.key, event)
    if file.shape in _LISTED:
        keys, value = file.key, {"name": hook.id, "trigger": event, "action": value}
    wanted = Wanted(file.path, file.format, keys, value, True, name, (adapter.id,))
    return (*_formalities(adapter, file, _OF_HOOKS), wanted)


def _formalities(adapter: Adapter, file: SettingsFile, table: Mapping[str, Shown]) -> Iterator[Wanted]:
    for key, value in table.get(file.shape, {}).items():
        yield Wanted(file.path, file.format, (key,), value, tools=(adapter.id,))


def skill_files(adapter: Adapter, scope: str, skill: SkillEntry) -> tuple[SkillFile, ...] | str:
    """Returns the files that a pack's skill is wired with in a tool, the main one first; a sentence if one leaves the folder."""
    if wrong := [name for name in (skill.id, *(name for name, _ in skill.files)) if not _is_inside(name)]:
        return f'the skill "{skill.id}" is left out: "{wrong[0]}" does not stay inside its folder'
    if not is_for(adapter, skill.tools):
        return ()
    return tuple(
        SkillFile(f"{folder.path.rstrip('/')}/{skill.id}", name, text, preamble, (adapter.id,))
        for folder in adapter.skills
        if folder.scope == scope
        for name, text, preamble in ((SKILL_FILE, skill.text, _front_matter(skill)), *_others(skill))
    )


def _others(skill: SkillEntry) -> Iterator[tuple[str, str, str]]:
    return ((name, text, "") for name, text in skill.files if name != SKILL_FILE)


def _is_inside(name: str) -> bool:
    return all(_STEP.match(step) for step in name.split("/"))


def _front_matter(skill: SkillEntry) -> str:
    # Without it a tool does not know what the skill is for, and never opens it.
    if skill.text.lstrip("\ufeff\r\n").startswith(_FENCE):
        return ""
    about = " ".join((skill.description or skill.name or skill.id).split())
    return f"{_FENCE}\nname: {skill.id}\ndescription: {json.dumps(about, ensure_ascii=False)}\n{_FENCE}\n"


def _standard(http: str) -> Callable[[ServerEntry], Shown]:
    def shape(server: ServerEntry) -> Shown:
        if not server.url:
            return _local(server)
        return {"type": "sse" if server.is_sse else http, **_remote(server, "url")}

    return shape


def _local(server: ServerEntry) -> Shown:
    return {"command": server.command, "args": list(server.args), **_unless_empty("env", server.env)}


def _remote(server: ServerEntry, key: str, headers: str = "headers") -> Shown:
    return {key: server.url, **_unless_empty(headers, server.headers)}


def _unless_empty(key: str, values: Mapping[str, str]) -> Shown:
    return {key: dict(values)} if values else {}


def _codex(server: ServerEntry) -> Shown | None:
    if not server.url:
        return _local(server)
    return None if server.is_sse else _remote(server, "url", "http_headers")


def _copilot(server: ServerEntry) -> Shown:
    kind = ("sse" if server.is_sse else "http") if server.url else "local"
    return {"type": kind, **(_remote(server, "url") if server.url else _local(server)), "tools": ["*"]}


def _gemini(server: ServerEntry) -> Shown:
    return _remote(server, "url" if server.is_sse else "httpUrl") if server.url else _local(server)


def _windsurf(server: ServerEntry) -> Shown:
    return _remote(server, "serverUrl") if server.url else _local(server)


def _opencode(server: ServerEntry) -> Shown:
    if server.url:
        return {"type": "remote", **_remote(server, "url"), "enabled": True}
    command = [server.command, *server.args]
    return {
        "type": "local",
        "command": command,
        **_unless_empty("environment", server.env),
        "enabled": True,
    }


def _goose(server: ServerEntry) -> Shown:
    about: Shown = {"enabled": True, "name": server.id, "description": server.description}
    if server.url:
        return {**about, "type": "sse" if server.is_sse else "streamable_http", **_remote(server, "uri")}
    local: Shown = {"cmd": server.command, "args": list(server.args), "envs": dict(server.env)}
    return {**about, "type": "stdio", **local, "timeout": 300}


def _list(server: ServerEntry) -> Shown:
    if not server.url:
        return {"name": server.id, **_local(server)}
    headers = {"requestOptions": {"headers": dict(server.headers)}} if server.headers else {}
    kind = "sse" if server.is_sse else "streamable-http"
    return {"name": server.id, "type": kind, "url": server.url, **headers}


def _in_a_group(command: str, **extra: object) -> Shown:
    # A group of our own: whatever else is in a group belongs to the reader.
    return {"hooks": [_bare(command, **extra)]}


def _bare(command: str, **extra: object) -> Shown:
    return {"type": "command", "command": command, **extra}


def _by_shell(command: str, **extra: object) -> Shown:
    return {"type": "command", "bash": command, "powershell": command, **extra}


# How a tool writes a server; None is for one that it cannot use.
SERVERS: dict[str, Callable[[ServerEntry], Shown | None]] = {
    "standard": _standard("http"),
    "cline": _standard("streamableHttp"),
    "roo": _standard("streamable-http"),
    "codex": _codex,
    "copilot": _copilot,
    "gemini": _gemini,
    "goose": _goose,
    "list": _list,
    "opencode": _opencode,
    "windsurf": _windsurf,
}
HOOKS: dict[str, Callable[..., Shown]] = {
    "claude": _in_a_group,
    "cursor": _bare,
    "copilot": _by_shell,
    "kiro": _bare,
}
_LISTED = frozenset(("list", "kiro"))
# What a tool insists on at the top of a file; put in where it is missing, left as it is where not.
_OF_SERVERS: dict[str, Shown] = {"list": {"name": "Local Config", "version": "1.0.0", "schema": "v1"}}
_OF_HOOKS: dict[str, Shown] = {
    "cursor": {"version": 1},
    "copilot": {"version": 1},
    "kiro": {"version": "v1"},
}
