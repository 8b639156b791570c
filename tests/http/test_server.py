"""The server under strain: odd input, large bodies, slow and many clients, a taken port."""

import http.client
import json
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from modicum.base.errors import ModicumError
from modicum.http import server
from modicum.http.listen import bind
from modicum.http.routes import LARGEST_BODY
from modicum.memory.model import NoteDraft, Results

SOURCE = Path(__file__).parent.parent.parent / "src"


@pytest.fixture
def engine() -> str:
    return "sqlite"


def call(
    connection: http.client.HTTPConnection, method: str, path: str, body: object = None
) -> tuple[int, Any]:
    data = body if body is None or isinstance(body, bytes) else json.dumps(body)
    connection.request(method, path, data)
    reply = connection.getresponse()
    return reply.status, json.loads(reply.read())


def ask(port: int, method: str, path: str, body: object = None) -> tuple[int, Any]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        return call(connection, method, path, body)


def test_a_reply_is_not_held_back_for_want_of_an_acknowledgement() -> None:
    """asyncio turns Nagle's delay off only where the socket is known to be TCP."""
    with closing(bind("127.0.0.1", 0)) as listening:
        assert listening.proto == socket.IPPROTO_TCP


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_64_clients_write_at_once_and_none_is_refused(port: int, store) -> None:
    clients, writes = 64, 10
    store.start_session("s", project="p")

    def work(number: int) -> list[int]:
        note = {"session_id": "s", "project": "p", "title": f"{number}"}
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            notes = [note | {"content": f"{number}.{n}"} for n in range(writes)]
            return [call(connection, "POST", "/v1/notes", each)[0] for each in notes]

    with ThreadPoolExecutor(clients) as pool:
        statuses = [status for told in pool.map(work, range(clients)) for status in told]

    assert statuses == [201] * clients * writes
    assert store.count() == clients * writes


def test_a_slow_client_keeps_nobody_waiting(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as slow:
        slow.sendall(b"POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        started = time.monotonic()
        status, _ = ask(port, "GET", "/v1/health")

    assert (status, time.monotonic() - started < 2) == (200, True)


def test_a_body_that_does_not_arrive_ends_the_request(port: int, monkeypatch) -> None:
    monkeypatch.setattr(server, "BODY_SECONDS", 0.1)
    with socket.create_connection(("127.0.0.1", port), timeout=5) as slow:
        slow.sendall(b"POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")

        assert slow.recv(100).startswith(b"HTTP/1.1 408 ")


def test_a_client_that_leaves_is_no_trouble(port: int, store) -> None:
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", port)) as gone:
            gone.sendall(b"POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")

    assert ask(port, "GET", "/v1/health")[0] == 200
    assert store.stats().sessions == 0


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_a_large_note_is_kept_whole(port: int, store) -> None:
    store.start_session("s", project="p")
    content = "An entry of the log.\n" * 50_000

    status, told = ask(port, "POST", "/v1/notes", {"session_id": "s", "title": "t", "content": content})

    assert status == 201
    assert store.get(told["number"]).content == content.strip()
    assert ask(port, "GET", "/v1/recall?max_tokens=50")[1]["used"] <= 50


def test_a_body_that_is_too_large_is_refused_and_told(port: int) -> None:
    status, told = ask(port, "POST", "/v1/notes", b"x" * (LARGEST_BODY + 1))

    assert (status, told["detail"], told["remedy"]) == (413, "the body is too large", "send at most 32 MiB")


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/search?q=" + "x" * 30_000, 200),
        ("/v1/search?q=%00%ff%22'", 200),
        ("/v1/recall?limit=" + "9" * 4000, 400),
        ("/v1/sessions/%00%ff%2F", 404),
    ],
)
def test_odd_parameters_are_answered(port: int, path: str, status: int) -> None:
    assert ask(port, "GET", path)[0] == status


def test_a_bug_is_told_as_one_and_the_server_lives_on(client, store, monkeypatch, caplog) -> None:
    monkeypatch.setattr(store, "stats", lambda: 1 / 0)

    reply = client.get("/v1/stats")

    assert (reply.status, reply.json()["detail"]) == (500, "this is a bug in modicum")
    assert "ZeroDivisionError" in caplog.text
    assert client.get("/v1/health").status == 200


def test_a_database_that_fails_is_told_with_a_remedy(client, store, tmp_path: Path) -> None:
    store.save(NoteDraft("a", "b"))
    store.close()
    for file in tmp_path.glob("memory.db*"):
        file.write_bytes(b"this is no database " * 500)

    for path in ("/v1/recall", "/v1/search?q=b", "/v1/stats", "/v1/notes/1", "/v1/health"):
        reply = client.get(path)
        assert (reply.status, bool(reply.json()["remedy"])) == (500, True)


def test_a_taken_port_is_a_clear_error() -> None:
    with bind("127.0.0.1", 0) as taken, pytest.raises(ModicumError, match="is taken") as error:
        bind("127.0.0.1", taken.getsockname()[1])

    assert "--port" in error.value.remedy


def test_an_address_that_is_not_ours_is_a_clear_error() -> None:
    with pytest.raises(ModicumError, match="cannot be opened"):
        bind("203.0.113.1", 0)


def serve(tmp_path: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    code = "from modicum.cli.agents.serve import command; command()"
    env = {
        "PYTHONPATH": str(SOURCE),
        "HOME": str(tmp_path),
        "MODICUM_HOME": str(tmp_path),
        **environment,
    }
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(
        command, env=env, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_modicum_serve_says_where_it_is_and_stops_when_told(tmp_path: Path) -> None:
    process = serve(tmp_path, MODICUM_PORT="0", MODICUM_TOKEN="secret")
    assert process.stdout is not None
    line = process.stdout.readline()
    connection = http.client.HTTPConnection(line.split("//")[1].split()[0])
    connection.request("GET", "/v1/health", headers={"Authorization": "Bearer secret"})
    status = connection.getresponse().status
    connection.close()
    process.terminate()
    process.communicate(timeout=20)

    assert (status, process.returncode) == (200, 0)
    assert (tmp_path / "memory.db").exists()


def heard_at_start(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The port of a started server, and its line about who may come in."""
    assert process.stdout is not None
    line, who = process.stdout.readline(), process.stdout.readline()
    return int(line.split("//")[1].split()[0].rpartition(":")[2]), who.strip()


def token(tmp_path: Path, *arguments: str) -> str:
    env = {"PYTHONPATH": str(SOURCE), "HOME": str(tmp_path), "MODICUM_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "modicum.cli.main", "team", "token", *arguments]
    return subprocess.run(
        command, env=env, cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.strip()


def status_within(port: int, wanted: int, seconds: float = 10.0) -> int:
    """The status of a request without a token, asked again until it is the wanted one or the time is over."""
    deadline = time.monotonic() + seconds
    while (status := ask(port, "GET", "/v1/stats")[0]) != wanted and time.monotonic() < deadline:
        time.sleep(0.1)
    return status


def test_a_running_server_closes_with_the_first_token_and_opens_with_the_last(tmp_path: Path) -> None:
    process = serve(tmp_path, MODICUM_PORT="0")
    try:
        port, who = heard_at_start(process)
        assert who.startswith("Who may come in: every program on this machine, without a token")
        assert status_within(port, 200) == 200
        token(tmp_path, "new", "mia", "--yes")
        assert status_within(port, 401) == 401
        token(tmp_path, "revoke", "mia")
        assert status_within(port, 200) == 200
    finally:
        process.terminate()
        process.communicate(timeout=20)


@pytest.mark.parametrize(
    ("arguments", "environment", "who"),
    [
        ((), {}, "Who may come in, from this machine: 2 people with a token (modicum team token list)."),
        (("--host", "0.0.0.0"), {}, "Who may come in, from other machines, too: 2 people with a token"),
        (
            (),
            {"MODICUM_TOKEN": "x"},
            "Who may come in, from this machine: whoever has the token of this server",
        ),
    ],
)
def test_modicum_serve_says_who_may_come_in(tmp_path: Path, arguments, environment, who: str) -> None:
    for name in ("mia", "mia", "ben"):
        token(tmp_path, "new", name, "--yes")
    process = serve(tmp_path, *arguments, MODICUM_PORT="0", **environment)
    _, line = heard_at_start(process)
    process.terminate()
    process.communicate(timeout=20)

    assert line.startswith(who)


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [(("--host", "0.0.0.0"), {}), ((), {"MODICUM_PORT": "high"}), (("--token-file", "empty"), {})],
)
def test_modicum_serve_refuses_what_is_unsafe_or_unclear(tmp_path: Path, arguments, environment) -> None:
    (tmp_path / "empty").write_text("")
    process = serve(tmp_path, *arguments, **environment)
    _, err = process.communicate(timeout=20)

    assert process.returncode != 0
    assert "ModicumError" in err


def test_writers_do_not_wait_for_readers(port: int, store, monkeypatch) -> None:
    waiting, go_on, in_time = threading.Semaphore(0), threading.Event(), []

    def search(*_: object) -> object:
        waiting.release()
        in_time.append(go_on.wait(20))
        return Results()

    monkeypatch.setattr(store, "search", search)
    with ThreadPoolExecutor(server.READERS) as pool:
        asked = [pool.submit(ask, port, "GET", f"/v1/search?q={number}") for number in range(server.READERS)]
        for _ in asked:
            waiting.acquire()
        status, _ = ask(port, "POST", "/v1/sessions", {"id": "s", "project": "p"})
        go_on.set()

    assert (status, in_time) == (201, [True] * server.READERS)
