"""What `modicum inject` costs as a whole process, beside the bare interpreter and beside peers.

python bench/inject.py                    CPU of inject into 12 tools; 1,000 packs into 25 tools
python bench/inject.py --peers FOLDER     also rulesync and ruler, from FOLDER/node_modules (npm install rulesync@16.34.2
                                          @intellectronica/ruler; rulesync 17 needs Node 22, 16.34.2 runs on Node 20)
"""

import argparse
import compileall
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import modicum

TOOLS = (
    *(
        "claude-code",
        "codex",
        "cursor",
        "windsurf",
        "gemini-cli",
        "cline",
        "kiro",
        "jetbrains-ai",
        "continue",
    ),
    *("augment", "qwen", "antigravity"),
)
RUNS = 9
PARAGRAPH = "Keep amounts in cents, as integers, and round once, when the invoice is closed. "


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--peers", type=Path)
    asked = options.parse_args()
    compileall.compile_dir(Path(modicum.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory() as room:
        starting(Path(room))
        many_packs(Path(room))
        if asked.peers:
            peers(Path(room), asked.peers)


def starting(room: Path) -> None:
    """Four packs into twelve tools, when all is current and from scratch."""
    bare = statistics.median(cpu(["-c", "pass"], room) for _ in range(RUNS))
    print(f"{'bare interpreter':<44} {bare * 1000:7.1f} ms CPU")
    for label, limit in (("no tool counts tokens", ""), ("every tool counts tokens", "max_tokens: 8000\n")):
        project = new_project(room / label.replace(" ", "-"), limit)
        arguments = [
            "-m",
            "modicum.cli.main",
            "inject",
            *(word for tool in TOOLS for word in ("--tool", tool)),
        ]
        first = cpu(arguments, project)
        again = statistics.median(cpu(arguments, project) for _ in range(RUNS))
        print(f"{'inject into 12 tools, ' + label:<44} {again * 1000:7.1f} ms CPU  {again / bare:5.1f} x")
        print(f"{'  the first time':<44} {first * 1000:7.1f} ms CPU  {first / bare:5.1f} x")
        see = statistics.median(cpu(["-m", "modicum.cli.main", "see"], project) for _ in range(RUNS))
        print(f"{'see, the table of these tools':<44} {see * 1000:7.1f} ms CPU  {see / bare:5.1f} x")


def new_project(project: Path, limit: str) -> Path:
    folder = project / ".modicum" / "adapters"
    folder.mkdir(parents=True)
    for tool in TOOLS:
        (folder / f"{tool}.yaml").write_text(f"id: {tool}\n{limit}")
    (project / ".modicum" / "config.yaml").write_text("use: [git, modicum, reviews, testing]\n")
    return project


def many_packs(room: Path) -> None:
    """A thousand packs into twenty-five tools."""
    project = room / "many"
    for number in range(1000):
        folder = project / ".modicum" / "packs" / f"pack-{number}"
        folder.mkdir(parents=True)
        (folder / "pack.yaml").write_text(f"id: pack-{number}\nname: Pack {number}\nweight: {number % 100}\n")
        (folder / "context.md").write_text(
            f"## Pack {number}\n\n### Overview\n\n{PARAGRAPH * 3}\n\n<!-- verbosity:detail -->\n### More\n\n{PARAGRAPH * 4}\n"
        )
        (folder / "constraints.md").write_text(f"1. Never do {number}.\n")
    every = subprocess.run(
        [sys.executable, "-m", "modicum.cli.main", "tool", "list", "--json"],
        cwd=project,
        env=environment(project),
        capture_output=True,
        text=True,
        check=True,
    )
    import json

    tools = [tool["id"] for tool in json.loads(every.stdout)["tools"] if tool["type"] == "file-inject"][:25]
    started = time.perf_counter()
    cpu(["-m", "modicum.cli.main", "inject", *(word for tool in tools for word in ("--tool", tool))], project)
    print(f"{f'1,000 packs into {len(tools)} tools':<44} {time.perf_counter() - started:7.2f} s wall")


def peers(room: Path, folder: Path) -> None:
    """41 kB of rules into ten tools."""
    rules = "# Rules\n\n" + "\n\n".join(f"## Rule {number}\n\n{PARAGRAPH * 5}" for number in range(100))
    project = room / "peers"
    pack = project / ".modicum" / "packs" / "rules"
    pack.mkdir(parents=True)
    (pack / "pack.yaml").write_text("id: rules\nname: Rules\n")
    (pack / "context.md").write_text(rules)
    (project / ".rulesync" / "rules").mkdir(parents=True)
    (project / ".rulesync" / "rules" / "overview.md").write_text(
        f'---\nroot: true\ntargets: ["*"]\nglobs: ["**/*"]\n---\n{rules}'
    )
    (project / ".ruler").mkdir()
    (project / ".ruler" / "AGENTS.md").write_text(rules)
    print(
        f"\n{len(rules) / 1000:.0f} kB of rules into ten tools, wall time of the whole process, median of {RUNS}"
    )
    commands = {
        "modicum": [
            sys.executable,
            "-m",
            "modicum.cli.main",
            "inject",
            *(word for tool in TOOLS[:10] for word in ("--tool", tool)),
        ],
        "rulesync": [
            "node",
            str(folder / "node_modules/.bin/rulesync"),
            "generate",
            "--targets",
            "claudecode,codexcli,cursor,copilot,cline,kiro,junie,opencode,qwencode,augmentcode",
            "--features",
            "rules",
        ],
        "ruler": [
            "node",
            str(folder / "node_modules/.bin/ruler"),
            "apply",
            "--agents",
            "claude,codex,cursor,windsurf,gemini-cli,cline,kiro,augmentcode,qwen,copilot",
            "--local-only",
        ],
    }
    for name, command in commands.items():
        try:
            print(
                f"  {name:<10} {statistics.median(wall(command, project) for _ in range(RUNS)) * 1000:8.0f} ms"
            )
        except subprocess.CalledProcessError as error:
            print(f"  {name:<10} does not run here: {error.stderr.decode().strip().splitlines()[-1]}")


def wall(command: list[str], project: Path) -> float:
    started = time.perf_counter()
    subprocess.run(command, cwd=project, env=environment(project), capture_output=True, check=True)
    return time.perf_counter() - started


def cpu(arguments: list[str], project: Path) -> float:
    """CPU seconds of one process, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *arguments], cwd=project, env=environment(project), capture_output=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def environment(project: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "HOME": str(project / "home"), "MODICUM_HOME": str(project / "data")}


if __name__ == "__main__":
    main()
