"""What real agent programs make of plugin/: python bench/plugin.py claude=PATH codex=PATH gemini=PATH

Each program checks and installs a copy of the plugin by its own commands, in a home of its own, and runs one prompt against a model on
loopback: with modicum on the PATH, and without. Nothing leaves the machine. Printed are whether the program finds the plugin valid, how many of
our tools it offers the model, whether the model is told of the skill, and how often the first request holds our session start.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

from agents import tool_names
from hooks_live import AGENTS, MARKS, MODICUM, RecordingModel, Request

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 180
PROMPT = "why does the walrus login fail behind the proxy?"  # a request without these words is no turn of the session

# Else Claude Code does not wait for servers, and keeps tools behind a search.
EAGER = {"MCP_CONNECTION_NONBLOCKING": "false", "ENABLE_TOOL_SEARCH": "false"}

# For each program: how it checks the plugin, how it takes it, and the words before a prompt.
COMMANDS: dict[str, tuple[list[str], list[list[str]], list[str]]] = {
    "claude": (
        ["plugin", "validate", "{root}/plugin"],
        [["plugin", "marketplace", "add", "{root}"], ["plugin", "install", "modicum@modicum"]],
        [],
    ),
    "codex": (
        ["plugin", "marketplace", "add", "{root}"],
        [["plugin", "add", "modicum@modicum"]],
        [],
    ),
    "gemini": (
        ["extensions", "validate", "{root}/plugin"],
        [["extensions", "install", "--consent", "{root}/plugin"]],
        ["--yolo"],  # without a terminal it offers no tool that somebody would be asked for
    ),
}


class Trial:
    """A program with a home of its own, a copy of the plugin, and a model that listens."""

    def __init__(self, name: str, program: str, home: Path) -> None:
        self.name, self.program, self.home = name, program, home
        self.agent = AGENTS[name]
        self.project = home / "shop"
        (self.project / ".git").mkdir(parents=True)
        (home / "bin").mkdir()
        for part in ("plugin", ".claude-plugin"):
            shutil.copytree(ROOT / part, home / "copy" / part)
        self.heard: list[Request] = []
        usage = {"input": 1, "once": 0}
        handler = type("Handler", (RecordingModel,), {"heard": self.heard, "usage": usage})
        self.listening = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.listening.serve_forever, daemon=True).start()
        self.settings = self.agent.prepare(home, f"http://127.0.0.1:{self.listening.server_port}")

    def run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        """Runs the program; modicum is only where this trial has put it."""
        places = [
            str(self.home / "bin"),
            *(each for each in os.get_exec_path() if not Path(each, "modicum").exists()),
        ]
        return subprocess.run(
            [self.program, *(word.replace("{root}", str(self.home / "copy")) for word in words)],
            cwd=self.project, timeout=SECONDS, capture_output=True, stdin=subprocess.DEVNULL, text=True,
            env={"PATH": os.pathsep.join(places), "HOME": str(self.home), **self.settings, **EAGER},
        )  # fmt: skip

    def ask(self) -> tuple[int, int, bool, int]:
        """Asks once; returns the exit code, the tools of ours, whether the skill is told of, and session starts."""
        self.heard.clear()
        first = [word.replace("{}", PROMPT) for word in self.agent.first]
        done = self.run([*COMMANDS[self.name][2], *first])
        turns = [request for request in self.heard if not request.is_side]
        if not turns:
            return done.returncode, 0, False, 0
        tools = [
            name
            for _, name in tool_names(turns[0].body)
            if "mem_" in name or "pack_" in name or "sdd_" in name
        ]
        text = turns[0].text
        return (
            done.returncode,
            len(tools),
            "modicum-memory" in str(turns[0].body),
            text.count(MARKS["start"]),
        )


def trial(name: str, program: str) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        made = Trial(name, program, Path(folder))
        check, install, _ = COMMANDS[name]
        valid = made.run(check)
        taken = [made.run(words).returncode for words in install]
        for has in (True, False):
            (made.home / "bin" / "modicum").unlink(missing_ok=True)
            if has:
                (made.home / "bin" / "modicum").symlink_to(MODICUM)
            code, tools, skill, start = made.ask()
            state = "there" if has else "gone"
            print(
                f"{name:8} {'valid' if valid.returncode == 0 else 'NOT VALID':10} {'installed' if not any(taken) else 'NOT INSTALLED':14}"
                f"{state:8} {code:>4} {tools:>6} {'yes' if skill else 'no':>6} {start:>8}"
            )
        made.listening.shutdown()


def main() -> None:
    print(
        f"{'program':8} {'manifest':10} {'plugin':14}{'modicum':8} {'exit':>4} {'tools':>6} {'skill':>6} {'start':>8}"
    )
    for argument in sys.argv[1:]:
        trial(*argument.split("=", 1))


if __name__ == "__main__":
    main()
