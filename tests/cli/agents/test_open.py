"""modicum open: uses a server that shows this project, or starts one."""

import html
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from modicum.app.memory.notes import open_store
from modicum.base.config import load_config
from modicum.cli.commands import first_page
from modicum.http.server import HttpApp
from modicum.http.v1.routes import V1
from modicum.web.key_files import ServerRecord, read_record, write_record
from modicum.web.keys import KEYS
from modicum.web.routes import WEB

shared = sys.modules["serving"]


def started(folder: Path, home: Path, *words: str, **more: str) -> "subprocess.Popen[str]":
    """A process of ours without a terminal, which is a script."""
    environment = {"HOME": str(home), "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", **more}
    command = [str(Path(sys.executable).with_name("modicum")), *words]
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@contextmanager
def opened(
    folder: Path, home: Path, *arguments: str, **more: str
) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Runs the command as a script; the first line that it prints."""
    process = started(folder, home, "open", "--print", *arguments, **more)
    assert process.stdout is not None
    try:
        yield process.stdout.readline(), process
    finally:
        process.terminate()
        process.communicate(timeout=20)


@contextmanager
def at_terminal(folder: Path, home: Path, *words: str, **more: str) -> Iterator[Callable[[str], str]]:
    """Runs a command of ours at a terminal; a function that reads what it shows until there is a word."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        program = str(Path(sys.executable).with_name("modicum"))
        environment = {
            "HOME": str(home),
            "PATH": os.environ.get("PATH", ""),
            "TERM": "dumb",
            "COLUMNS": "300",
            **more,
        }
        os.execve(program, [program, *words], environment)
    shown = ""

    def read(word: str) -> str:
        nonlocal shown
        while word not in shown:
            if not select.select([terminal], [], [], 20)[0]:
                raise AssertionError(shown)
            try:
                shown += os.read(terminal, 65_536).decode()
            except OSError:  # it has ended
                break
        return shown

    try:
        yield read
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
        os.close(terminal)


def port_in(line: str) -> int:
    address = re.search(r"http://127\.0\.0\.1:(\d+)", line)
    assert address is not None, line
    return int(address[1])


def status_of(address: str, **headers: str) -> tuple[int, str, Mapping[str, str]]:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as reply:
            return reply.status, reply.read().decode(), reply.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), error.headers


def test_it_starts_a_server_that_shows_this_project(world) -> None:
    data = load_config().data
    with opened(world.project, world.home, "--port", "0") as (line, process):
        record = read_record(data, port_in(line))
        assert record is not None
        assert record.root == str(world.project)
        assert "Ctrl+C" in line
        assert "key=" not in line  # a script is no person
    assert process.returncode == 0
    assert read_record(data, port_in(line)) is None


def test_at_a_terminal_the_address_has_a_key_which_opens_the_page_once(world) -> None:
    with at_terminal(world.project, world.home, "open", "--print", "--port", "0") as read:
        found = re.search(r"http://\S+key=\S+", read("within a minute"))
        assert found is not None
        status, page, headers = status_of(found[0])
        again = status_of(found[0])[0]
        start = found[0].partition("/web")[0]
        shown = status_of(start, Cookie=headers["Set-Cookie"].partition(";")[0])[0]
        without = status_of(start)[0]

    assert (status, again, shown, without) == (200, 403, 200, 401)
    assert "modicum-word" in page


def test_an_agent_at_a_terminal_gets_no_key(world) -> None:
    with at_terminal(world.project, world.home, "open", "--print", "--port", "0", CLAUDECODE="1") as read:
        shown = read("run modicum open in one")

    assert "key=" not in shown


def test_a_browser_is_handed_the_key_in_a_file_that_only_its_owner_reads(world) -> None:
    """The program that starts the browser has only the path of that file among its arguments."""
    heard = world.home / "arguments"
    browser = world.write("~/bin/browser", f'#!/bin/sh\nprintf "%s\\n" "$@" >> "{heard}"\n')
    browser.chmod(0o755)
    with at_terminal(world.project, world.home, "open", "--port", "0", BROWSER=f"{browser} %s") as read:
        shown = read("Ctrl+C")
        for _ in range(200):
            if heard.exists() and heard.read_text():
                break
            time.sleep(0.05)
        arguments = heard.read_text()
        file = Path(arguments.strip().removeprefix("file://"))
        mode, above = file.stat().st_mode, file.parent.stat().st_mode
        address = html.unescape(re.findall(r'href="([^"]+)"', file.read_text())[0])
        status = status_of(address)[0]

    assert "key=" not in shown + arguments
    assert address.partition("key=")[2] not in arguments
    assert (mode & 0o777, above & 0o777) == (0o600, 0o700)
    assert status == 200


def test_a_server_at_a_terminal_prints_a_key_and_one_in_a_log_prints_none(world) -> None:
    with at_terminal(world.project, world.home, "serve", "--port", "0") as read:
        assert "key=" in read("key=")
    process = started(world.project, world.home, "serve", "--port", "0")
    assert process.stdout is not None
    first = process.stdout.readline()
    process.terminate()
    out, err = process.communicate(timeout=20)

    assert "Serving memory" in first
    assert "key=" not in first + out + err


def test_a_key_of_a_server_that_was_restarted_opens_nothing(world) -> None:
    with at_terminal(world.project, world.home, "open", "--print", "--port", "0") as read:
        found = re.search(r"http://\S+key=\S+", read("within a minute"))
    assert found is not None
    port = port_in(found[0])
    with at_terminal(world.project, world.home, "open", "--print", "--port", str(port)) as read:
        read("within a minute")
        assert status_of(found[0])[0] == 403


def ours(world, port: int, **changed: str) -> None:
    config = load_config()
    write_record(config.data, port, ServerRecord(str(config.root), KEYS.secret)._replace(**changed))


def test_a_server_that_shows_this_project_is_used(world) -> None:
    config = load_config()
    store = open_store(config)
    with shared.serving(HttpApp(store, tables=(V1, WEB), config=config)) as port:
        ours(world, port)
        said = world.modicum("open", "--print", "--port", str(port))
        address = said.out.partition(" is at ")[2].partition("\n")[0]
        status = status_of(address)[0]
    store.close()

    assert said.code == 0
    assert address.startswith(f"http://127.0.0.1:{port}/web/open?key=")
    assert status == 200


@pytest.mark.parametrize("changed", [{"root": "/elsewhere"}, {"secret": "of another server"}])
def test_a_program_that_only_seems_to_be_our_server_gets_no_key(world, changed) -> None:
    config = load_config()
    store = open_store(config)
    with shared.serving(HttpApp(store, tables=(V1, WEB), config=config)) as port:
        ours(world, port, **changed)
        said = world.modicum("open", "--print", "--port", str(port))
    store.close()

    assert (said.code, said.out) == (4, "")
    assert f"port {port} is taken" in said.err


def test_beside_a_server_of_another_project_it_listens_elsewhere(world) -> None:
    other = world.home / "other"
    (other / ".git").mkdir(parents=True)
    config = load_config()
    store = open_store(config)
    with (
        shared.serving(HttpApp(store, tables=(V1, WEB), config=config)) as port,
        opened(other, world.home, MODICUM_PORT=str(port)) as (line, _),
    ):
        record = read_record(config.data, port_in(line))
    store.close()

    assert record is not None
    assert record.root == str(other)
    assert str(port) not in line


def test_the_demo_touches_nothing_and_goes_away(world, tmp_path) -> None:
    before, place = world.files(state=True), tmp_path / "temporary"
    place.mkdir()
    with opened(world.project, world.home, "--demo", TMPDIR=str(place)) as (line, _):
        port_in(line)
        (file,) = place.rglob("server-*.json")
        root = Path(json.loads(file.read_text())["root"])
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
