"""What a session start costs on a store of 10,000 notes, beside the bare interpreter and beside engram's script.

python bench/hook.py [NOTES] counts CPU time; with --instructions it counts instructions by valgrind, which a busy
machine does not disturb.
"""

import compileall
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

import modicum
from modicum.app.memory.notes import FILE
from serve import fill, serving

RUNS = 21
PROJECT = "project-1"
OPEN = "c.execute('SELECT id FROM notes LIMIT 1')"


def commands(folder: Path) -> dict[str, list[str]]:
    """What is compared: interpreters that only open the store, and the whole hook by its script."""
    store = folder / FILE
    script = str(Path(sys.executable).with_name("modicum"))
    return {
        "bare interpreter": [sys.executable, "-c", "pass"],
        "and sqlite3": [
            sys.executable,
            "-c",
            f"import sqlite3; c = sqlite3.connect({str(store)!r}); {OPEN}.fetchall()",
        ],
        "and apsw": [sys.executable, "-c", f"import apsw; c = apsw.Connection({str(store)!r}); list({OPEN})"],
        "hook session-start": [script, "hook", "session-start", "--harness", "claude-code"],
        "hook prompt-submit": [script, "hook", "prompt-submit", "--harness", "claude-code"],
    }


def told(folder: Path) -> bytes:
    place = folder / PROJECT
    place.mkdir(exist_ok=True)
    prompt = "why does the login of the shop fail after the deploy of the cache?"
    return json.dumps(
        {"session_id": "bench", "cwd": str(place), "source": "startup", "prompt": prompt}
    ).encode()


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "MODICUM_HOME": str(folder), "MODICUM_HOOK_SECONDS": "300"}


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        words, input=told(folder), env=environment(folder), capture_output=True, check=True, timeout=600
    )


def cpu(words: list[str], folder: Path) -> float:
    """CPU milliseconds of one process, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(words, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def instructions(words: list[str], folder: Path) -> float:
    """Millions of instructions of one process."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    said = run([*valgrind, *words], folder).stderr.decode()
    line = next(line for line in said.splitlines() if "Collected" in line)
    return int(line.split()[-1]) / 1e6


def compare(folder: Path, *, counted: bool) -> None:
    unit, runs = ("M instructions", 1) if counted else ("ms CPU", RUNS)
    measure = instructions if counted else cpu
    every = commands(folder)
    spent: dict[str, list[float]] = {name: [] for name in every}
    for _ in range(runs):  # in turns, so that a busy moment is nobody's alone
        for name, words in every.items():
            spent[name].append(measure(words, folder))
    median = {name: statistics.median(times) for name, times in spent.items()}
    print(f"{'':<20} {unit:>15} {'by sqlite3':>11} {'by apsw':>9}")
    for name, value in median.items():
        print(
            f"{name:<20} {value:>15.1f} {value / median['and sqlite3']:>9.2f} x {value / median['and apsw']:>7.2f} x"
        )


def script_requests(port: int) -> tuple[int, float]:
    """The requests of engram's session-start script in their order: bytes that it injects, and seconds."""
    began = time.perf_counter()
    _ask(port, "GET", "/health")
    _ask(port, "POST", "/projects/migrate", {"old_project": "elsewhere", "new_project": PROJECT})
    _ask(port, "POST", "/sessions", {"id": "bench", "project": PROJECT, "directory": "/shop"})
    answer = _ask(port, "GET", f"/context?{urlencode({'project': PROJECT, 'limit': 8, 'compact': 1})}")
    return len(answer["context"].encode()), time.perf_counter() - began


def _ask(port: int, method: str, path: str, body: object = None) -> dict[str, str]:
    """One request on a connection of its own, as curl sends it."""
    data = json.dumps(body).encode() if body is not None else b""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
    kind = f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall((head + kind).encode() + data)
        reply = b"".join(iter(lambda: connection.recv(65_536), b""))
    answer: dict[str, str] = json.loads(reply.partition(b"\r\n\r\n")[2])
    return answer


def beside(folder: Path) -> None:
    with serving(folder) as server:
        port = server.connection.port
        whole = len(_ask(port, "GET", f"/context?{urlencode({'project': PROJECT})}")["context"].encode())
        asked = [script_requests(port) for _ in range(RUNS)]
    hook = commands(folder)["hook session-start"]
    waits, size = [], 0
    for _ in range(RUNS):
        began = time.perf_counter()
        said = json.loads(run(hook, folder).stdout)
        waits.append(time.perf_counter() - began)
        size = len(said["hookSpecificOutput"]["additionalContext"].encode())
    print(f"\n{'session start':<46} {'bytes':>7} {'wall ms':>9}")
    print(f"{'engram, without options (text of our server)':<46} {whole:>7,} {'':>9}")
    wall = 1000 * statistics.median(seconds for _, seconds in asked)
    print(f"{'script: its requests alone, to a running server':<46} {asked[0][0]:>7,} {wall:>9.1f}")
    print(
        f"{'modicum hook: the whole process, no server':<46} {size:>7,} {1000 * statistics.median(waits):>9.1f}"
    )


def main() -> None:
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    compileall.compile_dir(Path(modicum.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder, int(words[0]) if words else 10_000)
        compare(folder, counted="--instructions" in sys.argv)
        if "--instructions" not in sys.argv:
            beside(folder)


if __name__ == "__main__":
    main()
