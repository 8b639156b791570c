"""From starting a process to the first answer of a tool, beside a bare server of the official SDK: python bench/mcp_start.py [RUNS]

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
OURS_STARTED = "from modicum.cli.main import main; raise SystemExit(main(['mcp', '--project', 'shop']))"
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "0"}}
LINES = (
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "mem_context", "arguments": {}}},
)


def start(code: str, home: Path) -> tuple[float, float]:
    """Seconds of wall clock to the answer, and of CPU for the whole process."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    running = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**environment, "MODICUM_HOME": str(home)},
    )
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write("".join(f"{json.dumps(line)}\n" for line in LINES).encode())
    running.stdin.flush()
    while json.loads(running.stdout.readline()).get("id") != 2:
        pass
    wall = time.perf_counter() - started
    running.communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    runs = int(sys.argv[1]) if sys.argv[1:] else RUNS
    compileall.compile_dir(Path(modicum.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(SqliteDatabase(Path(folder) / "memory.db"))
        store.save_all(
            [NoteDraft(f"note {n}", f"What we know of {n}. " * 9, project="shop") for n in range(NOTES)]
        )
        store.close()
        times: dict[str, list[tuple[float, float]]] = {"bare SDK server": [], "modicum mcp": []}
        for code in (BARE, OURS_STARTED):
            start(code, Path(folder))
        for _ in range(runs):
            # By turns, so that both see the same load.
            times["bare SDK server"].append(start(BARE, Path(folder)))
            times["modicum mcp"].append(start(OURS_STARTED, Path(folder)))
    medians = {
        name: [statistics.median(each) for each in zip(*found, strict=True)] for name, found in times.items()
    }
    bare = medians["bare SDK server"]
    print(f"cold start to the first answer of a tool, {NOTES:,} notes, median of {runs}")
    for name, (wall, cpu) in medians.items():
        print(
            f"  {name:<18}{wall * 1000:>7.0f} ms wall {wall / bare[0]:>5.2f} x   {cpu * 1000:>7.0f} ms CPU {cpu / bare[1]:>5.2f} x"
        )
    print("\ntokens that a session pays before the first call (o200k_base)")
    print(f"  {'instructions':<18}{count(choose_tools([]).instructions):>7,}")
    for name in (*OURS, "engram", "hoofy"):
        tools = [tool.described() for tool in choose_tools([name]).tools.values()]
        cost = count(json.dumps({"tools": tools}, ensure_ascii=False, separators=(",", ":")))
        print(f"  --tools {name:<10}{cost:>7,}   {len(tools)} tools")


if __name__ == "__main__":
    main()
