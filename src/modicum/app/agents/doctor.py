"""The doctor: checks the store, the hooks, the MCP server, and what each agent really loads."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from modicum import __version__
from modicum.app.agents.see import see_tool
from modicum.app.agents.setup import Launcher, find_launcher, set_up_tools, survey_setup
from modicum.app.agents.wiring import path_of
from modicum.app.inject.load import Knowledge, load_knowledge
from modicum.base.bounded import MAX_BYTES, read_beginning
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.value import NOTHING, Value
from modicum.engine.tokens import count, exact
from modicum.memory.store import Store
from modicum.targets.agent_facts import tokens_of
from modicum.targets.model import Adapter

SCOPES = ("global", "project")
HOOK_SECONDS = 2.0
SERVER_SECONDS = 30
RECENT_SECONDS = 24 * 60 * 60
ROUGH_TOKENS = "tokens are counted about double, because splintr cannot be imported: pip install splintr-rs"

Tell = Callable[[str], None]  # says what is being done, because it takes a while


class AgentLoad(Value):
    """The doctor's figures for one agent: tokens loaded in every session, seconds of its hook (-1: none)."""

    tool: str
    name: str
    files: Mapping[str, int] = NOTHING
    hook: int = 0
    hook_bytes: int = 0
    hook_seconds: float = -1.0
    server: int = 0
    server_note: str = ""
    cannot: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return sum(self.files.values()) + self.hook + self.server


class ServerAnswer(Value):
    """The answer of our MCP server to the doctor: its tools and instructions, or only a trouble."""

    tools: tuple[Mapping[str, Any], ...] = ()
    instructions: str = ""
    seconds: float = 0.0
    trouble: str = ""


class Examined(Value):
    """The doctor's result: versions, problems with their remedies (one is enough to fail), figures."""

    versions: Mapping[str, str]
    problems: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    server: ServerAnswer | None = None
    loaded: tuple[AgentLoad, ...] = ()


def examine(config: Config, knowledge: Knowledge, store: Store, tell: Tell = lambda _: None) -> Examined:
    """Runs the doctor: checks the store and the setup of agents, and runs what the agents would run."""
    start = find_launcher()
    adapters = _set_up(config, knowledge)
    found = tuple(store.problems())
    if adapters:
        tell("the MCP server")
    server = ask_server(start) if adapters else None
    loaded = tuple(_loaded(config, adapter, start, server, tell) for adapter in adapters)
    failures = _failures(config)
    problems = (
        *found,
        *_stale(config, knowledge, start),
        *_untrusted(config, knowledge),
        *([f"the MCP server does not answer: {server.trouble}"] if server and server.trouble else []),
        *_slow(loaded),
        *([] if exact("o200k_base") else [ROUGH_TOKENS]),
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
        named = [tool for tool in set_up_tools(config, scope) if tool in knowledge.adapters]
        flag = " --project" if scope == "project" else ""
        if not named:
            continue
        here = config if scope == "project" else config.of_user()
        known = knowledge if scope == "project" else load_knowledge(here)
        adapters = [known.adapters[tool] for tool in named if tool in known.adapters]
        found = survey_setup(here, known, adapters, scope, start)
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


def _untrusted(config: Config, knowledge: Knowledge) -> Iterator[str]:
    """Yields a sentence for each file with hooks of ours that an agent skips without a word."""
    for scope in SCOPES:
        for tool in set_up_tools(config, scope):
            adapter = knowledge.adapters.get(tool)
            if adapter and adapter.hook_trust:
                yield from _skipped_hooks(config, adapter, scope)


def _skipped_hooks(config: Config, adapter: Adapter, scope: str) -> Iterator[str]:
    from modicum.targets.hook_trust import is_trusted_project, untrusted_hooks

    settings = _toml(path_of(config, "global", adapter.hook_trust))
    root = str(config.root)
    if scope == "project" and not is_trusted_project(settings, {root, os.path.realpath(root)}):
        yield f"{adapter.name} reads nothing of this project's setup: start it here, and trust the folder"
        return
    for file in adapter.hooks:
        path = path_of(config, scope, file.path)
        names = {path, os.path.realpath(path)}
        if file.scope == scope and (
            skipped := untrusted_hooks(_json(path), settings, names, f"--harness {adapter.id}")
        ):
            what = f"{len(skipped)} of our hooks in {file.path} until you trust them as they are now"
            yield f"{adapter.name} skips {what}: start it, type /hooks, and trust them ({', '.join(skipped)})"


def _json(path: str) -> dict[str, Any]:
    try:
        found = json.loads(read_beginning(Path(path), MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}  # what is wrong with it is said where the setup is compared
    return found if isinstance(found, dict) else {}


def _toml(path: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(read_beginning(Path(path), MAX_BYTES).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def _loaded(
    config: Config, adapter: Adapter, start: Launcher, server: ServerAnswer | None, tell: Tell
) -> AgentLoad:
    if adapter.contract:
        tell(f"the hook of {adapter.name}")
    text, seconds = run_hook(config, adapter, start) if adapter.contract else ("", -1.0)
    return AgentLoad(
        adapter.id,
        adapter.name,
        files=_instruction_files(config, adapter),
        hook=count(text_for_model(text)),
        hook_bytes=len(text.encode()),
        hook_seconds=seconds,
        server=tool_tokens(adapter, server) if server and adapter.mcp else 0,
        server_note=adapter.tool_list.note if adapter.tool_list else "",
        cannot=tuple(each.what for each in adapter.cannot),
    )


def tool_tokens(adapter: Adapter, server: ServerAnswer) -> int:
    """Returns the tokens of our tools in an agent's first request, from the doctor's answer and what the agent adds."""
    if not server.tools:
        return 0
    return tokens_of(adapter.tool_list, server.tools, server.instructions, count)


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
    seen = see_tool(config, adapter)
    return {path: count(text) for path, text in seen.by_file().items()} if seen else {}


def ask_server(start: Launcher) -> ServerAnswer:
    """Starts our MCP server as an agent does, and asks for its tools, for the doctor."""
    import anyio

    began = time.monotonic()
    try:
        tools, instructions = anyio.run(_tools_of, start)
    except Exception as error:
        return ServerAnswer(trouble=_reason(error))
    return ServerAnswer(tuple(tools), instructions, time.monotonic() - began)


async def _tools_of(start: Launcher) -> tuple[list[dict[str, Any]], str]:
    import anyio
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(command=start.command, args=[*start.args, "mcp"])
    with Path(os.devnull).open("w", encoding="utf-8") as silent, anyio.fail_after(SERVER_SECONDS):
        async with stdio_client(server, silent) as streams, ClientSession(*streams) as session:
            begun = await session.initialize()
            listed = await session.list_tools()
    tools = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed.tools]
    return tools, begun.instructions or ""


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"[:200]
