"""modicum open: uses a server that shows this project, or starts one."""

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from modicum.app.memory.notes import open_store
from modicum.base.config import load_config
from modicum.cli.commands import first_page
from modicum.http.server import HttpApp
from modicum.http.v1.routes import V1
from modicum.web.routes import WEB

shared = sys.modules["serving"]


@contextmanager
def opened(
    folder: Path, home: Path, *arguments: str, **more: str
) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Runs the command as a process; the address that it prints."""
    environment = {"HOME": str(home), "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", **more}
    words = [str(Path(sys.executable).with_name("modicum")), "open", "--print", *arguments]
    process = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline(), process
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


def about(line: str) -> dict[str, str]:
    address = re.search(r"http://127\.0\.0\.1:\d+", line)
    assert address is not None, line
    with urllib.request.urlopen(f"{address[0]}/web/about") as reply:
        found: dict[str, str] = json.load(reply)
    return found


def test_it_starts_a_server_that_shows_this_project(world) -> None:
    with opened(world.project, world.home, "--port", "0") as (line, process):
        assert about(line)["root"] == str(world.project)
        assert "Ctrl+C" in line
    assert process.returncode == 0


def test_a_server_that_shows_this_project_is_used(world) -> None:
    config = load_config()
    store = open_store(config)
    with shared.serving(HttpApp(store, tables=(V1, WEB), config=config)) as port:
        said = world.modicum("open", "--print", "--port", str(port))
    store.close()

    assert (said.code, said.out) == (0, f"The workbench is at http://127.0.0.1:{port}\n")


def test_beside_a_server_of_another_project_it_listens_elsewhere(world) -> None:
    other = world.home / "other"
    (other / ".git").mkdir(parents=True)
    config = load_config()
    store = open_store(config)
    with (
        shared.serving(HttpApp(store, tables=(V1, WEB), config=config)) as port,
        opened(other, world.home, MODICUM_PORT=str(port)) as (line, _),
    ):
        assert about(line)["root"] == str(other)
    store.close()

    assert str(port) not in line


def test_the_demo_touches_nothing_and_goes_away(world) -> None:
    before = world.files(state=True)
    with opened(world.project, world.home, "--demo") as (line, _):
        root = Path(about(line)["root"])
        assert (root / "AGENTS.md").stat().st_size > 32_768
        assert not root.is_relative_to(world.home)

    assert not root.exists()
    assert world.files(state=True) == before


def test_a_taken_port_that_was_asked_for_is_an_error(world) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = world.modicum("open", "--print", "--port", str(port))

    assert said.code == 4
    assert f"port {port} is taken" in said.err


def test_it_is_among_the_commands_to_begin_with() -> None:
    assert "open " in first_page()


@pytest.mark.parametrize("name", ["layout.html", "style.css", "page.js", "mark.svg"])
def test_what_the_page_consists_of_is_in_the_package(name: str) -> None:
    import modicum.web

    folder = Path(modicum.web.__file__).parent

    assert [*folder.rglob(name)]
