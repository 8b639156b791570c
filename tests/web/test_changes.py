"""The screens of changes in a real browser: the board, one change, decisions, and the check of a sentence."""

import re
import shlex
import sys

import pytest

from modicum.app.specs import changes
from modicum.app.specs.decisions import new_decision
from modicum.specs.model import DecisionDraft

pytestmark = pytest.mark.slow

HOSTILE = (
    "<script>window.done = 1</script><img src=x onerror='window.done = 1'> \x1b[31mred \u202eevil 漢字" * 3
)


@pytest.fixture
def place(tmp_path):
    found = sys.modules["spec_place"].Place(tmp_path)
    yield found
    found.store.close()


def test_somebody_sees_where_each_change_stands_and_what_keeps_it_there(
    demo, serve_here, browser_page
) -> None:
    page = browser_page
    page.goto(f"{serve_here(demo)}/web/changes")

    column = page.locator(".column", has=page.get_by_role("heading", name="Verify"))
    card = column.locator(".card")
    assert "2 of 4 tasks in 3 waves" in card.inner_text()
    assert "gate shut" in card.inner_text()
    card.get_by_role("link").click()
    page.get_by_role("heading", name="Let customers split a payment over two cards").wait_for()
    assert "2 of 4 tasks are ticked" in page.locator(".complaints").inner_text()
    waves = [wave.locator(".number").all_inner_texts() for wave in page.locator("#tasks-title ~ ul").all()]
    assert waves == [["T1", "T2"], ["T3"], ["T4"]]


def test_the_command_on_an_empty_board_begins_a_change(world, serve_here, browser_page) -> None:
    browser_page.goto(f"{serve_here()}/web/changes")
    _, *words = shlex.split(browser_page.locator("pre.command").inner_text())

    world.modicum(*words)
    browser_page.reload()

    assert browser_page.locator(".card").get_by_role("link").inner_text() == "What is to be done"


def test_a_sentence_finds_the_decision_that_it_goes_against(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(f"{serve_here(demo)}/web/changes")
    page.keyboard.press("/")
    page.keyboard.type("use floats for amounts")

    page.wait_for_url(re.compile(r"\?q=use\+floats\+for\+amounts$"))  # not for the first letters
    row = page.locator("#found .row", has_text="Every amount is a whole number of cents.").first
    row.wait_for()
    assert "Amounts are cents" in row.inner_text()
    assert page.url.endswith("?q=use+floats+for+amounts")
    page.reload()
    assert page.locator("#found .row", has_text="Amounts are cents").first.is_visible()
    page.locator("#sentence").fill("")
    page.locator("#found .row").first.wait_for(state="detached")


def test_a_decision_leads_to_the_one_that_took_its_place(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(f"{serve_here(demo)}/web/changes")

    old = page.locator("#adr-001")
    assert "superseded by 003 Amounts are cents" in " ".join(old.inner_text().split())
    old.get_by_role("link", name="003 Amounts are cents").click()

    new = page.locator("#adr-003")
    new.locator("details[open]").wait_for()
    assert "supersedes 001 Amounts are floats" in " ".join(new.inner_text().split())


def test_without_changes_and_decisions_the_page_says_how_to_begin(world, serve_here, browser_page) -> None:
    browser_page.goto(f"{serve_here()}/web/changes")

    text = browser_page.locator("main").inner_text()
    assert "modicum change new" in text
    assert "modicum adr new" in text


def test_the_keyboard_walks_through_the_board(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here(demo))
    page.keyboard.press("g")
    page.keyboard.press("c")
    page.wait_for_url("**/web/changes")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/web/change/show-why*")


def test_hostile_texts_of_changes_are_shown_and_do_nothing(place, serve_here, browser_page) -> None:
    name = changes.new_change(place.config, place.store, "fix", "small", HOSTILE).change.id
    new_decision(place.config, place.store, DecisionDraft(HOSTILE, HOSTILE, HOSTILE, HOSTILE))
    folder = place.root / "docs" / "changes" / name
    (folder / "tasks.md").write_text(f"- [ ] T1: {HOSTILE} (files: {HOSTILE})\n", encoding="utf-8")
    place.write("docs/changes/broken/change.json", "{")
    page = browser_page
    address = serve_here(place.config)
    for path in (
        "/web/changes",
        f"/web/change/{name}",
        "/web/changes?q=<script>window.done=1</script>+evil+red",
    ):
        page.goto(address + path)
        assert page.evaluate("window.done") is None
        assert page.locator("main img, main script").count() == 0
        assert "<script>window.done" in page.locator("main").inner_text() or "q=" in path
    assert page.locator("#sentence").input_value().startswith("<script>")
    assert "⟨U+202E⟩evil" in page.locator("main").inner_text()
    assert page.locator(".flag.bad.wide", has_text="broken").count() == 1


def test_a_change_that_is_not_there_gets_one_clear_sentence(world, serve_here, browser_page) -> None:
    browser_page.goto(f"{serve_here()}/web/change/nothing")

    assert browser_page.get_by_role("heading", name="nothing").is_visible()
    browser_page.wrong.clear()  # the browser reports the 400
