"""Where only the core is installed, without the extra `mcp`: everything else works, and one sentence says what to install."""

import json

import anyio
import pytest

from modicum.app.agents.own_server import ask_server
from modicum.app.agents.setup import find_launcher
from modicum.base import extras
from modicum.cli.agents import serve

NEEDS = "MCP needs a library that is not installed (pip install 'modicum[mcp]')"


@pytest.fixture
def bare(world):
    """A world in which the libraries of extras are not installed."""
    world.patch.setattr(extras, "is_installed", lambda *modules: False)
    world.patch.setattr(extras, "install_command", lambda extra: f"pip install 'modicum[{extra}]'")
    return world


def test_the_server_says_what_to_install_before_it_answers_anything(bare) -> None:
    for words in (("mcp",), ("mcp", "--tools=core")):  # parsed by us, and by the library
        heard = bare.modicum(*words)

        assert heard.code != 0
        assert (heard.out, heard.err) == ("", f"modicum: {NEEDS}\n")


def test_tools_can_be_listed(bare) -> None:
    assert "mem_save" in bare.modicum("mcp", "--list").out


def test_setup_writes_the_server_and_says_what_it_needs(bare) -> None:
    heard = bare.modicum("setup", "claude-code")

    assert heard.code == 0
    assert "mcpServers" in bare.read("~/.claude.json")
    assert f"the server is set up, but does not start yet: {NEEDS}" in heard.err
    assert bare.modicum("setup", "claude-code", "--remove").err == ""


def test_doctor_is_told_what_to_install(bare) -> None:
    assert ask_server(find_launcher()).trouble == NEEDS


def test_the_http_server_refuses_mcp_with_the_remedy(bare) -> None:
    sent: list[dict[str, object]] = []

    async def ask() -> None:
        async def send(message) -> None:
            sent.append(message)

        app = serve._mcp_app(None, None, ())  # type: ignore[arg-type]
        await app({"type": "http", "method": "POST", "path": "/mcp", "headers": []}, None, send)

    anyio.run(ask)

    assert sent[0]["status"] == 501
    assert json.loads(sent[1]["body"])["remedy"] == "pip install 'modicum[mcp]'"
