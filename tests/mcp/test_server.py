"""The server, called by the official SDK's client: in memory, and as a process over standard input and output."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

from modicum.mcp.server import make_server
from modicum.mcp.sets import choose_tools
from modicum.mcp.tool import ToolContext

COMMAND = [sys.executable, "-m", "modicum.cli.main", "mcp"]
CLAUDE = types.Implementation(name="claude-code", version="0")
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "claude-code", "version": "0"},
}


def request(number: int, method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def started(home: Path, **options: Any) -> subprocess.Popen[str]:
    environment = {**os.environ, "MODICUM_HOME": str(home)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(COMMAND, env=environment, text=True, encoding="utf-8", **pipes, **options)


@contextmanager
def process(home: Path) -> Iterator[subprocess.Popen[str]]:
    running = started(home)
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def say(running: subprocess.Popen[str], line: str) -> None:
    assert running.stdin is not None
    running.stdin.write(f"{line}\n")
    running.stdin.flush()


def hear(running: subprocess.Popen[str], number: int) -> dict[str, Any]:
    assert running.stdout is not None
    for line in running.stdout:
        heard: dict[str, Any] = json.loads(line)
        if heard.get("id") == number:
            return heard
    raise AssertionError("the server is gone")


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_both_eras_of_the_protocol_are_spoken(desk: ToolContext, mode: str) -> None:
    async def talk() -> None:
        server = make_server(desk, choose_tools([]))
        async with Client(server, mode=mode, client_info=CLAUDE) as client:
            tools = (await client.list_tools()).tools
            saved = await client.call_tool("mem_save", {"title": "a", "content": "b"})
            found = await client.call_tool("mem_search", {"query": "b"})

            assert "mem_get" in [tool.name for tool in tools]
            name = saved.structured_content["id"]
            line = {"text": saved.content[0].text, "id": name, "number": 1, "outcome": "created"}
            assert saved.structured_content == line
            assert found.structured_content["items"] == [name]
            assert (await client.call_tool("mem_get", {"id": 9})).is_error
            assert client.instructions

    anyio.run(talk)


def test_what_is_kept_is_a_resource_and_the_protocol_is_a_prompt(desk: ToolContext) -> None:
    async def talk() -> None:
        async with Client(make_server(desk, choose_tools([]))) as client:
            await client.call_tool("mem_save", {"title": "Use WAL", "content": "Readers go on."})
            names = [each.uri for each in (await client.list_resources()).resources]
            templates = (await client.list_resource_templates()).resource_templates
            note = (await client.read_resource("modicum://note/1")).contents[0].text
            part = (await client.read_resource("modicum://pack/git/commits")).contents[0].text
            prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
            recall = await client.get_prompt("recall", {"topic": "locks {and} keys"})

            assert "modicum://pack/git" in names
            kinds = ["note", "pack", "artifact", "change", "adr"]
            assert [template.name for template in templates] == kinds
            assert note.endswith("Readers go on.")
            assert part.startswith("## Git")
            assert prompts == ["memory-protocol", "session-summary", "recall"]
            assert "locks {and} keys" in recall.messages[0].content.text
            for uri in (
                "modicum://note/9",
                "modicum://pack/nope",
                "file:///etc/passwd",
                "modicum://x",
            ):
                with pytest.raises(MCPError):
                    await client.read_resource(uri)
            for name, arguments in (("nope", {}), ("recall", {})):
                with pytest.raises(MCPError):
                    await client.get_prompt(name, arguments)

    anyio.run(talk)


def test_two_clients_at_once_share_one_store(tmp_path: Path) -> None:
    environment = {**os.environ, "MODICUM_HOME": str(tmp_path)}
    server = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=environment)

    async def write(name: str) -> None:
        async with Client(stdio_client(server)) as client:
            for number in range(10):
                note = {"title": f"{name} {number}", "content": f"{name} says {number}", "project": "shop"}
                assert not (await client.call_tool("mem_save", note)).is_error

    async def talk() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(write, "ann")
            group.start_soon(write, "bob")
        async with Client(stdio_client(server), client_info=CLAUDE) as client:
            found = await client.call_tool("mem_context", {"project": "shop", "limit": 50})
            assert found.structured_content["total"] == 21

    anyio.run(talk)


def test_rubbish_and_huge_input_do_no_harm_and_the_end_of_input_is_the_end(tmp_path: Path) -> None:
    with process(tmp_path) as running:
        say(running, request(1, "initialize", **HELLO))
        assert hear(running, 1)["result"]["serverInfo"]["name"] == "modicum"
        say(running, json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        for line in (
            "{",
            "",
            "[]",
            "null",
            '{"jsonrpc": "2.0"}',
            "\x00\x7f",
            "[" * 5_000,
            '"\ud800"'.encode("utf-8", "replace").decode(),
        ):
            say(running, line)
        say(running, request(2, "tools/call", name="mem_save", arguments="no object"))
        assert "error" in hear(running, 2)
        huge = {"title": "huge", "content": "lorem ipsum " * 100_000}
        say(running, request(3, "tools/call", name="mem_save", arguments=huge))
        assert hear(running, 3)["result"]["structuredContent"]["number"] == 1
        say(running, request(4, "tools/call", name="mem_get", arguments={"id": 1}))
        assert hear(running, 4)["result"]["structuredContent"]["total"] == len(huge["content"].strip())
        cut = {"title": "cut \ud83d", "content": "\udfff half \\ud800 😀"}
        say(running, request(5, "tools/call", name="mem_save", arguments=cut))
        assert hear(running, 5)["result"]["structuredContent"]["number"] == 2
        say(running, request(6, "tools/call", name="mem_get", arguments={"id": 2}))
        assert "\ufffd half \\ud800 😀" in hear(running, 6)["result"]["content"][0]["text"]
        running.communicate(timeout=20)
        assert running.returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_server_that_is_told_to_stop_stops(tmp_path: Path) -> None:
    with process(tmp_path) as running:
        say(running, request(1, "initialize", **HELLO))
        hear(running, 1)
        running.send_signal(signal.SIGTERM)
        assert running.wait(20) == 0


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(
    ("name", "forms"),
    [
        *(
            (name, {"text", "JSON"})
            for name in (
                "claude-code",
                "factory-cli",
                "gemini-cli-mcp-client",
                "opencode",
            )
        ),
        *(
            (name, {"text"})
            for name in (
                "codex-mcp-client",
                "copilot-cli",
                "qwen-cli-mcp-client-modicum",
                "@cline/core",
                "claude-code2",
                "",
            )
        ),
    ],
)
def test_only_clients_that_hand_one_form_to_a_model_are_given_two(
    desk: ToolContext, mode: str, name: str, forms: set[str]
) -> None:
    async def talk() -> None:
        about = types.Implementation(name=name, version="0")
        async with Client(make_server(desk, choose_tools(["all"])), mode=mode, client_info=about) as client:
            tools = (await client.list_tools()).tools
            saved = await client.call_tool("mem_save", {"title": "a", "content": "b"})
            whole = await client.call_tool("mem_get", {"id": "1"})

            assert not any(tool.output_schema for tool in tools)
            for result in (saved, whole):
                told = {"text"} if result.content[0].text else set()
                assert told | ({"JSON"} if result.structured_content is not None else set()) == forms

    anyio.run(talk)
