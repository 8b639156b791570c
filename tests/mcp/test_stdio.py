"""The process that an agent starts: answers early, loses nothing when the SDK takes over, and ends with its client."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from modicum.cli.agents.mcp import command
from modicum.cli.agents.run_mcp import plain_options
from modicum.mcp.stdio import CHUNK, split_lines

COMMAND = [sys.executable, "-m", "modicum.cli.main", "mcp"]
CLAUDE = {"name": "claude-code", "version": "0"}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLAUDE}
KEY = "io.modelcontextprotocol/"
ENVELOPE = {
    f"{KEY}protocolVersion": "2026-07-28",
    f"{KEY}clientCapabilities": {},
    f"{KEY}clientInfo": CLAUDE,
}
INITIALIZED = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})


def request(number: Any, method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def call(number: Any, name: str, **arguments: Any) -> str:
    return request(number, "tools/call", name=name, arguments=arguments)


@contextmanager
def server(home: Path, *options: str, **how: Any) -> Iterator[subprocess.Popen[bytes]]:
    how = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    running = subprocess.Popen(
        [*COMMAND, *options], env={**os.environ, "MODICUM_HOME": str(home)}, cwd=home, **how
    )
    try:
        yield running
    finally:
        running.kill()
        running.wait()
        for pipe in (running.stdin, running.stdout, running.stderr):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]


def say(running: subprocess.Popen[bytes], *lines: str) -> None:
    assert running.stdin is not None
    running.stdin.write("".join(f"{line}\n" for line in lines).encode())
    running.stdin.flush()


def hear(running: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert running.stdout is not None
    heard: dict[str, Any] = json.loads(running.stdout.readline())
    return heard


def test_the_tools_are_listed_before_the_sdk_is_there(tmp_path: Path) -> None:
    """With an SDK that cannot be imported, the list still comes; so it does not wait for the SDK."""
    (tmp_path / "mcp_types.py").write_text("import time; time.sleep(60)")
    how = {"env": {**os.environ, "MODICUM_HOME": str(tmp_path), "PYTHONPATH": str(tmp_path)}}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(COMMAND, **pipes, **how) as running:  # type: ignore[call-overload]
        try:
            say(running, request(0, "initialize", **HELLO), INITIALIZED, request(1, "tools/list"))

            assert hear(running)["result"]["serverInfo"]["name"] == "modicum"
            assert "mem_get" in [tool["name"] for tool in hear(running)["result"]["tools"]]
        finally:
            running.kill()


@pytest.mark.parametrize(
    "module", ["mcp", "mcp_types", "pydantic", "anyio", "asyncio", "apsw", "click", "msgspec", "yaml"]
)
def test_what_is_answered_early_imports_almost_nothing(module: str) -> None:
    code = (
        "import sys; from modicum.cli import main; from modicum.cli.agents.run_mcp import plain_options;"
        "from modicum.mcp.early import EarlyAnswers; from modicum.mcp.sets import choose_tools;"
        "from modicum.mcp.stdio import StdioStreams; from modicum.base.config import load_config;"
        f"load_config(); choose_tools(sys.argv[1:]); sys.exit('{module}' in sys.modules)"
    )
    for words in ([], ["all"], ["engram"]):
        assert subprocess.run([sys.executable, "-c", code, *words]).returncode == 0


@pytest.mark.parametrize("wait", [0, 2])
def test_all_that_is_said_at_once_is_answered_once(tmp_path: Path, wait: float) -> None:
    with server(tmp_path) as running:
        time.sleep(wait)
        say(
            running,
            request(0, "initialize", **HELLO),
            call("early", "mem_save", title="a", content="b"),
            INITIALIZED,
            request(1, "tools/list"),
            request(2, "prompts/list"),
            "not JSON",
            request(3, "ping"),
            request(4, "nothing/there"),
            request(5, "tools/list"),
        )
        heard = [hear(running) for _ in range(7)]
        say(running, call(6, "mem_get", id="1"))
        last = hear(running)
        rest, _ = running.communicate(timeout=60)

    by_number = {reply["id"]: reply for reply in heard}
    assert heard[0]["id"] == 0
    assert by_number.keys() == {0, 1, 2, 3, 4, 5, "early"}
    assert by_number[4]["error"]["code"] == -32601
    assert by_number[1]["result"] == by_number[5]["result"]
    assert last["result"]["structuredContent"]["content"] == "b"
    assert (rest, running.returncode) == (b"", 0)


def test_a_client_without_a_handshake_is_answered_once_too(tmp_path: Path) -> None:
    with server(tmp_path) as running:
        say(
            running,
            request("probe", "server/discover", _meta=ENVELOPE),
            request(0, "prompts/list", _meta=ENVELOPE),
            request(1, "tools/list", _meta=ENVELOPE),
            request(2, "initialize", **HELLO),
        )
        heard = {reply["id"]: reply for reply in [hear(running) for _ in range(4)]}
        say(running, request(3, "tools/list", _meta=ENVELOPE))
        later = hear(running)
        rest, _ = running.communicate(timeout=60)

    assert heard.keys() == {"probe", 0, 1, 2}
    assert heard[2]["error"]["code"] == -32022  # the way of talking was settled by the first request
    assert later["result"] == heard[1]["result"]
    assert (rest, running.returncode) == (b"", 0)


def test_a_second_greeting_is_answered_too(tmp_path: Path) -> None:
    with server(tmp_path) as running:
        say(
            running,
            request(0, "initialize", **HELLO),
            request(1, "initialize", **HELLO),
            request(2, "tools/list"),
        )
        heard = {reply["id"]: reply for reply in [hear(running) for _ in range(3)]}

    assert heard.keys() == {0, 1, 2}
    assert heard[0]["result"]["instructions"] == heard[1]["result"]["instructions"]


def test_a_request_before_the_greeting_is_refused_as_the_sdk_refuses_it(tmp_path: Path) -> None:
    with server(tmp_path) as running:
        say(running, request(0, "tools/list"), request(1, "initialize", **HELLO), request(2, "tools/list"))
        heard = {reply["id"]: reply for reply in [hear(running) for _ in range(3)]}

    assert heard[0]["error"]["code"] == -32602
    assert "mem_get" in str(heard[2]["result"])


def test_a_line_may_come_in_parts_and_be_huge(tmp_path: Path) -> None:
    huge = "lorem ipsum " * 400_000
    with server(tmp_path) as running:
        assert running.stdin is not None
        for part in request(0, "initialize", **HELLO):
            running.stdin.write(part.encode())
            running.stdin.flush()
        say(running, "")
        assert hear(running)["id"] == 0
        say(running, INITIALIZED, call(1, "mem_save", title="huge", content=huge))
        assert hear(running)["result"]["structuredContent"]["number"] == 1
        say(running, call(2, "mem_get", id="1"))
        assert hear(running)["result"]["structuredContent"]["total"] == len(huge.strip())


@pytest.mark.parametrize(
    "said", [b"", b"\n", b"{", b'{"jsonrpc": "2.0", "id": 1', b"\xff\xfe\n", b"\x00" * 200_000]
)
def test_a_client_that_leaves_at_once_leaves_nothing_behind(tmp_path: Path, said: bytes) -> None:
    with server(tmp_path) as running:
        heard, complaints = running.communicate(said, timeout=60)

        assert (heard, running.returncode) == (b"", 0)
        assert b"Traceback" not in complaints


def test_a_client_that_no_longer_listens_is_no_bug(tmp_path: Path) -> None:
    for lines in ((), (request(0, "initialize", **HELLO), INITIALIZED)):
        with server(tmp_path) as running:
            assert running.stdout is not None
            say(running, *lines)
            if lines:
                hear(running)
            running.stdout.close()
            say(running, *(call(at, "mem_context") for at in range(1, 4)), request(9, "tools/list"))
            assert running.stdin is not None
            running.stdin.close()
            assert running.wait(60) == 0
            assert running.stderr is not None
            assert b"bug" not in running.stderr.read()


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
@pytest.mark.parametrize("wait", [0, 2])
def test_a_server_that_is_told_to_stop_stops_early_and_late(
    tmp_path: Path, number: int, code: int, wait: float
) -> None:
    with server(tmp_path) as running:
        say(running, request(0, "initialize", **HELLO))
        hear(running)
        time.sleep(wait)
        running.send_signal(number)

        assert running.wait(30) == code


def test_what_cannot_be_opened_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_text("this is no database " * 500)
    with server(tmp_path) as running:
        say(running, request(0, "initialize", **HELLO))
        assert hear(running)["id"] == 0
        _, complaints = running.communicate(timeout=60)

    assert running.returncode == 4
    assert complaints.count(b"\n") == 1
    assert complaints.startswith(b"modicum: ")


def test_a_wrong_set_of_tools_is_refused_before_anything_is_said(tmp_path: Path) -> None:
    with server(tmp_path, "--tools", "corre") as running:
        heard, complaints = running.communicate(timeout=60)

    assert (heard, running.returncode) == (b"", 4)
    assert b'did you mean "core"?' in complaints


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--tools", "all"),
        ("--tools", "core", "--project", "shop", "--tools", "packs"),
        ("--project", ""),
        ("--tools=all",),
        ("--tools",),
        ("--tools", "-x"),
        ("--list",),
        ("--help",),
        ("x",),
        ("--project", "a", "b"),
    ],
)
def test_plain_options_are_read_as_click_reads_them(words: tuple[str, ...]) -> None:
    options = plain_options(words)
    if options is not None:
        params = command.make_context("mcp", [*words]).params
        assert options == (params["tools"], params["project"])
        assert not params["only_list"]
    assert (options is None) == any(
        word in str(words) for word in ("=", "'--tools',)", "-x", "--list", "--help", "'x'", "'b'")
    )


@pytest.mark.parametrize("size", [1, 7, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])
def test_lines_are_put_together_however_they_arrive(size: int) -> None:
    lines = [b"a" * size, b"", b"b\r", b"c" * size, b"no end"]
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(b"\n".join(lines))

    thread = threading.Thread(target=write)
    thread.start()
    found = [*split_lines(reading)]
    thread.join()
    os.close(reading)

    assert found == lines
