"""What `modicum serve` costs until its first answer, beside a bare Starlette application: python bench/serve_start.py [RUNS]

CPU time of the process as Linux counts it; with --instructions valgrind counts, from the start to the stop.
"""

import compileall
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import modicum

RUNS = 9
BARE = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

async def health(request):
    return JSONResponse({"status": "ok"})

app = Starlette(routes=[Route("/health", health)])
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error", access_log=False)
"""
SERVERS = {
    "bare Starlette": [sys.executable, "-c", BARE],
    "modicum serve": [sys.executable, str(Path(sys.executable).with_name("modicum")), "serve", "--port"],
}
COUNTING = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")


def first_answer(port: int) -> None:
    request = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
                connection.sendall(request)
                assert b" 200 " in connection.recv(9999)
                return
        except ConnectionError:
            time.sleep(0.002)
    raise TimeoutError("no answer within two minutes")


def start(command: list[str], home: str, *, counted: bool) -> float:
    """Milliseconds of CPU until the first answer, or millions of instructions."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    running = subprocess.Popen(
        [*(COUNTING if counted else ()), *command, str(port)],
        env={**environment, "MODICUM_HOME": home},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        first_answer(port)
        tasks = list(Path(f"/proc/{running.pid}/task").iterdir())
        spent = sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6
    finally:
        running.send_signal(signal.SIGTERM)
        said = running.communicate()[1].decode()
    counts = re.search(r"Collected : (\d+)", said)
    return int(counts[1]) / 1e6 if counts else spent


def main() -> None:
    counted = "--instructions" in sys.argv
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    runs = 1 if counted else int(words[0]) if words else RUNS
    compileall.compile_dir(Path(modicum.__file__).parent, quiet=1)
    spent: dict[str, list[float]] = {name: [] for name in SERVERS}
    with tempfile.TemporaryDirectory() as home:
        start(SERVERS["modicum serve"], home, counted=False)  # makes the database
        for _ in range(runs):
            for name, command in SERVERS.items():
                spent[name].append(start(command, home, counted=counted))
    bare = min(spent["bare Starlette"])
    for name, found in spent.items():
        unit = "M instructions" if counted else "ms CPU, best of them"
        print(f"{name:<16} {min(found):>7.1f} {unit}   {min(found) / bare:>5.2f} x")


if __name__ == "__main__":
    main()
