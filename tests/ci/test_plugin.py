"""The folder plugin/, which is a plugin of Claude Code and of Codex and an extension of Gemini CLI at once, and server.json."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import modicum
from modicum.app.agents import setup

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "plugin"


def read(name: str) -> Any:
    return json.loads((ROOT / name).read_bytes())


def commands(file: str) -> dict[str, str]:
    hooks = read(f"plugin/hooks/{file}.json")["hooks"]
    return {event: groups[0]["hooks"][0]["command"] for event, groups in hooks.items()}


def test_the_files_are_those_that_the_script_writes() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "plugin", "--check"], capture_output=True, text=True
    )

    assert (done.returncode, done.stderr) == (0, "")


def versions() -> Iterator[str]:
    yield from (
        read(f"plugin/{name}")["version"]
        for name in (".claude-plugin/plugin.json", ".codex-plugin/plugin.json")
    )
    yield read("plugin/gemini-extension.json")["version"]
    server = read("server.json")
    yield from (server["version"], server["packages"][0]["version"])


def test_all_manifests_have_the_version_of_the_package() -> None:
    assert set(versions()) == {modicum.__version__}


@pytest.mark.parametrize(
    ("file", "agent"), [("claude-code", "claude-code"), ("codex", "codex"), ("hooks", "gemini-cli")]
)
def test_the_hooks_are_those_of_setup(file: str, agent: str) -> None:
    found = {command for event, command in commands(file).items() if event != "PreToolUse"}
    moments = [moment for moment in setup.MOMENTS if agent != "gemini-cli" or moment != "subagent-stop"]
    ending = {f"modicum hook {moment} --harness {agent} 2>/dev/null || true" for moment in moments}

    assert {command[command.index("modicum hook") :] for command in found} == ending


@pytest.mark.parametrize("file", ["claude-code", "codex", "hooks"])
def test_a_hook_succeeds_without_a_word_where_modicum_is_not_installed(file: str) -> None:
    for command in commands(file).values():
        for environment in ({}, {"GEMINI_SESSION_ID": "1"}):
            done = subprocess.run(
                ["/bin/sh", "-c", command], env={"PATH": "", **environment}, capture_output=True
            )

            assert (done.returncode, done.stderr) == (0, b""), command


def test_claude_code_runs_nothing_of_the_file_for_gemini(tmp_path: Path) -> None:
    # It reads hooks/hooks.json, too, and knows two of the events.
    (tmp_path / "modicum").write_text("#!/bin/sh\necho run\n")
    (tmp_path / "modicum").chmod(0o755)
    shared = {
        event: command for event, command in commands("hooks").items() if event in commands("claude-code")
    }

    for command in shared.values():
        for environment, said in (({}, b""), ({"GEMINI_SESSION_ID": "1"}, b"run\n")):
            done = subprocess.run(
                ["/bin/sh", "-c", command], env={"PATH": str(tmp_path), **environment}, capture_output=True
            )
            assert (done.returncode, done.stdout) == (0, said)
    assert sorted(shared) == ["SessionEnd", "SessionStart"]


def test_the_plugin_of_claude_code_allows_what_setup_allows_and_nothing_else() -> None:
    (grant,) = read("plugin/hooks/claude-code.json")["hooks"]["PreToolUse"]
    allowed = [f"mcp__plugin_modicum_modicum__{tool}" for tool in setup.TOOLS]
    others = [f"{allowed[0]}s", "mcp__plugin_modicum_modicum__mem_delete", "Bash", f"x{allowed[0]}"]

    said = json.loads(shlex.split(grant["hooks"][0]["command"])[1])

    assert [name for name in (*allowed, *others) if re.search(grant["matcher"], name)] == allowed
    assert said["hookSpecificOutput"]["permissionDecision"] == "allow"


def test_the_registry_can_check_that_the_package_is_that_of_the_server() -> None:
    server = read("server.json")

    assert f"<!-- mcp-name: {server['name']} -->" in (ROOT / "README.md").read_text()
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", server["name"])
    assert len(server["description"]) <= 100


def run(program: str, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not here")
    trusting = {"GEMINI_CLI_TRUST_WORKSPACE": "true"}  # else it asks
    environment = {"PATH": f"{Path(found).parent}:/usr/bin:/bin", "HOME": str(home), **trusting}
    return subprocess.run(
        [found, *words], cwd=home, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
    )  # fmt: skip


@pytest.mark.parametrize("folder", [".", "plugin"])
def test_claude_code_finds_it_valid(tmp_path: Path, folder: str) -> None:
    done = run("claude", tmp_path, "plugin", "validate", str(ROOT / folder))
    said = done.stdout + done.stderr
    if "Invalid key in record" in said:
        pytest.skip(
            "a Claude Code that takes events which it does not know for errors when it checks a plugin"
        )

    assert done.returncode == 0, said
    unknown = re.findall(r"hooks\.(\w+): unknown hook event; entry ignored", said)
    assert sorted(unknown) == ([] if folder == "." else ["BeforeAgent", "PreCompress"])


def test_claude_code_takes_it_with_hooks_skill_and_server(tmp_path: Path) -> None:
    added = run("claude", tmp_path, "plugin", "marketplace", "add", str(ROOT))
    taken = run("claude", tmp_path, "plugin", "install", "modicum@modicum")
    listed = run("claude", tmp_path, "plugin", "list")

    assert (added.returncode, taken.returncode) == (0, 0), added.stderr + taken.stderr
    assert "modicum@modicum" in listed.stdout
    (manifest,) = (tmp_path / ".claude").glob("plugins/cache/modicum/modicum/*/.claude-plugin/plugin.json")
    assert json.loads(manifest.read_bytes())["version"] == modicum.__version__


def test_gemini_cli_finds_it_valid_and_takes_it(tmp_path: Path) -> None:
    valid = run("gemini", tmp_path, "extensions", "validate", str(PLUGIN))
    taken = run("gemini", tmp_path, "extensions", "install", "--consent", str(PLUGIN))

    assert (valid.returncode, taken.returncode) == (0, 0), valid.stderr + taken.stderr
    assert "successfully validated" in valid.stdout + valid.stderr
    assert "modicum-memory" in "".join(map(str, (tmp_path / ".gemini").rglob("*")))


def test_codex_takes_it_with_the_server(tmp_path: Path) -> None:
    added = run("codex", tmp_path, "plugin", "marketplace", "add", str(ROOT))
    taken = run("codex", tmp_path, "plugin", "add", "modicum@modicum")
    servers = run("codex", tmp_path, "mcp", "list")

    assert (added.returncode, taken.returncode) == (0, 0), added.stderr + taken.stderr
    assert re.search(r"^modicum +modicum +mcp", servers.stdout, re.MULTILINE)
