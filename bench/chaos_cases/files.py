"""Imports, inject and setup that are killed, and regions with odd markers: nothing half, and the same bytes afterwards."""

import json
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from chaos_cases.runs import Forks, Outcome, Pace, forks, made_project, memory_of
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.exchange.transfer import BATCH
from modicum.memory.store import Store
from modicum.targets.change import Existing, TargetFile
from modicum.targets.plan import plan, unplan
from modicum.text.regions import put_region, region_of, take_region

NOTES, PROMPTS = 900, 300


def archive() -> dict[str, object]:
    notes = [
        {"id": n + 1, "sync_id": f"obs-{n}", "session_id": f"s{n % 7}", "type": "decision", "title": f"title {n}",
         "content": f"walrus of note {n} " * 5, "project": "shop"}
        for n in range(NOTES)
    ]  # fmt: skip
    prompts = [{"sync_id": f"prompt-{n}", "session_id": "s1", "content": f"why {n}", "project": "shop"} for n in range(PROMPTS)]  # fmt: skip
    relations = [{"from_id": n + 1, "to_id": n + 2, "type": "relates_to"} for n in range(0, NOTES - 1, 9)]
    sessions = [{"id": f"s{n}", "project": "shop"} for n in range(7)]
    return {"format": "modicum", "version": 1, "sessions": sessions, "notes": notes, "prompts": prompts, "relations": relations}  # fmt: skip


def state(home: Path) -> tuple[int, int, int, list[str]]:
    if not memory_of(home).exists():
        return 0, 0, 0, []
    store = Store(SqliteDatabase(memory_of(home)))
    found = store.export()
    problems = [*map(str, store.problems())]
    store.close()
    return len(found.notes), len(found.prompts), len(found.relations), problems


def imports(pace: Pace) -> Outcome:
    """`modicum import`, killed at any moment: whole batches or none of one, and a second run completes it."""
    outcome = Outcome("imports, killed")
    with TemporaryDirectory() as outer:
        source = Path(outer) / "export.json"
        source.write_text(json.dumps(archive()))
        whole = _import_whole(Path(outer) / "whole", source)
        for number in pace.rounds():
            home = Path(outer) / str(number)
            project = made_project(home)
            with forks(1, home, project) as (fork,):
                was, _ = fork.killed(pace.chance.uniform(0.0, whole), "command", "import", str(source))
                outcome.kills += was
                notes, prompts, _, problems = state(home)
                if notes not in {*range(0, NOTES, BATCH), NOTES} or prompts not in {
                    *range(0, PROMPTS, BATCH),
                    PROMPTS,
                }:
                    outcome.wrong.append(f"after a kill {notes} notes and {prompts} prompts")
                status, lines = fork.run("command", "import", str(source))
                ended = state(home)
                if status or ended != (NOTES, PROMPTS, len(range(0, NOTES - 1, 9)), []):
                    outcome.wrong.append(f"after the second run {ended} {lines[-1:]}")
                outcome.wrong += problems
            outcome.cases += 1
    return outcome


def _import_whole(home: Path, source: Path) -> float:
    with forks(1, home, made_project(home)) as (fork,):
        started = time.monotonic()
        status, lines = fork.run("command", "import", str(source))
        assert status == 0, lines
        return time.monotonic() - started


AGENTS = ("claude-code", "codex", "cursor", "gemini-cli", "qwen", "copilot", "opencode")
MINE = {
    "AGENTS.md": "# Mine\r\n\r\n```\r\n<!-- modicum:start:modicum -->\r\n```\r\n",
    "CLAUDE.md": "no line end",
    ".github/copilot-instructions.md": "\ufeffa\n<!-- open\n",
    ".cursor/mcp.json": '{\r\n\t// mine\r\n\t"mcpServers": {"x": {"command": "y"}},\r\n}\r\n',
    "../.claude/settings.json": '{"hooks": {"Stop": []}, "permissions": {"allow": ["Bash(ls)"]}}',
    "../.codex/config.toml": "model = 'x' # mine\r\n[mcp_servers.x]\r\ncommand = 'y'",
    "../.gemini/settings.json": "",
    "../.config/opencode/opencode.json": '{"plugin": ["a"] /* mine */}\n',
}


def everything(home: Path) -> dict[str, bytes]:
    """Every file by its path, without what modicum keeps for itself and what the processes wrote."""
    paths = (path for path in home.rglob("*") if path.is_file() or path.is_symlink())
    named = {path.relative_to(home).as_posix(): path for path in paths}
    return {
        name: path.read_bytes() for name, path in named.items() if not name.startswith((".local/", "out-"))
    }


def injects(pace: Pace) -> Outcome:
    """`modicum inject` and `modicum setup`, killed at any moment, then both taken out: every file as it was."""
    outcome = Outcome("inject and setup, killed")
    with TemporaryDirectory() as folder:
        home = Path(folder)
        project = made_project(home)
        for name, text in MINE.items():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_bytes(text.encode())
        (project / ".modicum/packs/a").mkdir(parents=True)
        (project / ".modicum/packs/a/pack.yaml").write_text("id: a\n")
        (project / ".modicum/packs/a/context.md").write_text("# A\n\nWords of the pack.\n")
        first = everything(home)
        with forks(1, home, project) as (fork,):
            for number in pace.rounds():
                _kill_and_undo(fork, pace.chance, outcome)
                now = everything(home)
                differs = sorted(name for name in {*now, *first} if now.get(name) != first.get(name))
                if differs:
                    outcome.wrong.append(f"round {number}: {', '.join(differs)} not as before")
                    for name in differs:  # go on from the same place
                        (home / name).write_bytes(first[name]) if name in first else (home / name).unlink()
                outcome.cases += 1
    return outcome


def _kill_and_undo(fork: Forks, chance: Random, outcome: Outcome) -> None:
    jobs = [["inject", "--all-tools"], ["inject", "--all-tools", "--detail", "summary"], ["setup", *AGENTS], ["uninstall", "--all-tools"], ["setup", *AGENTS, "--remove"]]  # fmt: skip
    chosen = [chance.choice(jobs) for _ in range(chance.randint(1, 3))]
    was, _ = fork.killed(chance.choice((0.05, 0.3, 1.0)) * chance.random(), "commands_of", chosen)
    outcome.kills += was
    for words in (["uninstall", "--all-tools"], ["setup", *AGENTS, "--remove"]):
        status, lines = fork.run("command", *words)
        if status:
            outcome.wrong.append(f"{words[0]} ended with {status}: {lines[-3:]}")


START, END = "<!-- modicum:start:cap -->", "<!-- modicum:end:cap -->"
PIECES = (
    *("\n", "\r\n", "\r", "\n\n", "a", "- a", "  ", "\t", "```", "````", "~~~", "---", "<!--", "-->", "\ufeff", "\0", "\u2028"),
    *("> ", "中文", "👍🏽", START, END, START[:-4], END[5:], f"    {START}", f"> {START}", f"```\n{START}\n{END}\n```\n"),
    *("<!-- modicum:start:btp -->", "<!-- modicum:end:btp -->", "<!-- modicum:start:btp -->\nb\n<!-- modicum:end:btp -->\n"),
    *("<details>\n", "</details>\n", "<pre>\n", "`", "*" * 40, "x" * 300),
)  # fmt: skip
MODES = ("replace-section", "append")


def markers(pace: Pace) -> Outcome:
    """Regions in hosts of odd pieces: what is put in comes out again, and other regions stay as they are."""
    outcome, chance = Outcome("markers of regions"), pace.chance
    for _ in pace.rounds(1_000):
        for _ in range(200):
            host, body, other = (
                "".join(chance.choices(PIECES, k=chance.randint(0, most))) for most in (12, 6, 6)
            )
            outcome.cases += 1
            if trouble := _trouble(host, body, other, chance.choice(MODES)):
                outcome.wrong.append(f"{trouble}: {host!r} {body!r} {other!r}")
    return outcome


def _trouble(host: str, body: str, other: str, mode: str) -> str:
    if region_of(host, "cap") is None:
        put = put_region(host, "cap", body)
        if take_region(put, "cap") != host:
            return "put and taken out is not the same"
        if region_of(host, "btp") is None:
            both = put_region(put, "btp", other)
            if take_region(take_region(both, "btp"), "cap") != host:
                return "two put and taken out are not the same"
    place = TargetFile("/p/AGENTS.md", mode, root="/p")
    done = plan(place, body or "page", Existing(host), None)
    if not done.changed or not done.record:
        return ""
    back = unplan(place, Existing(done.after), done.record)
    return "" if back.after == host else f"{mode} planned and taken back is not the same"
