"""A team at work: python bench/teams.py. Many clients, two servers, one PostgreSQL; one server is killed half-way.

Each client has a token of its own and knows what it was told. In the end everything that was acknowledged must be
there, and nobody may ever have read what is personal to somebody else.
"""

import argparse
import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from engines import DURABLE, server
from modicum.memory.engines.postgres import PostgresDatabase
from modicum.memory.model import NoteDraft
from modicum.memory.people import tokens
from modicum.memory.people.access import Person
from modicum.memory.store import Store

CODE = (
    "from modicum.cli.main import main; import sys; sys.exit(main(['serve', '--port', '0', '--rate', '0']))"
)
PROJECTS = ("shop", "billing", "search", "infra")
MIX = (
    "save",
    "save",
    "personal",
    "context",
    "context",
    "context",
    "search",
    "search",
    "own search",
    "get",
    "update",
)


class Serving:
    """One `modicum serve` in a process of its own."""

    def __init__(self, url: str, home: str) -> None:
        self.environment = {
            **os.environ,
            "MODICUM_DATABASE_URL": url,
            "MODICUM_HOME": home,
            "MODICUM_PERSON": "server",
        }
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", CODE], env=self.environment, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split("//")[1].split()[0]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


@dataclass
class Told:
    """What a client was told: which notes it has, and what went wrong."""

    name: str
    notes: dict[int, str] = field(default_factory=dict)
    personal: set[int] = field(default_factory=set)
    unsure: set[int] = field(default_factory=set)  # a change was sent, and its reply never heard
    times: dict[str, list[float]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)


class Client(threading.Thread):
    """Asks one server or the other, again if one is gone, until its share is done."""

    def __init__(self, name: str, secret: str, servers: list[Serving], requests: int) -> None:
        super().__init__()
        self.told, self.secret, self.servers, self.requests = Told(name), secret, servers, requests
        self.chance = random.Random(name)
        self.secret_word = f"private{name}"
        self.connection: http.client.HTTPConnection | None = None

    def run(self) -> None:
        self.ask("POST", "/sessions", {"id": self.told.name, "project": "shop"})
        for turn in range(self.requests):
            work = self.chance.choice(MIX)
            started = time.perf_counter()
            self.work(work, turn)
            self.told.times.setdefault(work, []).append(time.perf_counter() - started)

    def work(self, work: str, turn: int) -> None:
        project = self.chance.choice(PROJECTS)
        if work in ("save", "personal") or not self.told.notes:
            self.save(turn, project, "personal" if work == "personal" else "project")
        elif work == "update":
            number = self.chance.choice([*self.told.notes])
            title = f"{self.told.name} changed {turn}"
            if self.ask("PATCH", f"/observations/{number}", {"title": title}) is not None:
                self.told.notes[number] = title
                self.told.unsure.discard(number)
            else:
                self.told.unsure.add(number)
        elif work == "get":
            number = self.chance.choice([*self.told.notes])
            found = self.ask("GET", f"/observations/{number}")
            right = found is not None and json.loads(found)["title"] == self.told.notes[number]
            self.told.counts["wrong"] += not right and number not in self.told.unsure
        else:
            self.look(work, project)

    def look(self, work: str, project: str) -> None:
        path = {
            "context": f"/context?project={project}&limit=30",
            "search": f"/search?q=walrus+private+word{self.chance.randrange(50)}&limit=20",
            "own search": f"/search?q={self.secret_word}&limit=5",
        }[work]
        found = self.ask("GET", path) or ""
        others = [name for name in re.findall(r"private(p\d+)", found) if name != self.told.name]
        self.told.counts["leaked"] += len(others)
        if work == "own search" and self.told.personal:
            self.told.counts["wrong"] += self.secret_word not in found

    def save(self, turn: int, project: str, scope: str) -> None:
        title = f"{self.told.name} {turn}"
        word = f"{self.secret_word} " if scope == "personal" else ""
        body = {"session_id": self.told.name, "title": title, "project": project, "scope": scope,
                "content": f"{word}walrus word{turn % 50} of {title} in {project}"}  # fmt: skip
        found = self.ask("POST", "/observations", body)
        if found is not None:
            number = json.loads(found)["id"]
            self.told.notes[number] = title
            self.told.personal |= {number} if scope == "personal" else set()

    def ask(self, method: str, path: str, body: object = None) -> str | None:
        """The reply, or None if it was never heard: a server that is gone is asked elsewhere, unless it may have written."""
        for _ in range(600):
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection(
                        self.chance.choice(self.servers).address, timeout=120
                    )
                headers = {"Authorization": f"Bearer {self.secret}", "Content-Type": "application/json"}
                self.connection.request(method, path, None if body is None else json.dumps(body), headers)
                reply = self.connection.getresponse()
                text = reply.read().decode()
                self.told.counts["requests"] += 1
                if reply.status >= 500:
                    self.told.counts[f"status {reply.status}"] += 1
                    return None
                assert reply.status < 300, (reply.status, text)
                return text
            except (OSError, http.client.HTTPException) as error:
                self.connection = None
                if not isinstance(error, ConnectionRefusedError):
                    self.told.counts["cut"] += 1
                    if method != "GET":
                        return None
                time.sleep(0.05)
        raise AssertionError("no server answers")


def lost(store: Store, told: Told) -> int:
    """How many notes that a client was told of are not there as it knows them."""
    mine = store.seen_by(Person(told.name))
    found = {number: mine.get(number) for number in told.notes}
    return sum(
        note is None or (note.title != told.notes[number] and number not in told.unsure)
        for number, note in found.items()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--no-kill", action="store_true")
    options = parser.parse_args()
    with server().running(DURABLE) as url, tempfile.TemporaryDirectory() as home:
        store = Store(PostgresDatabase(url))
        secrets = {
            f"p{n}": tokens.new_token(store.database, f"p{n}", now="2026")[0] for n in range(options.clients)
        }
        store.save_all(
            [NoteDraft(f"seed {n}", f"walrus word{n % 50}", project=PROJECTS[n % 4]) for n in range(500)]
        )
        servers = [Serving(url, home) for _ in range(2)]
        share = -(-options.requests // options.clients)
        clients = [Client(name, secret, servers, share) for name, secret in secrets.items()]
        started = time.monotonic()
        for client in clients:
            client.start()
        if not options.no_kill:
            kill_half_way(clients, servers[0], options.requests)
        for client in clients:
            client.join()
        seconds = time.monotonic() - started
        show(store, [client.told for client in clients], seconds)
        for each in servers:
            each.stop()
        store.close()


def kill_half_way(clients: list[Client], victim: Serving, requests: int) -> None:
    while sum(client.told.counts["requests"] for client in clients) < requests / 2:
        if not any(client.is_alive() for client in clients):
            return
        time.sleep(0.02)
    victim.process.kill()
    victim.process.wait()
    time.sleep(1)
    victim.start()


def show(store: Store, everybody: list[Told], seconds: float) -> None:
    counts: Counter[str] = sum((told.counts for told in everybody), Counter())
    notes = sum(len(told.notes) for told in everybody)
    missing = sum(lost(store, told) for told in everybody)
    print(
        f"{counts['requests']:,} requests of {len(everybody)} clients in {seconds:.0f} s: {counts['requests'] / seconds:.0f} a second"
    )
    print(
        f"{notes:,} notes acknowledged, {missing} lost; {counts['leaked']} read across owners; {counts['wrong']} other wrong reads"
    )
    print(
        f"{counts['cut']} requests cut by the kill; other failures: { {k: v for k, v in counts.items() if k.startswith('status')} }"
    )
    print(f"problems of the store: {store.problems() or 'none'}\n")
    print("| request | number | p50 ms | p95 ms | p99 ms |\n| --- | --- | --- | --- | --- |")
    for work in sorted({work for told in everybody for work in told.times}):
        times = sorted(1000 * each for told in everybody for each in told.times.get(work, ()))
        cells = " | ".join(f"{times[int(q * (len(times) - 1))]:.1f}" for q in (0.5, 0.95, 0.99))
        print(f"| {work} | {len(times):,} | {cells} |")


if __name__ == "__main__":
    main()
