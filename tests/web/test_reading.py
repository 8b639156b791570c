"""The screen of a reading in a real browser."""

import pytest

from modicum.app.packs.adapter_agreements import agree_to_adapters, waiting_adapters

pytestmark = pytest.mark.slow


def loaded(page) -> None:
    page.locator("#text[aria-busy=false]").wait_for()


def drag(page, slider: str, value: int) -> None:
    """Sets a slider as a hand does: with an event for the page."""
    page.locator(slider).evaluate(
        "(each, value) => { each.value = value; each.dispatchEvent(new Event('input', { bubbles: true })); }",
        value,
    )
    loaded(page)


def test_every_passage_has_its_source_and_what_is_cut_its_reason(demo, serve_here, browser_page) -> None:
    browser_page.goto(serve_here(demo) + "/web/reading?tool=codex")

    cut = browser_page.locator(".passage.out.p-cut")
    assert "it is behind the 32,768 bytes that the tool reads" in cut.inner_text()
    assert browser_page.locator(".passage.in").first.locator(".chip").inner_text() == "yours"


def test_dragging_the_budget_shows_what_goes(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here(demo) + "/web/reading?tool=cursor")
    before = page.locator(".passage.in").count()

    drag(page, "#budget", 2048)

    assert page.locator("#budget-shown").inner_text() == "2,048 bytes"
    assert int(page.locator("#page-bytes").inner_text().replace(",", "")) <= 2048
    assert page.locator(".passage.p-left-out").count() > 5
    assert "were left" in page.locator(".passage.p-left-out .why").first.inner_text()
    assert page.locator(".passage.in").count() < before
    assert page.get_by_label("After inject").is_checked()


def test_what_was_tried_is_kept_injected_and_taken_back(demo, serve_here, browser_page) -> None:
    page, adapter = browser_page, demo.project / "adapters" / "cursor.yaml"
    rules = demo.root / ".cursor" / "rules" / "modicum.mdc"
    page.goto(serve_here(demo) + "/web/reading?tool=cursor")
    page.get_by_label("git").uncheck()
    drag(page, "#budget", 2048)

    page.get_by_role("button", name="Keep and inject").click()
    page.locator("#said", has_text="Written").wait_for()

    assert "max_bytes: 2048" in adapter.read_text()
    assert "skip" in demo.project_file.read_text() or "git" not in demo.project_file.read_text()
    assert len(rules.read_bytes()) <= 2048
    assert page.locator("#budget-shown").inner_text() == "2,048 bytes"
    page.get_by_role("button", name="Undo what was kept").click()
    page.locator("#said", has_text="Taken back").wait_for()
    assert not adapter.exists()
    assert demo.project_file.read_text() == "use: [git, testing]\n"
    assert page.locator("#budget-shown").inner_text() == "no bound"


def test_a_bound_that_is_kept_can_be_raised_and_removed(demo, serve_here, browser_page) -> None:
    page, adapter = browser_page, demo.project / "adapters" / "cursor.yaml"
    adapter.parent.mkdir()
    adapter.write_text("id: cursor\nmax_bytes: 1000\n")
    agree_to_adapters(demo, waiting_adapters(demo))
    page.goto(serve_here(demo) + "/web/reading?tool=cursor&view=after")
    small = page.locator("#page-bytes").inner_text()

    drag(page, "#budget", 4000)

    assert (
        int(page.locator("#page-bytes").inner_text().replace(",", "")) > 2_000 > int(small.replace(",", ""))
    )
    drag(page, "#budget", 10**6)
    page.get_by_role("button", name="Keep this").click()
    page.locator("#said", has_text="Kept").wait_for()
    assert adapter.read_text() == "id: cursor\n"


def test_the_last_drag_wins(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here(demo) + "/web/reading?tool=cursor")

    for value in (9000, 6000, 3000, 1024):
        page.locator("#budget").evaluate(
            "(each, value) => { each.value = value; each.dispatchEvent(new Event('input', { bubbles: true })); }",
            value,
        )
    loaded(page)

    assert int(page.locator("#page-bytes").inner_text().replace(",", "")) <= 1024


def test_settings_in_the_address_are_tried_and_can_be_kept(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here(demo) + "/web/reading?tool=cursor&detail=summary&max_bytes=3000&packs=git")

    page.get_by_role("button", name="Keep this").click()
    page.locator("#said", has_text="Kept in").wait_for()

    kept = (demo.project / "adapters" / "cursor.yaml").read_text()
    assert kept == "id: cursor\nverbosity: minimal\nmax_bytes: 3000\n"
    assert page.locator("[name=pack]:checked").evaluate_all("all => all.map(each => each.value)") == ["git"]
    assert page.get_by_role("button", name="Keep this").is_disabled()


def test_files_can_be_written_while_two_windows_look_at_them(demo, serve_here, browser_page) -> None:
    address = serve_here(demo) + "/web/reading?tool=codex"
    other = browser_page.context.new_page()
    for page in (browser_page, other):
        page.goto(address)

    browser_page.get_by_role("button", name="Inject").click()
    browser_page.locator("#said", has_text="Written").wait_for()
    other.get_by_role("button", name="Inject").click()
    other.locator("#said", has_text="Nothing had to be written").wait_for()

    assert (demo.root / "AGENTS.md").read_text().count("modicum:start") == 1
    assert "The files on the disk are as an inject would write them." in other.locator("#text").inner_text()
