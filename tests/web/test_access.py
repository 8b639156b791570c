"""Everybody can use the workbench: axe-core finds nothing, and it is readable on a narrow screen."""

from contextlib import closing

import pytest

from modicum.app.memory.notes import open_store
from modicum.memory.model import NoteDraft

pytestmark = pytest.mark.slow

PATHS = (
    *("/", "/?all=1", "/web/reading?tool=codex", "/web/reading?tool=cursor&max_bytes=2048", "/web/nothing"),
    *(
        "/web/memory",
        "/web/memory?note=7&q=rounded+taxes",
        "/web/memory?q=nothing-at-all",
        "/web/memory?note=999",
    ),
    *(
        "/web/memory/sessions",
        "/web/memory/session-start",
        "/web/memory/merge?keep=10&other=6",
        "/web/review",
    ),
    *("/web/memory/log", "/web/memory?state=inbox&note=12", "/web/memory?state=deleted&note=9"),
    *("/web/changes", "/web/changes?q=payment", "/web/live"),
)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_screen_breaks_a_rule_of_axe(demo, serve_here, browser_page, theme) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with closing(open_store(demo)) as store:
        store.delete(9)
    address = serve_here(demo)
    browser_page.emulate_media(color_scheme=theme)
    found = {}
    for path in PATHS:
        browser_page.goto(address + path)
        browser_page.wait_for_load_state("networkidle")
        browser_page.evaluate(
            "document.querySelectorAll('#audit details, .edit, .relate').forEach((each) => { each.open = true; each.hidden = false; })"
        )
        found[path] = [each["id"] for each in Axe().run(browser_page).response["violations"]]
    browser_page.wrong.clear()  # the browser reports the 404

    assert found == {path: [] for path in PATHS}


def test_nothing_is_wider_than_a_narrow_screen(demo, serve_here, browser_page) -> None:
    (demo.root / "AGENTS.md").write_text(f"{'x' * 5000} 漢字{'漢' * 400}\n", encoding="utf-8")
    with closing(open_store(demo)) as store:
        store.start_session("s" * 500, project="shop")
        store.save(NoteDraft("x" * 500, "漢" * 3000, "t" * 300, project="shop", session_id="s" * 500))
        store.end_session("s" * 500, "y" * 900)
        store.save_waiting(NoteDraft("w" * 500, "漢" * 3000, project="shop"), "r" * 500)
        store.delete(9)
        store.relate(store.save(NoteDraft("z" * 500, "漢" * 3000, project="shop")).id, 7, "contradicts")
    address = serve_here(demo)
    for width in (360, 640):  # the second is a window of 1280 at 200 %
        browser_page.set_viewport_size({"width": width, "height": 740})
        for path in PATHS:
            browser_page.goto(address + path)
            assert browser_page.evaluate("document.documentElement.scrollWidth") <= width, path
    browser_page.wrong.clear()


def test_a_phone_has_the_menu_on_one_line_and_the_name_of_the_project(demo, serve_here, browser_page) -> None:
    browser_page.set_viewport_size({"width": 400, "height": 740})
    browser_page.goto(serve_here(demo))
    links = browser_page.locator(".top nav a").all()

    assert len(links) == 6
    assert len({link.bounding_box()["y"] for link in links}) == 1
    assert browser_page.locator(".where").is_visible()
    browser_page.wrong.clear()


def test_a_page_is_small(demo, serve_here, browser_page) -> None:
    address, sizes = serve_here(demo), []
    browser_page.on("response", lambda reply: sizes.append(len(reply.body())))

    browser_page.goto(address)
    browser_page.wait_for_load_state("networkidle")

    assert sum(sizes) < 150_000
    assert len(sizes) >= 4
