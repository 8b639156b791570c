"""What each interaction of the workbench costs the server, and when its pages are first painted, on the demo project.

python bench/workbench.py [RUNS] [--no-browser] prints a table: CPU time of the server and of the programs that it runs
(git), the time until the reply is there, the size, and the first paint in Chromium. A busy machine lengthens all but the CPU time.
"""

import http.client
import os
import resource
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from modicum.app.demo import make_demo
from modicum.app.memory.notes import open_store
from modicum.http.listen import bind, make_server
from modicum.http.server import HttpApp
from modicum.http.v1.routes import V1
from modicum.web.cookies import OWNER, OWNER_SECRET, new_cookie
from modicum.web.keys import KEYS, address_with_key
from modicum.web.live_events import PATH, LiveEvents
from modicum.web.routes import WEB

RUNS = 15
LEAST_BYTES, STEP = 2_048, 256
CHANGE = "/web/change/let-customers-split-a-payment-over-two-cards"
PAGES = {
    "Tools": "/",
    "Tools, all": "/?all=1",
    "Reading, Codex": "/web/reading?tool=codex",
    "Reading, Cursor": "/web/reading?tool=cursor",
    "Changes": "/web/changes",
    "one change": CHANGE,
    "Live": "/web/live",
}
PARTS = {
    "refit of a budget": "/web/reading?tool=cursor&view=after&part=1&max_bytes={bytes}",
    "refit of a detail": "/web/reading?tool=codex&view=after&part=1&detail=full",
    "check of a sentence": "/web/changes/check?q=use+floats+for+amounts",
    "what is new in Live": "/web/live?part=1&after=2099-01-01:0",
}


@contextmanager
def demo_server() -> Iterator[int]:
    """The port of a server that shows the demo project, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        config = make_demo(Path(folder) / "demo")
        store, live, listening = open_store(config), LiveEvents(config.data), bind("127.0.0.1", 0)
        app = HttpApp(store, beside={PATH: live}, tables=(V1, WEB), config=config)
        server = make_server(app, closing=live.close)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()
            store.close()


def cpu_seconds() -> float:
    """The CPU time of this process and of the programs that it has run."""
    kinds = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in kinds)


def measure(port: int, path: str, runs: int) -> tuple[float, float, float]:
    """The median CPU and waiting time in milliseconds, and the size in kB. Each run asks a little differently, where it can."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    cookie = f"modicum_page_{port}={new_cookie(OWNER, OWNER_SECRET).value}"
    times: list[tuple[float, float]] = []
    size = 0
    for number in range(-1, runs):  # the first one warms up
        began, used = time.monotonic(), cpu_seconds()
        address = path.format(bytes=LEAST_BYTES + STEP * (number + 1))
        connection.request("GET", address, headers={"Cookie": cookie})
        reply = connection.getresponse()
        size = len(reply.read())
        times.append((cpu_seconds() - used, time.monotonic() - began))
        if reply.status != http.HTTPStatus.OK:
            raise SystemExit(f"{path}: {reply.status}")
    connection.close()
    cpu, wall = (statistics.median(column) * 1000 for column in zip(*times[1:], strict=True))
    return cpu, wall, size / 1000


def first_paints(port: int, runs: int) -> Mapping[str, float]:
    """The median time of the first paint with content of each page, in milliseconds, in a browser that has the files."""
    from playwright.sync_api import sync_playwright

    program = os.environ.get("MODICUM_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    asked = """() => new Promise((done) => new PerformanceObserver((list) => {
        const found = list.getEntriesByName("first-contentful-paint")[0];
        if (found) done(found.startTime);
    }).observe({ type: "paint", buffered: true }))"""
    found = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        page.goto(address_with_key(f"http://127.0.0.1:{port}", KEYS.secret))
        page.wait_for_url(f"http://127.0.0.1:{port}/")
        for name, path in PAGES.items():
            times = []
            for _ in range(runs):
                page.goto(f"http://127.0.0.1:{port}{path}")
                times.append(float(page.evaluate(asked)))
            found[name] = statistics.median(times)
        browser.close()
    return found


def main() -> None:
    words = [word for word in sys.argv[1:] if word != "--no-browser"]
    runs = int(words[0]) if words else RUNS
    with demo_server() as port:
        rows = {name: measure(port, path, runs) for name, path in (PAGES | PARTS).items()}
        paints = {} if "--no-browser" in sys.argv else first_paints(port, max(3, runs // 3))
    print(f"{'':22}{'CPU ms':>9}{'wait ms':>9}{'kB':>8}{'painted ms':>12}")
    for name, (cpu, wall, size) in rows.items():
        painted = f"{paints[name]:12.0f}" if name in paints else ""
        print(f"{name:22}{cpu:9.1f}{wall:9.1f}{size:8.1f}{painted}")


if __name__ == "__main__":
    main()
