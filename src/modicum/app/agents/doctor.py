"""The doctor: checks the store, the hooks, the MCP server, and what each agent really loads."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from modicum import __version__
from modicum.app.agents.setup import Launcher, find_launcher, set_up_tools, survey_setup
from modicum.app.agents.wiring import path_of
from modicum.app.inject.load import Knowledge
from modicum.base.bounded import MAX_BYTES, read_beginning
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import NOTHING, Value
from modicum.engine.tokens import count
from modicum.memory.store import Store
from modicum.targets.model import Adapter

SCOPES = ("global", "project")
HOOK_SECONDS = 2.0
SERVER_SECONDS = 30
RECENT_SECONDS = 24 * 60 * 60


class AgentLoad(Value):
    """The doctor's figures for one agent: tokens loaded in every session, seconds of its hook (-1: none)."""

    tool: str
    name: str
    files: Mapping[str, int] = NOTHING
    hook: int = 0
    hook_bytes: int = 0
    hook_seconds: float = -1.0
    server: int = 0

    @property
    def total(self) -> int:
        return sum(self.files.values()) + self.hook + self.server


class ServerAnswer(Value):
    """The answer of our MCP server to the doctor: its tools and their size, or only a trouble."""

    tools: tuple[str, ...] = ()
    tokens: int = 0
    seconds: float = 0.0
    trouble: str = ""


class Examined(Value):
    """The doctor's result: versions, problems with their remedies (one is enough to fail), figures."""

    versions: Mapping[str, str]
    problems: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    server: ServerAnswer | None = None
    loaded: tuple[AgentLoad, ...] = ()


def examine(config: Config, knowledge: Knowledge, store: Store) -> Examined:
    """Runs the doctor: checks the store and the setup of agents, and runs what the agents would run."""
    start = find_launcher()
    adapters = _set_up(config, knowledge)
    server = ask_server(start) if adapters else None
    loaded = tuple(_loaded(config, adapter, start, server) for adapter in adapters)
    failures = _failures(config)
    problems = (
        *store.problems(),
        *_stale(config, knowledge, start),
        *([f"the MCP server does not answer: {server.trouble}"] if server and server.trouble else []),
        *_slow(loaded),
        *([f"failures of hooks within a day: {len(failures)}"] if failures else []),
    )
    return Examined(versions(), problems, failures, server, loaded)


def versions() -> dict[str, str]:
    """Returns the versions of modicum, Python and SQLite for the doctor."""
    import apsw

    return {
        "modicum": __version__,
        "python": sys.version.split()[0],
        "sqlite": apsw.sqlite_lib_version(),
    }


def _set_up(config: Config, knowledge: Knowledge) -> list[Adapter]:
    known = dict.fromkeys(tool for scope in SCOPES for tool in set_up_tools(config, scope))
    return [knowledge.adapters[tool] for tool in known if tool in knowledge.adapters]


def _stale(config: Config, knowledge: Knowledge, start: Launcher) -> Iterator[str]:
    """Yields a sentence for each file that is not as `modicum setup` would leave it."""
    for scope in SCOPES:
        adapters = [
            knowledge.adapters[tool] for tool in set_up_tools(config, scope) if tool in knowledge.adapters
        ]
        flag = " --project" if scope == "project" else ""
        if not adapters:
            continue
        found = survey_setup(config, knowledge, adapters, scope, start)
        yield from found.troubles
        yield from (
            f"{wired.path} is not as it was set up: modicum setup{flag} {' '.join(a.id for a in adapters)}"
            for wired in found.wired
            if wired.change.changed
        )


def _failures(config: Config) -> tuple[str, ...]:
    from modicum.app.session.hook_log import read_failures

    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - RECENT_SECONDS))
    return tuple(line for line in read_failures(str(config.data)) if line >= since)


def _slow(loaded: Sequence[AgentLoad]) -> Iterator[str]:
    for each in loaded:
        if each.hook_seconds > HOOK_SECONDS:
            yield f"the hook of {each.name} took {each.hook_seconds:.1f} s: is the disk, or a server, slow?"


def _loaded(config: Config, adapter: Adapter, start: Launcher, server: ServerAnswer | None) -> AgentLoad:
    text, seconds = run_hook(config, adapter, start) if adapter.contract else ("", -1.0)
    return AgentLoad(
        adapter.id,
        adapter.name,
        files=_instruction_files(config, adapter),
        hook=count(text_for_model(text)),
        hook_bytes=len(text.encode()),
        hook_seconds=seconds,
        server=server.tokens if server and adapter.mcp else 0,
    )


def run_hook(config: Config, adapter: Adapter, start: Launcher) -> tuple[str, float]:
    """Runs an agent's session-start hook for the doctor; returns what the hook prints, and the seconds."""
    words = [start.command, *start.args, "hook", "session-start", "--harness", adapter.id]
    payload = json.dumps({"cwd": str(config.root), "source": "startup"})
    began = time.monotonic()
    try:
        done = subprocess.run(  # noqa: S603 - our own command
            words,
            input=payload.encode(),
            capture_output=True,
            timeout=10,
            check=False,
            env=dict(config.environment),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ModicumError(f"{words[0]} cannot be run: {error}", remedy="install modicum anew") from error
    return done.stdout.decode("utf-8", "replace"), time.monotonic() - began


def text_for_model(reply: str) -> str:
    """Returns the part of a hook's output that the model gets: the longest text in its JSON, or all."""
    import msgspec

    try:
        fields = msgspec.json.decode(reply, type=dict[str, Any])
        inner = msgspec.convert(fields.get("hookSpecificOutput", {}), dict[str, Any])
    except msgspec.MsgspecError:
        return reply
    texts = (*fields.values(), *inner.values())
    return max((text for text in texts if isinstance(text, str)), key=len, default="")


def _instruction_files(config: Config, adapter: Adapter) -> dict[str, int]:
    """The tokens of each file that an agent reads by itself, as far as they are here."""
    targets = [(target.scope, target.path) for target in adapter.targets if not target.globs]
    also = [("project", path) for path in adapter.also_reads]
    found = {}
    for scope, path in (*targets, *also):
        file = Path(path_of(config, scope, path))
        if file.is_file():
            found[path] = count(read_beginning(file, MAX_BYTES).decode("utf-8", "replace"))
    return found


def ask_server(start: Launcher) -> ServerAnswer:
    """Starts our MCP server as an agent does, and asks for its tools, for the doctor."""
    import anyio

    began = time.monotonic()
    try:
        tools = anyio.run(_tools_of, start)
    except Exception as error:
        return ServerAnswer(trouble=_reason(error))
    text = json.dumps(tools, separators=(",", ":"))
    return ServerAnswer(tuple(tool["name"] for tool in tools), count(text), time.monotonic() - began)


async def _tools_of(start: Launcher) -> list[dict[str, str]]:
    import os

    import anyio
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(command=start.command, args=[*start.args, "mcp"])
    with Path(os.devnull).open("w", encoding="utf-8") as silent, anyio.fail_after(SERVER_SECONDS):
        async with stdio_client(server, silent) as streams, ClientSession(*streams) as session:
            await session.initialize()
            listed = await session.list_tools()
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed.tools]


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"[:200]
