"""Recorded steps of Hoofy against `modicum mcp --tools hoofy`: python bench/hoofy_replay.py [FILE]

Counts the answers that are equal, those that differ on purpose (each kind is told in docs/decisions), and the rest.
"""

import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import anyio
import msgspec
from mcp import Client

from modicum.app.memory.notes import open_store
from modicum.base.config import load_config
from modicum.mcp.server import make_server
from modicum.mcp.sets import choose_tools
from modicum.mcp.tool import ToolContext

RECORDED = Path(__file__).parents[2] / "shared" / "reference" / "hoofy_golden.json"
TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?Z?")

TOOK = re.compile(r"(?<=\*\*Scan duration\*\*: )\S+")


class Step(NamedTuple):
    tool: str
    args: dict[str, object]
    theirs: str
    ours: str


def _which_note(text: str) -> str:
    """The text without what tells one recorded note from another."""
    return re.sub(r"(Decision|item|#|ID:|ID:\*\*) ?\d+", r"\1 N", text)


def _between(start: str, end: str, text: str) -> str:
    """The text without what stands between two marks, wherever both are there."""
    return re.sub(f"(?<={start}).*?(?={end})", "…", text, flags=re.DOTALL)


def _without_memory(text: str) -> str:
    text = _between(r"## Explore Context \(Memory\)\n\n", r"\n## ", text)
    return _between(r"## Memory \(Decisions & Patterns\)\n\n", r"\n---\n💡|\n📏", text)


def _without_passages(text: str) -> str:
    text = _between(r"### charter\.md\n\n", r"\n\n###", text)
    return _between(r"## Relevant Specs\n\n", r"\n## Related", text)


def _without_documents(text: str) -> str:
    text = _between(r"\n## Content\n\n", r"\n\n---\n\n## Next", text)
    text = _between(r"\n## Summary\n\n", r"---\n\n## . SDD|---\n\n## .. SDD", text)
    text = _between(r"## Requirements Under Analysis\n\n", r"\n\n---\n\n## Clarity", text)
    text = _between(r"\n---\n\n## Principles Content\n\n", r"\n📏", text)
    return re.sub(r"\): \d+ lines", "): N lines", text)


def _without_next(text: str) -> str:
    text = re.sub(r"(?s)advanced to \*\*Stage (3: Clarify|4: Business).*", "", text)
    return re.sub(r"Use `sdd_(init_project|create_business_rules)` .*", "", text)


def _without_created(text: str) -> str:
    return _between(r"## What was created\n\n", r"## Next Step", text)


def _without_gates(text: str) -> str:
    return re.sub(r"\n\n---\n(\n⚠️ .*)+\Z", "", text)


def _without_rules(text: str) -> str:
    return re.sub(r"- \*\*Business Rules\*\* \(.*\n", "", text)


def _before_cut(text: str) -> str:
    return text.partition("## Explore Context")[0] if "[...truncated by token budget]" in text else text


def _tokens(text: str) -> str:
    return re.sub(r"📏 ~[\d,]+ tokens", "📏", text)


# Why an answer may differ: each takes out of an answer what differs for that reason, and nothing else.
KINDS: dict[str, Callable[[str], str]] = {
    "gates that compute: what they say follows the answer": _without_gates,
    "notes of one second are not turned round, and others have the numbers": _which_note,
    "memory by our search, which does not need every word": _without_memory,
    "passages that match, where it has heads of files or nothing": _without_passages,
    "a budget ends elsewhere when passages are others": _before_cut,
    "documents are ours: what was given, under headings, and no more": _without_documents,
    "the next step is the true one": _without_next,
    "only specs are written: no section in AGENTS.md": _without_created,
    "business rules are listed": _without_rules,
}
# Single steps that differ as a whole.
STEPS: dict[str, Callable[[Step], bool]] = {
    "stages have the names that the documentation gives": lambda step: (
        step.theirs == "ERR unknown stage: requirements" and step.ours.startswith("# Stage: Specify")
    ),
    "a score alone passes no gate": lambda step: (
        step.theirs.startswith("# Clarity Gate PASSED") and "a score alone does not pass" in step.ours
    ),
}


def _normal(text: str, folder: Path) -> str:
    """The text without what no two runs share."""
    return TOOK.sub("<DUR>", TIME.sub("<TS>", text.replace(str(folder), "<ROOT>")))


def judge(step: Step, offered: frozenset[str]) -> str:
    if step.tool not in offered:
        return "not offered"
    # The number of tokens in an audit is that of the path to the folder, too.
    plain = _tokens if step.tool == "sdd_audit" else str
    if plain(step.ours) == plain(step.theirs):
        return "equal"
    whole = next((name for name, is_it in STEPS.items() if is_it(step)), "")
    return whole or _explained(step)


def _explained(step: Step) -> str:
    """The first reason that is enough, or that cannot be missed."""
    if not _same(step, KINDS):
        return "wrong"
    needed = [name for name in KINDS if not _same(step, [each for each in KINDS if each != name])]
    enough = [name for name in KINDS if _same(step, [name])]
    return next(iter((*enough, *needed)), "wrong")


def _same(step: Step, reasons: Iterable[str]) -> bool:
    ours, theirs = _tokens(step.ours), _tokens(step.theirs)
    for name in reasons:
        ours, theirs = KINDS[name](ours), KINDS[name](theirs)
    return ours == theirs


async def replay(scenario: dict[str, object], folder: Path) -> list[Step]:
    os.chdir(folder)
    config = load_config({"MODICUM_HOME": str(folder / ".home"), "HOME": str(folder)}, folder)
    store = open_store(config)
    done = []
    async with Client(make_server(ToolContext(config, store), choose_tools(["hoofy"]))) as client:
        for step in scenario["steps"]:  # type: ignore[attr-defined]
            if "write" in step:
                file = folder / step["write"]
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(step["content"], encoding="utf-8")
                continue
            reply = await client.call_tool(step["tool"], step["args"])
            text = ("ERR " if reply.is_error else "") + reply.content[0].text  # type: ignore[union-attr]
            done.append(Step(step["tool"], step["args"], step["out"], _normal(text, folder)))
            if "a score alone does not pass" in text:  # so that what comes behind the gate can be compared
                await client.call_tool(
                    step["tool"], {**step["args"], "answers": "Yes, in all of these cases."}
                )
    store.close()
    return done


def main() -> None:
    file = Path(sys.argv[1]) if sys.argv[1:] else RECORDED
    offered = frozenset(choose_tools(["hoofy"]).tools)
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
                lines = unified_diff(step.theirs.splitlines(), step.ours.splitlines(), n=0, lineterm="")
                print("\n".join(f"    {line[:160]}" for line in islice(lines, 2, 12)))
    print()
    for kind, count in total.most_common():
        print(f"{count:>5}  {kind}")


if __name__ == "__main__":
    main()
