"""Real agent programs from npm in a cache folder, pinned, for bench/reach.py.

The cache is $MODICUM_BENCH_CACHE, else ~/.cache/modicum-bench. What is missing is installed; nothing is installed globally.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

NODE = "24.21.0"  # for programs that do not run on an older one
CACHE = Path(os.environ.get("MODICUM_BENCH_CACHE") or Path.home() / ".cache" / "modicum-bench")


class Pinned(NamedTuple):
    """A program of one version: the tool's id, the package, the version, and the command."""

    tool: str
    package: str
    version: str
    command: str
    name: str

    @property
    def label(self) -> str:
        return f"{self.name} {self.version}"


PROGRAMS = (
    Pinned("claude-code", "@anthropic-ai/claude-code", "2.1.325", "claude", "Claude Code"),
    Pinned("claude-code", "@anthropic-ai/claude-code", "2.1.197", "claude", "Claude Code"),
    Pinned("codex", "@openai/codex", "0.166.0", "codex", "Codex"),
    Pinned("copilot", "@github/copilot", "1.0.102", "copilot", "Copilot CLI"),
    Pinned("gemini-cli", "@google/gemini-cli", "0.61.0", "gemini", "Gemini CLI"),
    Pinned("opencode", "opencode-ai", "1.18.33", "opencode", "OpenCode"),
    Pinned("qwen", "@qwen-code/qwen-code", "0.24.4", "qwen", "Qwen Code"),
    Pinned("qwen", "@qwen-code/qwen-code", "0.15.10", "qwen", "Qwen Code"),
)
# Those that `modicum see --live` does not run (see reach_more.py).
MORE_PROGRAMS = (
    Pinned("cline", "cline", "3.0.65", "cline", "Cline CLI"),
    Pinned("factory", "droid", "0.215.0", "droid", "Droid"),
    Pinned("kilo", "@kilocode/cli", "7.7.7", "kilo", "Kilo Code"),
    Pinned("continue", "@continuedev/cli", "1.5.47", "cn", "Continue CLI"),
    Pinned("pi", "@mariozechner/pi-coding-agent", "0.73.1", "pi", "Pi"),
    Pinned("grok", "@xai-official/grok", "1.0.41", "grok", "Grok Build"),
    Pinned("kimi", "@moonshot-ai/kimi-code", "2.1.0", "kimi", "Kimi Code"),
    Pinned("aider", "aider-chat", "0.86.2", "aider", "Aider"),
)


def installed(program: Pinned) -> str:
    """Returns the path of a program, after installing it if it is missing."""
    if program.tool == "aider":
        return str(pypi(program.package, program.version, program.command))
    return str(npm(program.package, program.version) / program.command)


def npm(package: str, version: str) -> Path:
    """Returns the folder of the commands of an npm package in the cache, after installing it if it is missing."""
    folder = CACHE / f"{package.strip('@').replace('/', '-')}-{version}"
    commands = folder / "node_modules" / ".bin"
    if not commands.is_dir():
        print(f"installing {package} {version}", file=sys.stderr)
        folder.mkdir(parents=True, exist_ok=True)
        # Newer programs say that they need a newer Node than npm runs on; they are started with one.
        command = [
            "npm",
            "install",
            "--no-audit",
            "--no-fund",
            "--prefix",
            str(folder),
            f"{package}@{version}",
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment(with_node=False))
    return commands


def pypi(package: str, version: str, command: str) -> Path:
    """Returns the path of a command of a PyPI package in the cache, after installing it if it is missing."""
    folder = CACHE / f"{package}-{version}"
    path = folder / "bin" / command
    if not path.is_file():
        print(f"installing {package} {version}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "-q", f"{package}=={version}"]
        subprocess.run(pip, check=True)
    return path


def environment(*, with_node: bool = True, first: Sequence[Path] = ()) -> dict[str, str]:
    """Returns the environment for programs: the PATH with the pinned Node first."""
    folders = [*first, *((npm("node", NODE),) if with_node else ())]
    return {**os.environ, "PATH": os.pathsep.join((*map(str, folders), os.environ["PATH"]))}
