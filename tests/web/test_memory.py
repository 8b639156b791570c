"""The screens of memory in a real browser."""

import re
from contextlib import closing

import pytest

from modicum.app.memory.notes import open_store
from modicum.memory.model import NoteDraft

pytestmark = pytest.mark.slow


def loaded(page) -> None:
    page.locator("#list[aria-busy=false]").wait_for()
    page.locator("#pane[aria-busy=false]").wait_for()


def name_of(config, number: int) -> str:
    with closing(open_store(config)) as store:
        return store.names([number])[number]


def undo(page) -> None:
    page.locator("#said").get_by_role("button", name="Undo").click()
    page.locator("#said", has_text="Taken back").wait_for()


def test_a_note_is_found_as_one_types_and_edited(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here(demo) + "/web/memory")
    page.keyboard.press("/")
    page.keyboard.type("rounded", delay=20)
    page.wait_for_url(re.compile("[?&]q=rounded"))  # not for the first letters
    page.locator(".row mark", has_text=re.compile("^rounded$")).first.wait_for()
    page.locator(".row", has_text="Amounts are cents everywhere").wait_for(state="detached")

    first = page.locator(".row").first
    assert first.locator("mark").first.inner_text() == "rounded"
    assert "rounded" in first.locator(".reason").first.inner_text()
    assert "q=rounded" in page.url
    page.locator(".row a", has_text="once per rate").click()
    page.locator(".note h2", has_text="Taxes are rounded once per rate").wait_for()
    page.keyboard.press("e")
    page.get_by_label("Text").fill("The sum of each rate is rounded.\n\n漢字")
    page.get_by_role("button", name="Save").click()
    page.locator("#said", has_text="changed").wait_for()

    assert page.locator(".note .body").inner_text() == "The sum of each rate is rounded.\n\n漢字"
    assert "Revision 3" in page.locator(".note .diffs summary").first.inner_text()
    assert page.locator(".note .diff .plus", has_text="漢字").is_visible()


def test_a_note_is_found_merged_with_another_and_the_merge_undone(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here(demo) + "/web/memory?q=refused+cards")
    for title in ("Refused cards come", "The payment provider"):
        page.locator(".row", has_text=title).get_by_role("checkbox").check()
    page.get_by_role("button", name="Merge").click()
    page.get_by_role("heading", name="Merge two notes").wait_for()

    assert page.get_by_label("Text").input_value().count("Look at `status`") == 1
    page.get_by_label("Title").fill("Refused cards answer 200")
    page.get_by_role("button", name="Merge").click()
    page.locator("#said", has_text=f'{name_of(demo, 6)} "The payment provider').wait_for()

    assert page.locator(".note h2").inner_text() == "Refused cards answer 200"
    assert "declined" in page.locator(".note .body").inner_text()
    assert f"{name_of(demo, 6)}, which is deleted" in page.locator(".links").inner_text()
    assert page.locator(".row", has_text="The payment provider").count() == 0
    assert f"note={name_of(demo, 10)}" in page.url

    undo(page)
    assert page.locator(".note h2").inner_text() == "Refused cards come with HTTP 200"
    assert (
        "which is deleted" not in page.locator(".links").inner_text()
    )  # it says the same as the other, and still does
    assert page.locator(".row", has_text="The payment provider").count() == 1
    page.get_by_role("button", name="Redo").click()
    page.locator(".note h2", has_text="Refused cards answer 200").wait_for()
    loaded(page)


def test_several_notes_are_deleted_with_the_keyboard_and_come_back(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here(demo) + "/web/memory")
    before = page.locator(".row").count()
    for key in "jxjx":
        page.keyboard.press(key)

    assert page.locator("#chosen-count").inner_text() == "2 chosen"
    page.get_by_role("button", name="Delete").click()
    page.locator("#said", has_text="2 notes deleted").wait_for()
    assert page.locator(".row").count() == before - 2
    undo(page)

    assert page.locator(".row").count() == before


def test_a_note_is_pinned_related_and_followed(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here(demo) + "/web/memory?note=9")
    page.get_by_role("button", name="Pin").click()
    page.locator("#said", has_text=f'{name_of(demo, 9)} "Coupons stack only by kind" pinned').wait_for()
    page.get_by_role("button", name="Relate").click()
    page.get_by_label("Type of the relation").select_option("depends_on")
    page.get_by_label("the note").fill(name_of(demo, 3))
    page.locator("form.relate").get_by_role("button", name="Relate").click()
    page.locator(".links", has_text="Stock is counted in a queue").wait_for()

    assert page.get_by_role("button", name="Unpin").is_visible()
    page.locator(".links a").click()
    page.locator(".note h2", has_text="Stock is counted in a queue").wait_for()
    page.locator(".links").get_by_role("button", name="Remove").click()
    page.locator(".links").wait_for(state="detached")
    page.go_back()
    page.locator(".note h2", has_text="Coupons stack").wait_for()


def test_what_one_window_changes_the_other_sees(demo, serve_here, browser_page) -> None:
    address = serve_here(demo) + "/web/memory?note=9"
    other = browser_page.context.new_page()
    for page in (browser_page, other):
        page.goto(address)
    other.get_by_role("button", name="Edit").click()
    other.get_by_label("Text").fill("mine")
    browser_page.get_by_role("button", name="Edit").click()
    browser_page.get_by_label("Text").fill("yours")
    browser_page.get_by_role("button", name="Save").click()
    browser_page.locator("#said", has_text="changed").wait_for()

    other.get_by_role("button", name="Save").click()
    other.locator("#said.bad", has_text="changed in the meantime").wait_for()
    assert other.get_by_label("Text").input_value() == "mine"
    other.reload()
    assert other.locator(".note .body").inner_text() == "yours"
    browser_page.get_by_role("button", name="Delete").click()
    other.locator(".row", has_text="Coupons stack").wait_for(state="detached")
    other.get_by_role("button", name="Restore").click()
    browser_page.locator(".row", has_text="Coupons stack").wait_for()
    browser_page.wrong.clear()


def test_sessions_lead_to_their_notes_and_a_new_session_is_told_of_them(
    demo, serve_here, browser_page
) -> None:
    page, address = browser_page, serve_here(demo)
    page.goto(address + "/web/memory/sessions")
    assert "Next: migrate old baskets." in page.locator(".session", has_text="checkout-2").inner_text()
    page.get_by_role("link", name="checkout-2").click()
    assert page.locator(".row").count() == 2

    page.get_by_role("link", name="New session").click()
    assert " [architecture] Amounts are cents everywhere" in page.locator(".session-start").inner_text()
    page.get_by_label("Agent").select_option("codex")
    page.wait_for_url("**agent=codex*")
    assert "A new session of Codex" in page.locator(".told").inner_text()


def test_pairs_are_settled_with_keys_and_buttons(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here(demo) + "/web/review")
    pairs = page.locator("[data-newer]")
    assert pairs.count() == 2

    pairs.first.focus()
    page.keyboard.press("3")
    page.locator("#said", has_text="supersedes").wait_for()
    assert pairs.count() == 1
    page.get_by_role("button", name="Keep the newer").click()
    page.locator("#said", has_text="is kept").wait_for()
    with closing(open_store(demo)) as store:
        assert store.get(6) is None
    undo(page)

    assert pairs.count() == 1
    with closing(open_store(demo)) as store:
        assert store.get(6) is not None
        assert [each.type for each in store.relations(2)] == ["supersedes"]


def test_an_inbox_is_reviewed_with_keys_and_buttons(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here(demo) + "/web/review")
    waiting = page.locator(".waiting")
    assert waiting.count() == 3
    assert "codex" in waiting.filter(has_text="running the rest now").locator(".about").inner_text()
    assert (
        "tells what is being done" in waiting.filter(has_text="running the rest").locator(".why").inner_text()
    )

    waiting.filter(has_text="running the rest now").focus()
    page.keyboard.press("3")
    page.locator("#said", has_text="1 note dropped").wait_for()
    page.locator(".waiting", has_text="running the rest").wait_for(state="detached")
    waiting.filter(has_text="tax table").get_by_role("button", name="Edit").click()
    waiting.get_by_label("Title").locator("visible=true").fill("Taxes are cached 一天")
    page.keyboard.press("Escape")
    waiting.filter(has_text="tax table").focus()
    page.keyboard.press("2")
    form = waiting.locator("form:not([hidden])")
    assert form.get_by_label("Title").input_value() == "The tax table is cached for a day"
    form.get_by_label("Title").fill("Taxes are cached 一天")
    form.get_by_role("button", name="Accept").click()
    page.locator("#said", has_text="Taxes are cached 一天").wait_for()
    assert waiting.count() == 1
    undo(page)
    assert waiting.count() == 2
    page.get_by_role("button", name="Accept all 2").click()
    page.locator("#said", has_text="2 notes accepted").wait_for()

    assert waiting.count() == 0
    with closing(open_store(demo)) as store:
        assert store.count_inbox() == 0
        assert {each.note.title for each in store.search("cached").items} == {
            "The tax table is cached for a day"
        }


def test_an_audit_s_plan_is_applied_and_undone(demo, serve_here, browser_page) -> None:
    page = browser_page
    with closing(open_store(demo)) as store:
        store.save_all(
            [
                NoteDraft(
                    f"same {n}", "The very same sentence about the walrus in the harbour.", project="shop"
                )
                for n in range(2)
            ]
        )
        before = store.count()
    page.goto(serve_here(demo) + "/web/review")
    page.locator("#audit summary").click()
    page.locator("#apply").click()
    page.locator("#said", has_text="deleted").wait_for()
    with closing(open_store(demo)) as store:
        assert store.count() < before
    undo(page)

    with closing(open_store(demo)) as store:
        assert store.count() == before


def test_the_log_takes_changes_back_and_deleted_notes_are_restored(demo, serve_here, browser_page) -> None:
    page, address = browser_page, serve_here(demo)
    page.goto(address + "/web/memory?note=9")
    page.get_by_role("button", name="Delete").click()
    page.locator("#said", has_text="deleted").wait_for()
    page.get_by_label("State").select_option("deleted")
    page.locator(".row a", has_text="Coupons stack").click()
    page.get_by_role("button", name="Restore").click()
    page.locator("#said", has_text="restored").wait_for()

    page.get_by_role("link", name="Log").click()
    latest = page.locator(".row").first
    assert "restore" in latest.inner_text()
    latest.get_by_role("button", name="Undo").click()
    page.locator(".row.is-undone", has_text="restore").wait_for()
    with closing(open_store(demo)) as store:
        assert store.get(9) is None
    page.locator(".row").first.get_by_role("button", name="Redo").click()
    page.locator("#said", has_text="Taken back: undo").wait_for()
    with closing(open_store(demo)) as store:
        assert store.get(9) is not None


def test_origins_narrow_the_list(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here(demo) + "/web/memory")
    page.get_by_label("Origin").select_option("person")
    page.locator(".row", has_text="Stock is counted").wait_for(state="detached")

    assert page.locator(".row", has_text="Amounts are cents everywhere").count() == 1
    assert "origin=person" in page.url


def test_a_narrow_window_shows_the_list_or_the_note(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(serve_here(demo) + "/web/memory")
    page.locator(".row a", has_text="Coupons stack").click()
    page.locator(".note h2", has_text="Coupons stack").wait_for()

    assert not page.locator(".list").is_visible()
    page.get_by_role("link", name="Back to the list").click()
    assert page.locator(".list").is_visible()


def test_later_pages_are_turned_to(demo, serve_here, browser_page) -> None:
    with closing(open_store(demo)) as store:
        store.save_all([NoteDraft(f"note {n}", f"text {n}", project="shop") for n in range(40)])
    page = browser_page
    page.goto(serve_here(demo) + "/web/memory")
    page.get_by_role("link", name="Next page").click()
    page.get_by_role("link", name="First page").wait_for()

    assert page.locator(".row", has_text="Coupons stack").is_visible()
    page.go_back()
    page.get_by_role("link", name="First page").wait_for(state="detached")
    assert page.locator(".row", has_text="note 39").is_visible()
