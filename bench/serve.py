"""How long a client waits over HTTP and what CPU the server spends, on engram's routes and on ours, by the size of the
store: python bench/serve.py [SIZES]"""

import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from modicum.app.memory.notes import FILE
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft
from modicum.memory.store import Store

SIZES = (1_000, 10_000, 100_000)
RUNS = 300
CLIENTS, WRITES = 64, 10_000
CODE = "from modicum.cli.agents.serve import command; command()"
# A few words are common and most are rare, as in notes.
WORDS = [
    f"{a}{b}"
    for a in ("cache", "login", "token", "order", "query", "build", "deploy", "index")
    for b in range(250)
]
SAID = "the server failed because of a stale entry after deploy in production for some users when the test was slow"
COMMON = SAID.split()


def note(number: int, chance: random.Random) -> NoteDraft:
    words = [chance.choice(WORDS) if chance.random() < 0.4 else chance.choice(COMMON) for _ in range(60)]
    title = " ".join(words[:5])
    return NoteDraft(
        f"{title} {number}", " ".join(words), "decision", f"project-{number % 20}", f"session-{number // 50}"
    )


def fill(folder: Path, size: int) -> None:
    chance, store = random.Random(size), Store(SqliteDatabase(folder / FILE))
    for start in range(0, size, 500):
        store.save_all([note(number, chance) for number in range(start, min(size, start + 500))])
    store.start_session("bench", project="project-1")
    store.close()


class Server(NamedTuple):
    """A running server: a connection to it, and its process."""

    connection: http.client.HTTPConnection
    process: int

    def cpu_ms(self) -> float:
        """The CPU that the threads of the server have spent; 0 where the system does not tell it."""
        spent = Path(f"/proc/{self.process}/task").glob("*/schedstat")
        return sum(int(path.read_text().split()[0]) for path in spent) / 1e6

    def memory_mb(self) -> float:
        """The memory that the server holds now; 0 where the system does not tell it."""
        status = Path(f"/proc/{self.process}/status")
        lines = status.read_text().splitlines() if status.exists() else []
        return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1e3


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    # What is saved here is no knowledge, and would wait in the inbox.
    own = {"MODICUM_HOME": str(folder), "MODICUM_PORT": "0"}
    environment = {**os.environ, **own}
    process = subprocess.Popen(
        [sys.executable, "-c", CODE], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().split("//")[1].split()[0]
        yield Server(http.client.HTTPConnection(address, timeout=60), process.pid)
    finally:
        process.terminate()
        process.wait()


def ask(connection: http.client.HTTPConnection, method: str, path: str, body: object = None) -> None:
    connection.request(method, path, None if body is None else json.dumps(body))
    reply = connection.getresponse()
    reply.read()
    assert reply.status < 300, reply.status


def timed(server: Server, work: Callable[[int], None], before: Callable[[int], None] = lambda _: None) -> str:
    spent, used = [], []
    for run in range(RUNS):
        before(run)
        cpu, start = server.cpu_ms(), time.perf_counter()
        work(run)
        spent.append((time.perf_counter() - start) * 1000)
        used.append(server.cpu_ms() - cpu)
    cuts = statistics.quantiles(spent, n=100)
    return (
        f"{statistics.median(used):>8.2f} {statistics.median(spent):>8.2f} {cuts[94]:>8.2f} {cuts[98]:>8.2f}"
    )


def measure(server: Server) -> Iterator[tuple[str, str]]:
    connection, timing = server.connection, partial(timed, server)

    def save(run: int) -> None:
        words = f"{WORDS[run]} {time.monotonic_ns()} was stale after the deploy"
        body = {"session_id": "bench", "project": "project-1", "title": words, "content": f"{words}. " * 8}
        ask(connection, "POST", "/observations", body)

    def keep(run: int) -> None:
        words = f"{WORDS[run]} {time.monotonic_ns()} was stale after the deploy"
        body = {"session_id": "bench", "project": "project-1", "title": words, "content": f"{words}. " * 8}
        ask(connection, "POST", "/v1/notes", body)

    def question(run: int) -> str:
        return quote(f"why did {WORDS[run * 7 % 2000]} fail after {WORDS[run * 13 % 2000]}")

    for run in range(20):
        save(run)
        ask(connection, "GET", f"/v1/search?q={question(run)}&max_tokens=500")
    yield "GET /health", timing(lambda _: ask(connection, "GET", "/health"))
    yield "GET /v1/health", timing(lambda _: ask(connection, "GET", "/v1/health"))
    yield "context, asked again", timing(lambda _: ask(connection, "GET", "/context?project=project-1"))
    yield (
        "context, after a save",
        timing(lambda _: ask(connection, "GET", "/context?project=project-1"), save),
    )
    yield (
        "recall, 1,000 tokens",
        timing(lambda _: ask(connection, "GET", "/v1/recall?project=project-1&max_tokens=1000"), save),
    )
    yield "save", timing(save)
    yield "save, /v1", timing(keep)
    yield "search, asked again", timing(lambda _: ask(connection, "GET", f"/search?q={question(0)}"))
    yield "search, fresh", timing(lambda run: ask(connection, "GET", f"/search?q={question(run)}"), save)
    yield (
        "search, common, fresh",
        timing(lambda run: ask(connection, "GET", f"/search?q=deploy&limit={run % 20 + 1}"), save),
    )
    yield (
        "search, 1,000, fresh",
        timing(
            lambda run: ask(connection, "GET", f"/v1/search?q={question(run)}&detail=full&max_tokens=1000"),
            save,
        ),
    )


def crowd(folder: Path) -> str:
    """Many clients that write at once: what is refused, and what is not there afterwards."""
    with serving(folder) as server:
        address = f"{server.connection.host}:{server.connection.port}"
        started = time.perf_counter()
        with ThreadPoolExecutor(CLIENTS) as pool:
            told = list(pool.map(lambda client: write(address, client), range(CLIENTS)))
        seconds = time.perf_counter() - started
    store = Store(SqliteDatabase(folder / FILE))
    kept = {note.id for note in store.export().notes}
    problems = store.problems()
    store.close()
    numbers = [number for client in told for number in client]
    refused = numbers.count(0)
    lost = len(set(numbers) - {0} - kept) + len(numbers) - refused - len(set(numbers) - {0})
    return (
        f"{len(numbers):,} writes of {CLIENTS} clients in {seconds:.1f} s: {refused} refused, {lost} lost, "
        f"{len(problems)} problems in the file"
    )


def write(address: str, client: int) -> list[int]:
    """The ids that a client was told; 0 for a write that was refused."""
    connection, numbers = http.client.HTTPConnection(address, timeout=60), []
    for turn in range(client, WRITES, CLIENTS):
        words = f"write {turn} of client {client}"
        body = {"session_id": "bench", "project": "project-1", "title": words, "content": f"{words}. " * 8}
        connection.request("POST", "/observations", json.dumps(body))
        reply = connection.getresponse()
        told = json.loads(reply.read())
        numbers.append(told["id"] if reply.status == HTTPStatus.CREATED else 0)
    return numbers


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:]] or SIZES
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder), 0)
        print(crowd(Path(folder)), flush=True)
    print(f"{'observations':>12}  {'request':<24} {'CPU p50':>8} {'p50 ms':>8} {'p95 ms':>8} {'p99 ms':>8}")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            fill(Path(folder), size)
            with serving(Path(folder)) as server:
                for name, told in measure(server):
                    print(f"{size:>12,}  {name:<24} {told}", flush=True)
                print(f"{size:>12,}  memory in the end, MB    {server.memory_mb():>8.1f}", flush=True)


if __name__ == "__main__":
    main()
