"""modicum setup, hook and doctor as a person meets them."""

import io
import json
import re
import sys
from types import SimpleNamespace

import pytest

from modicum.app.agents import doctor
from modicum.app.agents.own_server import ServerAnswer, ask_server
from modicum.app.agents.setup import Launcher
from modicum.engine.tokens import count


def test_setup_needs_to_know_which_agent(world) -> None:
    world.write("~/.claude/x", "")
    heard = world.modicum("setup")

    assert heard.code == 2
    assert "found here: claude-code" in heard.err
    assert world.modicum("setup", "chatgpt").err.startswith("modicum: ChatGPT cannot be set up")
    assert 'did you mean "claude-code"' in world.modicum("setup", "claude-cod").err


def test_setup_tells_what_it_did_and_takes_it_back(world) -> None:
    before = world.files()

    first, again = (world.modicum("setup", "claude-code").out for _ in range(2))
    assert '+  "hooks"' not in first
    assert "Start it anew" in first
    assert "wired already" in again
    assert "Nothing has changed" in again
    assert world.modicum("setup", "--remove", "--dry-run").out.count("would be unwired") == 3
    assert world.modicum("setup", "--remove").out.count("unwired") == 3
    assert world.files() == before
    assert world.modicum("setup", "--remove").out == "Nothing is set up here.\n"


def test_a_setup_that_could_not_write_does_not_say_that_there_was_nothing_to_do(world) -> None:
    world.write("~/.claude", "a file where the folder should be")
    world.write("~/.claude.json", "{ broken")
    heard = world.modicum("setup", "claude-code")

    assert heard.code == 1
    assert heard.err
    assert "nothing to set up" not in heard.out


def test_setup_sets_up_what_is_found(world) -> None:
    world.write("~/.codex/config.toml", "model = 'x' # mine\n")
    told = world.modicum("setup", "--all", "--json").json

    assert told["agents"] == ["codex"]
    assert set(told) == {"agents", "warnings", "wired"}
    assert world.read("~/.codex/config.toml").startswith("model = 'x' # mine\n")


def test_a_dry_run_shows_the_difference(world) -> None:
    heard = world.modicum("setup", "cursor", "--here", "--dry-run")

    assert "+++ .cursor/mcp.json" in heard.out
    assert "would be wired" in heard.out
    assert not world.path(".cursor").exists()


def test_a_hook_is_answered_without_the_command_line_library(world) -> None:
    world.modicum("save", "Use SQLite", "It needs no server", "--type", "decision")
    told = json.dumps({"cwd": str(world.project)}).encode()
    world.patch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(told)))
    out = io.BytesIO()
    world.patch.setattr(sys, "stdout", SimpleNamespace(buffer=out))

    from modicum.hooks.run import main

    assert main(("session-start", "--harness", "kiro")) == 0
    assert re.search(r"- n-[0-9a-z]{6} \d{4}-\d\d-\d\d \[decision\] Use SQLite", out.getvalue().decode())


@pytest.fixture
def answering(world) -> None:
    tool = {"name": "mem_search", "description": "Find notes.", "inputSchema": {"type": "object"}}
    world.patch.setattr(doctor, "ask_server", lambda _: ServerAnswer((tool,), "Search first.", 0.5))


def test_doctor_tells_what_each_agent_loads(world, answering: None) -> None:
    world.write("CLAUDE.md", "# Mine\n")
    world.modicum("setup", "claude-code", "zed")
    heard = world.modicum("doctor")

    assert heard.code == 0, heard.out
    assert "MCP server: 1 tool," in heard.out
    assert "Claude Code reads CLAUDE.md" in heard.out
    assert heard.out.endswith("Nothing is wrong.\n")
    assert max(map(len, heard.out.splitlines()[2:])) <= 80


def test_doctor_as_json(world, answering: None) -> None:
    world.modicum("setup", "claude-code")
    told = world.modicum("doctor", "--json").json
    (agent,) = told["agents"]

    assert told["problems"] == []
    # Claude Code names tools and says the instructions; what it adds of its own is data of its adapter.
    named = count("mcp__modicum__mem_search") + count("Search first.") + 57
    assert (agent["id"], agent["tools"]) == ("claude-code", named)
    assert 0 < agent["hook_seconds"] < 10
    assert agent["total"] == agent["program"] + agent["hook"] + named
    assert (agent["own_files"], agent["our_files"], agent["other_servers"]) == ({}, {}, [])
    assert 0 < agent["hook"] < agent["hook_bytes"] <= 1200


def test_doctor_finds_what_is_wrong(world) -> None:
    world.patch.setattr(doctor, "ask_server", lambda _: ServerAnswer(trouble="it died"))
    world.modicum("setup", "claude-code")
    world.write("~/.claude.json", "{}")
    world.modicum("hook")  # without an event: a failure for the log

    heard = world.modicum("doctor")

    assert heard.code == 1
    assert "wrong  ~/.claude.json is not as it was set up: modicum setup claude-code" in heard.out
    assert "wrong  the MCP server does not answer: it died" in heard.out
    assert "wrong  failures of hooks within a day: 1" in heard.out


def test_doctor_says_which_hooks_codex_skips(world, answering: None) -> None:
    said = world.modicum("setup", "codex")
    heard = world.modicum("doctor")

    assert "Codex (AGENTS.md) skips our hooks until you trust them: start it, and type /hooks." in said.out

    assert heard.code == 1
    assert (
        "wrong  Codex (AGENTS.md) skips 5 of our hooks in ~/.codex/hooks.json until you trust them"
        in heard.out
    )

    world.write("~/.codex/config.toml", "this is = not [toml")
    assert "skips 5 of our hooks" in world.modicum("doctor").out


def test_doctor_says_what_a_project_needs_before_codex_reads_it(world, answering: None) -> None:
    world.modicum("setup", "--here", "codex")
    before = world.modicum("doctor")
    world.write("~/.codex/config.toml", f'[projects."{world.project}"]\ntrust_level = "trusted"\n')
    after = world.modicum("doctor")

    assert "reads nothing of this project's setup: start it here, and trust the folder" in before.out
    assert "skips 5 of our hooks in .codex/hooks.json" in after.out


def test_doctor_says_what_an_agent_does_not_allow(world, answering: None) -> None:
    world.modicum("setup", "cline")
    heard = world.modicum("doctor")

    assert "Cline: Cline CLI does not wait for the answer at the start and runs no hook" in heard.out
    assert heard.code == 0


def test_doctor_says_at_once_what_it_is_doing(world) -> None:
    """Before anything that takes time: each step is told when it begins."""
    told = []
    world.patch.setattr(
        doctor,
        "ask_server",
        lambda _: told.append(world.capsys.readouterr().err) or ServerAnswer(trouble="x"),
    )
    world.modicum("setup", "claude-code")
    world.modicum("doctor")

    assert told == ["Checking memory …\nChecking the MCP server …\n"]


SERVER = """
import sys
from mcp.server import MCPServer
server = MCPServer("bare")
@server.tool()
def ping(word: str) -> str:
    "Say it again."
    return word
server.run()
"""


def test_doctor_shakes_hands_with_a_real_server() -> None:
    found = ask_server(Launcher(sys.executable, ("-c", SERVER)))

    assert ([tool["name"] for tool in found.tools], found.trouble) == (["ping"], "")


def test_a_server_that_does_not_answer_is_told_of() -> None:
    assert ask_server(Launcher(sys.executable, ("-c", "import sys; sys.exit(3)"))).trouble
