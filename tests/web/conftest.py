"""The workbench in a real Chromium: one browser for the tests of a file, a server and a context of its own for each."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from modicum.app.memory.notes import open_store
from modicum.base.config import Config, load_config
from modicum.http.server import HttpApp
from modicum.http.v1.routes import V1
from modicum.web.keys import KEYS, address_with_key
from modicum.web.live_events import PATH, LiveEvents
from modicum.web.routes import WEB

shared = sys.modules["serving"]
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def find_browser() -> str:
    """The browser of this machine, or of MODICUM_BROWSER; empty if there is none."""
    named = os.environ.get("MODICUM_BROWSER", "")
    return named or next(filter(None, map(shutil.which, PROGRAMS)), "")


BROWSER = find_browser()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser_page" in getattr(item, "fixturenames", ()) and not BROWSER:
            item.add_marker(pytest.mark.skip(reason="no Chromium: the pages were not tested"))


# Not for the whole session: while it runs, nothing else in its thread can run an event loop of its own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real Chromium, started once for the tests of a file."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture
def serve_here(world, request: pytest.FixtureRequest) -> Iterator[Callable[..., str]]:
    """Starts a server on the project of the test's world, and returns its address; a browser has opened it with a key."""
    from contextlib import ExitStack

    with ExitStack() as stack:

        def start(config: Config | None = None, *, has_tokens: bool = False, **options: Any) -> str:
            chosen = config or load_config()
            store = open_store(chosen)
            stack.callback(store.close)
            live = LiveEvents(chosen.data)
            app = HttpApp(store, beside={PATH: live}, tables=(V1, WEB), config=chosen, **options)
            address = f"http://127.0.0.1:{stack.enter_context(shared.serving(app, closing=live.close))}"
            if "browser_page" in request.fixturenames and not has_tokens:
                page = request.getfixturevalue("browser_page")
                page.goto(address_with_key(address, KEYS.secret))
                page.wait_for_url(f"{address}/")
                page.wrong.clear()
            return address

        yield start


@pytest.fixture
def browser_page(browser) -> Iterator[Any]:
    """A window of its own, which fails the test if a script throws or the policy blocks something of ours."""
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.wrong = wrong
    yield page
    context.close()
    assert wrong == []


@pytest.fixture(scope="session")
def kept_demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Config]:
    """A copy of the demo project as it is when it is new, and its configuration."""
    from modicum.app.demo import make_demo

    folder = tmp_path_factory.mktemp("demo")
    config = make_demo(folder / "demo")
    shutil.copytree(folder / "demo", folder / "kept")
    return folder / "kept", config


@pytest.fixture
def demo(kept_demo: tuple[Path, Config]) -> Config:
    """The demo project, as if it were new: always in the same folder, whose name is among what it keeps."""
    kept, config = kept_demo
    shutil.rmtree(kept.with_name("demo"))
    shutil.copytree(kept, kept.with_name("demo"))
    return config
