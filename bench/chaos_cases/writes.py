"""Writers that are killed: whatever was acknowledged must be there afterwards."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from chaos_cases.runs import SERVE, Outcome, Pace, Serving, environment, forks, made_project, memory_of
from modicum.memory.engines.database import Database
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store

CLIENTS = 8
Told = int | str  # what a note was called: its number, or its public id


def lost(database: Database, told: dict[Told, str]) -> list[str]:
    """What was acknowledged and is not there, and what is wrong with the database."""
    store = Store(database)
    notes = store.export().notes
    titles = {name: note.title for note in notes for name in (note.id, note.public_id)}
    missing = [
        f"note {number} ({title}) is lost" for number, title in told.items() if titles.get(number) != title
    ]
    found = store.search("walrus").total
    index = [f"{len(notes)} notes, {found} of them found"] if found != min(len(notes), 10_000) else []
    problems = [*map(str, store.problems())]
    store.close()
    return [*missing, *index, *problems]


def processes(pace: Pace) -> Outcome:
    """`modicum save` in several processes, and an MCP server, all killed at one moment."""
    outcome, told = Outcome("saves by the command line and MCP, killed"), dict[Told, str]()
    with TemporaryDirectory() as folder:
        home = Path(folder)
        project = made_project(home)
        with forks(3, home, project) as some:
            some[0].run("command", "save", "first", "walrus", "--project", "shop")
            for number in pace.rounds():
                server = Mcp(home, project, f"m{number}") if number % 4 == 0 else None
                workers = [each.start("saves", f"w{number}-{at}", 10_000) for at, each in enumerate(some)]
                if server:
                    server.begun.wait(30)
                time.sleep(pace.chance.uniform(0.0, 0.5))
                for worker in workers:
                    os.kill(worker, signal.SIGKILL)
                if server:
                    told |= server.kill()
                for at, each in enumerate(some):
                    _, lines = each.wait()
                    saved = (
                        int(found[1]) for line in lines if (found := re.match(r"\s*\"number\": (\d+)", line))
                    )
                    told |= {key: f"w{number}-{at} {turn}" for turn, key in enumerate(saved)}
                outcome.kills += len(workers) + bool(server)
        outcome.cases, outcome.wrong = len(told), lost(SqliteDatabase(memory_of(home)), told)
    return outcome


class Mcp:
    """An MCP server that is asked to save until it is killed."""

    def __init__(self, home: Path, folder: Path, name: str) -> None:
        pipe = subprocess.PIPE
        command = [sys.executable, "-c", SERVE, "mcp", "--project", "shop"]
        self.process = subprocess.Popen(
            command, env=environment(home), cwd=folder, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )  # fmt: skip
        self.name, self.told, self.begun = name, dict[Told, str](), threading.Event()
        self.thread = threading.Thread(target=self._talk, daemon=True)
        self.thread.start()

    def _talk(self) -> None:
        about = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "c", "version": "1"},
        }
        try:
            self._ask("initialize", about, 0)
            self._send({"method": "notifications/initialized"})
            for number in range(1, 10_000):
                title = f"{self.name} {number}"
                arguments = {"title": title, "content": f"walrus of {title}"}
                reply = self._ask("tools/call", {"name": "mem_save", "arguments": arguments}, number)
                self.told[_id_in(reply)] = title
                self.begun.set()
        except (OSError, ValueError):
            return  # it is gone

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")

    def _ask(self, method: str, params: dict[str, Any], number: int) -> dict[str, Any]:
        assert self.process.stdout
        self._send({"id": number, "method": method, "params": params})
        reply: dict[str, Any] = json.loads(self.process.stdout.readline())
        return reply

    def kill(self) -> dict[Told, str]:
        self.process.kill()
        self.thread.join()
        with suppress(BrokenPipeError):  # of what was not sent any more
            self.process.__exit__(None, None, None)
        return self.told


def _id_in(reply: dict[str, Any]) -> Told:
    return str(reply["result"]["content"][0]["text"].split()[0])


class Client(threading.Thread):
    """Saves over HTTP, by turns on our route and on engram's, until it is told to stop."""

    def __init__(self, serving: Serving, name: str, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.serving, self.client, self.stop = serving, name, stop
        self.told, self.refused = dict[Told, str](), Counter[str]()

    def run(self) -> None:
        turn = 0
        while not self.stop.is_set():
            connection = http.client.HTTPConnection(self.serving.address, timeout=60)
            with closing(connection), suppress(OSError, http.client.HTTPException):
                while not self.stop.is_set():
                    turn += 1
                    self._save(connection, turn)
            time.sleep(0.02)

    def _save(self, connection: http.client.HTTPConnection, turn: int) -> None:
        title = f"{self.client} {turn}"
        body = {"session_id": self.client, "project": "shop", "title": title, "content": f"walrus of {title}"}
        path = "/v1/notes" if turn % 2 else "/observations"
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        reply = connection.getresponse()
        text = reply.read()
        if reply.status < 300:
            self.told[json.loads(text)["id"]] = title
        elif not (reply.status == 500 and b"cannot be reached" in text):
            self.refused[f"{reply.status} {text[:200]!r}"] += 1


def _at_work(serving: Serving, number: int) -> tuple[list[Client], threading.Event]:
    connection = http.client.HTTPConnection(serving.address, timeout=60)
    for at in range(number):
        body = json.dumps({"id": f"c{at}", "project": "shop"})
        connection.request("POST", "/sessions", body, {"Content-Type": "application/json"})
        connection.getresponse().read()
    connection.close()
    stop = threading.Event()
    clients = [Client(serving, f"c{at}", stop) for at in range(number)]
    for client in clients:
        client.start()
    return clients, stop


def _end(clients: list[Client], stop: threading.Event) -> tuple[dict[Told, str], list[str]]:
    stop.set()
    for client in clients:
        client.join()
    refused: Counter[str] = sum((client.refused for client in clients), Counter())
    bad = [f"{many} replies {text}" for text, many in refused.items()]
    return {key: title for client in clients for key, title in client.told.items()}, bad


def over_http(pace: Pace) -> Outcome:
    """Clients that save over HTTP while the server is killed and started again."""
    outcome = Outcome("saves over HTTP, the server killed")
    with TemporaryDirectory() as folder:
        home = Path(folder)
        with Serving(home, made_project(home)) as serving:
            clients, stop = _at_work(serving, CLIENTS)
            for _ in pace.rounds():
                time.sleep(pace.chance.uniform(0.1, 1.0))
                serving.kill()
                serving.start()
                outcome.kills += 1
            told, bad = _end(clients, stop)
        outcome.cases = len(told)
        outcome.wrong = [*bad, *lost(SqliteDatabase(memory_of(home)), told)]
    return outcome


ENDED = """
SELECT count(pg_terminate_backend(pid)) FROM (
  SELECT pid FROM pg_stat_activity WHERE application_name = 'chaos writers' AND datname = current_database()
  ORDER BY random() LIMIT %s
) AS chosen
"""


def on_postgres(pace: Pace) -> Outcome:
    """Saves on a PostgreSQL of its own, as `writes_on` does."""
    from engines import server

    with server().running() as url:
        return writes_on(url, pace)


def writes_on(url: str, pace: Pace) -> Outcome:
    """Clients that save over HTTP on PostgreSQL while the server's connections are ended; it is never started again."""
    from modicum.memory.engines.postgres import PostgresDatabase

    outcome = Outcome("saves on PostgreSQL, connections ended")
    named = f"{url}&application_name=chaos%20writers"
    with TemporaryDirectory() as folder:
        home = Path(folder)
        with Serving(home, made_project(home), "--rate", "0", MODICUM_DATABASE_URL=named) as serving:
            clients, stop = _at_work(serving, CLIENTS)
            outcome.kills = _end_connections(pace, url)
            time.sleep(1)
            before = sum(len(client.told) for client in clients)
            time.sleep(1)
            told, bad = _end(clients, stop)
        stuck = ["nothing more was saved once the connections were left alone"] if len(told) <= before else []
        outcome.cases = len(told)
        outcome.wrong = [*bad, *stuck, *lost(PostgresDatabase(url), told)]
    return outcome


def _end_connections(pace: Pace, url: str) -> int:
    import psycopg

    ended = 0
    with psycopg.connect(url, autocommit=True, application_name="chaos") as connection:
        for _ in pace.rounds():
            time.sleep(pace.chance.uniform(0.02, 0.2))
            row = connection.execute(ENDED, (pace.chance.randint(1, 4),)).fetchone()
            ended += int(row[0]) if row else 0
    return ended
