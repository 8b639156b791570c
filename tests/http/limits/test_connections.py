"""What anybody who reaches the port can use up before a token is checked."""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from modicum.http.limits.connections import ConnectionLimits, usual_limits

HALF = b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n"
WHOLE = HALF + b"\r\n"


@pytest.fixture
def engine() -> str:
    return "sqlite"


@pytest.fixture
def limited(make_app) -> Iterator[int]:
    """The port of a server with small limits."""
    limits = ConnectionLimits(connections=8, header_bytes=20_000, header_seconds=0.4)
    with sys.modules["serving"].serving(make_app(), limits) as port:
        yield port


def connect(port: int, *parts: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    for part in parts:
        connection.sendall(part)
    return connection


def heard(connection: socket.socket) -> bytes:
    try:
        return b"".join(iter(lambda: connection.recv(10_000), b""))
    except ConnectionResetError:
        return b""


def is_cut_off(connection: socket.socket) -> bool:
    """Whether the server ends the connection while we are sending without an end."""
    try:
        for _ in range(5_000):
            connection.sendall(b"x" * 10_000)
    except OSError:
        return True
    return False


def status(port: int) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/v1/health")
    found = connection.getresponse().status
    connection.close()
    return found


def test_a_header_that_is_too_large_is_refused(limited: int) -> None:
    with connect(limited, HALF, b"X: ") as connection:
        assert is_cut_off(connection)
    with connect(limited, HALF, b"X: ", b"x" * 30_000) as connection:
        assert heard(connection).startswith(b"HTTP/1.1 431 ")
    assert status(limited) == 200


@pytest.mark.parametrize("start", [b"GET /v1/search?q=", b""])
def test_a_url_and_empty_lines_count_too(limited: int, start: bytes) -> None:
    with connect(limited, start, (b"x" if start else b"\r\n") * 30_000) as connection:
        assert heard(connection).startswith((b"HTTP/1.1 431 ", b"HTTP/1.1 408 "))


def test_what_follows_a_body_in_parts_is_bounded(limited: int) -> None:
    start = (
        b"POST /v1/notes HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: "
    )
    with connect(limited, start) as connection:
        assert is_cut_off(connection)
    assert status(limited) == 200


def test_a_large_body_is_not_taken_for_a_header(limited: int) -> None:
    note = json.dumps({"title": "t", "content": "word " * 100_000}).encode()
    head = f"POST /v1/notes HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(note)}\r\n\r\n"
    with connect(limited, head.encode() + note) as connection:
        assert heard(connection).startswith(b"HTTP/1.1 201 ")


@pytest.mark.parametrize("parts", [(), (HALF,), (WHOLE, HALF), (WHOLE, b"\r\n")])
def test_a_header_that_does_not_come_to_its_end_ends_the_connection(
    limited: int, parts: tuple[bytes, ...]
) -> None:
    began = time.monotonic()
    with connect(limited) as connection:
        for part in parts:
            connection.sendall(part)
            time.sleep(0.1)  # the reply to the first has been sent when the second comes
        last = heard(connection)

    assert b"HTTP/1.1 408 " in last
    assert 0.3 < time.monotonic() - began < 5


def test_a_connection_that_is_kept_alive_may_wait_longer_than_a_header(limited: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", limited, timeout=10)
    for _ in range(3):
        connection.request("GET", "/v1/health")
        assert connection.getresponse().read()
        port = connection.sock.getsockname()[1]
        time.sleep(0.6)
        assert connection.sock.getsockname()[1] == port
    connection.close()


def test_one_connection_too_many_closes_the_one_that_waited_longest(limited: int) -> None:
    with ExitStack() as stack:
        waiting = [stack.enter_context(connect(limited, HALF)) for _ in range(8)]
        time.sleep(0.1)
        assert status(limited) == 200
        assert heard(waiting[0]) == b""
        waiting[7].sendall(b"\r\n")
        assert waiting[7].recv(100).startswith(b"HTTP/1.1 200 ")


def test_a_body_that_does_not_come_shuts_out_nobody_else(limited: int) -> None:
    begun = b"POST /v1/notes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    with ExitStack() as stack:
        waiting = [stack.enter_context(connect(limited, begun)) for _ in range(8)]
        time.sleep(0.1)
        assert [status(limited) for _ in range(3)] == [200] * 3
        assert heard(waiting[0]) == b""
        waiting[7].sendall(b"no json 1")
        assert waiting[7].recv(100).startswith(b"HTTP/1.1 400 ")


def told(replies: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in re.findall(rb'^\{"id":.*$', replies, re.MULTILINE)]


LAST = WHOLE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")


@pytest.mark.parametrize("count", [10, 100, 3_000])
def test_requests_that_are_sent_at_once_are_all_answered(limited: int, count: int) -> None:
    with connect(limited, WHOLE * (count - 1) + LAST) as connection:
        assert heard(connection).count(b"HTTP/1.1 200 ") == count
    assert status(limited) == 200


def test_notes_that_are_sent_at_once_are_all_kept_as_they_are_and_in_order(limited: int) -> None:
    bodies = [
        json.dumps({"title": f"Größe {n}", "content": "é\n" * 700}, ensure_ascii=False).encode()
        for n in range(40)
    ]
    sent = b"".join(
        f"POST /v1/notes HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        for body in bodies
    )
    with connect(limited, sent, LAST) as connection:
        replies = heard(connection)
    found = told(replies)
    asked = WHOLE.replace(b"/v1/health", b"/v1/notes/%d")
    with connect(limited, *(asked % each["number"] for each in found), LAST) as connection:
        kept = told(heard(connection))

    assert replies.count(b"HTTP/1.1 201 ") == 40
    assert [each["number"] for each in found] == sorted(each["number"] for each in found)
    assert [each["title"] for each in kept] == [f"Größe {n}" for n in range(40)]


@pytest.mark.parametrize("mistake", [b"this is not HTTP\r\n\r\n", HALF + b"X: " + b"x" * 30_000])
def test_what_is_wrong_behind_other_requests_is_said_after_their_replies(
    limited: int, mistake: bytes
) -> None:
    with connect(limited, WHOLE * 20 + mistake) as connection:
        replies = re.findall(rb"HTTP/1.1 ([0-9]{3}) ", heard(connection))

    assert replies == [b"200"] * 20 + [b"431" if mistake.startswith(HALF) else b"400"]


def test_the_limits_leave_files_for_the_store(monkeypatch) -> None:
    import resource

    for files, connections in ((256, 160), (64, 16), (1 << 20, 1_000), (resource.RLIM_INFINITY, 1_000)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, files=files: (files, files))
        assert usual_limits().connections == connections


@contextmanager
def served(tmp_path: Path, files: int) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """A real process that may open so many files."""
    code = (
        f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}));"
        "from modicum.cli.agents.serve import command; command()"
    )
    env = {**os.environ, "HOME": str(tmp_path), "MODICUM_HOME": str(tmp_path), "MODICUM_PORT": "0"}
    errors = (tmp_path / "errors").open("w")
    process = subprocess.Popen(
        [sys.executable, "-c", code], env=env, cwd=tmp_path, stdout=subprocess.PIPE, stderr=errors, text=True
    )
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline().split(":")[2].split()[0]), process
    finally:
        process.terminate()
        process.communicate(timeout=20)
        errors.close()


def test_300_requests_that_never_end_keep_nobody_out_at_256_files(tmp_path: Path) -> None:
    with served(tmp_path, 256) as (port, _), ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(connect(port, HALF))
        statuses = [status(port) for _ in range(5)]

    assert statuses == [200] * 5
    assert len((tmp_path / "errors").read_text().splitlines()) <= 2


def test_a_giant_header_takes_no_memory(tmp_path: Path) -> None:
    def resident(process: subprocess.Popen[str]) -> int:
        lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))

    if not Path("/proc/self/status").exists():
        return
    with served(tmp_path, 256) as (port, process):
        assert status(port) == 200
        before = resident(process)
        with connect(port, HALF, b"X: ") as connection:
            assert is_cut_off(connection)
        assert status(port) == 200
        assert resident(process) - before < 20_000  # KiB
