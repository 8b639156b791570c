"""Recorded steps of Hoofy against `modicum mcp --tools hoofy`: python bench/hoofy_replay.py [FILE]

Counts the answers that are equal, those that differ on purpose (each kind is told in docs/decisions), and the rest.
"""

import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import anyio
import msgspec
from mcp import Client

from modicum.app.memory import open_store
from modicum.config import load_config
from modicum.mcp.server import make_server
from modicum.mcp.sets import choose_tools
from modicum.mcp.tools import Desk

RECORDED = Path(__file__).parents[2] / "shared" / "reference" / "hoofy_golden.json"
TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?Z?")


class Step(NamedTuple):
    tool: str
    args: dict[str, object]
    theirs: str
    ours: str


def _which_note(text: str) -> str:
    """The text without what tells one recorded note from another."""
    return re.sub(r"(Decision|item|#|ID:) ?\d+", r"\1 N", text)


# Why an answer may differ, and how to see that it differs by nothing else.
KINDS: dict[str, Callable[[Step], bool]] = {
    "newest first: notes of one second are not turned round": lambda step: (
        step.tool in ("mem_context", "mem_search") and _which_note(step.ours) == _which_note(step.theirs)
    ),
}


def judge(step: Step, offered: frozenset[str]) -> str:
    if step.tool not in offered:
        return "not offered"
    if step.ours == step.theirs:
        return "equal"
    return next((kind for kind, is_it in KINDS.items() if is_it(step)), "wrong")


async def replay(scenario: dict[str, object], folder: Path) -> list[Step]:
    os.chdir(folder)
    config = load_config({"MODICUM_HOME": str(folder / ".home"), "HOME": str(folder)}, folder)
    store = open_store(config)
    done = []
    async with Client(make_server(Desk(config, store), choose_tools(["hoofy"]))) as client:
        for step in scenario["steps"]:  # type: ignore[attr-defined]
            if "write" in step:
                file = folder / step["write"]
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(step["content"], encoding="utf-8")
                continue
            reply = await client.call_tool(step["tool"], step["args"])
            text = ("ERR " if reply.is_error else "") + reply.content[0].text  # type: ignore[union-attr]
            done.append(Step(step["tool"], step["args"], step["out"], TIME.sub("<TS>", text)))
    store.close()
    return done


def main() -> None:
    file = Path(sys.argv[1]) if sys.argv[1:] else RECORDED
    offered = frozenset(choose_tools(["hoofy"]))
    total: Counter[str] = Counter()
    for scenario in msgspec.json.decode(file.read_bytes()):
        with tempfile.TemporaryDirectory() as folder:
            steps = anyio.run(replay, scenario, Path(folder).resolve())
            os.chdir("/")
        found = Counter(judge(step, offered) for step in steps)
        total += found
        print(f"{scenario['scenario']:<22}{dict(found)}")
        for step in steps:
            if judge(step, offered) == "wrong":
                print(f"  wrong: {step.tool} {str(step.args)[:100]}")
                lines = unified_diff(
                    step.theirs.splitlines(), step.ours.splitlines(), "theirs", "ours", "", "", "", 0
                )
                print("\n".join(f"    {line[:160]}" for line in islice(lines, 2, 12)))
    print()
    for kind, count in total.most_common():
        print(f"{count:>5}  {kind}")


if __name__ == "__main__":
    main()
