"""Runs our own MCP server and our own hook once, as an agent does, and tells what they answer."""

import json
import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modicum.app.agents.setup import Launcher
from modicum.app.session.handed_log import MEASURED
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.extras import check_mcp
from modicum.base.value import Value
from modicum.engine.tokens import count
from modicum.targets.agent_facts import tokens_of
from modicum.targets.model import Adapter

SERVER_SECONDS = 30


class ServerAnswer(Value):
    """The answer of our MCP server: its tools and instructions, or only a trouble."""

    tools: tuple[Mapping[str, Any], ...] = ()
    instructions: str = ""
    seconds: float = 0.0
    trouble: str = ""


def tool_tokens(adapter: Adapter, server: ServerAnswer) -> int:
    """Returns the tokens of our tools in an agent's first request, from the server's answer and what the agent adds."""
    if not server.tools:
        return 0
    return tokens_of(adapter.tool_list, server.tools, server.instructions, count)


def run_hook(config: Config, adapter: Adapter, start: Launcher) -> tuple[str, float]:
    """Runs our own hook as an agent does at the start of a session; returns what the hook prints, and the seconds."""
    words = [start.command, *start.args, "hook", "session-start", "--harness", adapter.id]
    payload = json.dumps({"cwd": str(config.root), "source": MEASURED})
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
    """Returns the part of our hook's output that a model gets: the longest text in its JSON, or all."""
    import msgspec

    try:
        fields = msgspec.json.decode(reply, type=dict[str, Any])
        inner = msgspec.convert(fields.get("hookSpecificOutput", {}), dict[str, Any])
    except msgspec.MsgspecError:
        return reply
    texts = (*fields.values(), *inner.values())
    return max((text for text in texts if isinstance(text, str)), key=len, default="")


def ask_server(start: Launcher) -> ServerAnswer:
    """Starts our MCP server as an agent does, and asks for its tools."""
    import anyio

    began = time.monotonic()
    try:
        check_mcp()
    except ModicumError as error:
        return ServerAnswer(trouble=str(error))
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
