"""The Live screen in a real browser: what agents are handed appears as it happens."""

import pytest

from modicum.app.session.handed_log import FOLDER, Handed, log_handed
from modicum.base.config import load_config

pytestmark = pytest.mark.slow


def hand(config, what: str = "session-start", **more) -> None:
    log_handed(str(config.data), Handed("hook", "codex", what, **more))


def test_what_a_hook_hands_over_appears_while_one_looks(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(f"{serve_here(demo)}/web/live")
    page.locator("#state", has_text="Live.").wait_for()
    today = page.locator(".days tbody tr").first.inner_text()
    shown = page.locator("#rows > li").count()

    hand(demo, "prompt-submit", project="shop", bytes=4_000, notes=(1, 99_999))

    row = page.locator("#rows > li.fresh")
    row.wait_for()
    text = " ".join(row.inner_text().split())
    assert "hook codex prompt-submit in shop ≈1,000 tokens" in text
    assert "Amounts are floats in the basket 99999" in text
    assert page.locator("#rows > li").first.inner_text() == row.inner_text()
    assert page.locator("#rows > li").count() == shown + 1
    assert page.locator(".days tbody tr").first.inner_text() != today


def test_the_first_text_takes_the_place_of_the_advice(world, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(f"{serve_here()}/web/live")
    assert page.get_by_text("Nothing was handed to an agent yet").is_visible()
    page.locator("#state", has_text="Live.").wait_for()

    hand(load_config())

    page.locator("#rows > li").wait_for()
    assert not page.get_by_text("Nothing was handed to an agent yet").is_visible()


def test_a_page_that_was_asleep_catches_up_without_doubles(world, serve_here, browser_page) -> None:
    page, config = browser_page, load_config()
    hand(config, "before")
    page.goto(f"{serve_here()}/web/live")
    page.locator("#state", has_text="Live.").wait_for()
    page.context.set_offline(True)
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))"
    )
    for number in range(3):
        hand(config, f"asleep-{number}")
    page.wait_for_timeout(1_200)
    assert page.locator("#rows > li").count() == 1

    page.context.set_offline(False)
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: false }); document.dispatchEvent(new Event('visibilitychange'))"
    )

    page.locator("#rows > li", has_text="asleep-2").wait_for()
    words = [row.locator(".what").inner_text() for row in page.locator("#rows > li").all()]
    assert words == ["asleep-2", "asleep-1", "asleep-0", "before"]
    page.wrong.clear()


def test_a_thousand_texts_are_a_short_page(world, serve_here, browser_page) -> None:
    config = load_config()
    for _ in range(1_000):
        hand(config, bytes=400, notes=tuple(range(1, 30)))
    address, page, sizes = serve_here(), browser_page, []
    page.on("response", lambda reply: sizes.append(len(reply.body())) if "events" not in reply.url else None)

    page.goto(f"{address}/web/live")
    page.locator("#state", has_text="Live.").wait_for()

    assert page.locator("#rows > li").count() == 100
    assert "and 21 more" in page.locator("#rows > li").first.inner_text()
    assert "≈100,000" in page.locator(".days tbody tr").first.inner_text()
    assert sum(sizes) < 150_000


def test_a_hostile_log_is_shown_and_does_nothing(world, serve_here, browser_page) -> None:
    config = load_config()
    bad = "<img src=x onerror='window.done=1'>\u202e"
    hand(config, "fine")
    (file,) = (config.data / FOLDER).iterdir()
    row = {"at": bad, "door": bad, "to": bad, "what": bad, "project": bad, "tokens": 3, "notes": [1]}
    import json

    with file.open("a", encoding="utf-8") as log:
        log.write(json.dumps(row) + "\nnonsense\n")
    page = browser_page
    page.goto(f"{serve_here()}/web/live")
    page.locator("#state", has_text="Live.").wait_for()

    assert page.evaluate("window.done") is None
    assert page.locator("main img").count() == 0
    assert "<img src=x" in page.locator("#rows > li").first.inner_text()
    assert "⟨U+202E⟩" in page.locator("#rows > li").first.inner_text()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_changes_and_live_break_no_rule_of_axe(demo, serve_here, browser_page, theme) -> None:
    from axe_playwright_python.sync_playwright import Axe

    address, page = serve_here(demo), browser_page
    page.emulate_media(color_scheme=theme)
    name = "let-customers-split-a-payment-over-two-cards"
    paths = ("/web/changes", "/web/changes?q=use+floats+for+amounts", f"/web/change/{name}", "/web/live")
    found = {}
    for path in paths:
        page.goto(address + path)
        found[path] = [each["id"] for each in Axe().run(page).response["violations"]]

    assert found == {path: [] for path in paths}
    for width in (360, 640):
        page.set_viewport_size({"width": width, "height": 740})
        for path in paths:
            page.goto(address + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_what_comes_while_the_page_asks_is_asked_for_next(world, serve_here, browser_page) -> None:
    page, config = browser_page, load_config()
    asked = []

    def slowly(route) -> None:
        asked.append(route.request.url)
        reply = route.fetch()
        if len(asked) == 1:
            hand(config, "second")
            page.wait_for_timeout(1_500)  # the event of it arrives before this reply
        route.fulfill(response=reply)

    page.route("**/web/live?part=1*", slowly)
    page.goto(f"{serve_here()}/web/live")
    page.locator("#state", has_text="Live.").wait_for()

    hand(config, "first")

    page.locator("#rows > li", has_text="second").wait_for()
    assert page.locator("#rows > li .what").all_inner_texts() == ["second", "first"]
