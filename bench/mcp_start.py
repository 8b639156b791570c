"""From starting a process to the list of its tools, and to the first answer of a tool: python bench/mcp_start.py [RUNS]

Beside it a bare server of the official SDK. A client asks for the tools as soon as it is greeted, with and without a handshake, and
then calls one of them.

Also what the tools of each set cost a session before the first call.
"""

import compileall
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import modicum
from modicum.engine.tokens import count
from modicum.mcp.sets import OURS, choose_tools
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft
from modicum.memory.store import Store

RUNS = 11
NOTES = 10_000
BARE = """
import anyio, mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def list_tools(context, params):
    return types.ListToolsResult(tools=[types.Tool(name="mem_context", input_schema={"type": "object"})])

async def call_tool(context, params):
    return types.CallToolResult(content=[types.TextContent(type="text", text="hello")])

async def main():
    server = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())

anyio.run(main)
"""
MODICUM = str(Path(sys.executable).parent / "modicum")
CLIENT = {"name": "bench", "version": "0"}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENT}
KEY = "io.modelcontextprotocol/"
ENVELOPE = {f"{KEY}protocolVersion": "2026-07-28", f"{KEY}clientCapabilities": {}, f"{KEY}clientInfo": CLIENT}
SERVERS = {
    "bare SDK server": [sys.executable, "-c", BARE],
    "modicum mcp": [MODICUM, "mcp", "--project", "shop"],
    "  --tools all": [MODICUM, "mcp", "--tools", "all"],
    "  --tools engram": [MODICUM, "mcp", "--tools", "engram"],
    "  --tools hoofy": [MODICUM, "mcp", "--tools", "hoofy"],
}


class Times(NamedTuple):
    """Seconds from the start to the list of tools and to the first answer, and seconds of CPU for the whole process."""

    listed: float
    answered: float
    cpu: float


def start(command: list[str], home: Path, *, shaking: bool) -> Times:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    more: dict[str, object] = {} if shaking else {"_meta": ENVELOPE}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    running = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**environment, "MODICUM_HOME": str(home)},
    )
    ask(running, "initialize" if shaking else "server/discover", HELLO if shaking else more)
    if shaking:
        say(running, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    ask(running, "tools/list", more)
    listed = time.perf_counter() - started
    ask(running, "tools/call", {"name": "mem_context", "arguments": {}, **more})
    answered = time.perf_counter() - started
    running.communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Times(listed, answered, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def ask(running: subprocess.Popen[bytes], method: str, params: dict[str, object]) -> None:
    assert running.stdout is not None
    say(running, {"jsonrpc": "2.0", "id": method, "method": method, "params": params})
    reply = json.loads(running.stdout.readline())
    assert reply["id"] == method
    assert "result" in reply, reply


def say(running: subprocess.Popen[bytes], message: dict[str, object]) -> None:
    assert running.stdin is not None
    running.stdin.write(f"{json.dumps(message)}\n".encode())
    running.stdin.flush()


def measure(runs: int, home: Path, *, shaking: bool) -> None:
    times: dict[str, list[Times]] = {name: [] for name in SERVERS}
    for command in SERVERS.values():
        start(command, home, shaking=shaking)
    for _ in range(runs):
        for name, command in SERVERS.items():  # by turns, so that all see the same load
            times[name].append(start(command, home, shaking=shaking))
    print(
        f"\ncold start {'with' if shaking else 'without'} a handshake, {NOTES:,} notes, median (best) of {runs}"
    )
    for name, found in times.items():
        columns = [sorted(each) for each in zip(*found, strict=True)]
        listed, answered, cpu = (
            f"{statistics.median(each) * 1000:>6.0f} ({each[0] * 1000:.0f}) ms" for each in columns
        )
        print(f"  {name:<18}tools listed {listed:<15} first answer {answered:<17} CPU {cpu}")


def main() -> None:
    runs = int(sys.argv[1]) if sys.argv[1:] else RUNS
    compileall.compile_dir(Path(modicum.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(SqliteDatabase(Path(folder) / "memory.db"))
        store.save_all(
            [NoteDraft(f"note {n}", f"What we know of {n}. " * 9, project="shop") for n in range(NOTES)]
        )
        store.close()
        for shaking in (True, False):
            measure(runs, Path(folder), shaking=shaking)
    print("\ntokens that a session pays before the first call (o200k_base)")
    print(f"  {'instructions':<18}{count(choose_tools([]).instructions):>7,}")
    for name in (*OURS, "engram", "hoofy"):
        tools = [tool.described() for tool in choose_tools([name]).tools.values()]
        cost = count(json.dumps({"tools": tools}, ensure_ascii=False, separators=(",", ":")))
        print(f"  --tools {name:<10}{cost:>7,}   {len(tools)} tools")


if __name__ == "__main__":
    main()
