"""What a hostile text or a stranger can do in the browser: nothing."""

import time
from contextlib import closing

import pytest

from modicum.app.memory.notes import open_store
from modicum.base.config import load_config
from modicum.memory.model import NoteDraft
from modicum.web.files import static_folder
from modicum.web.key_files import write_redirect
from modicum.web.keys import KEYS, new_key

pytestmark = pytest.mark.slow

HOSTILE = (
    "# <script>window.done = 1</script><img src=x onerror='window.done = 1'>\n\n"
    "[here](javascript:window.done=1) \x1b[31mred\x1b[0m \u202eevil\u202c {{ 7 * 7 }} &lt;b&gt; 漢字\n"
)


def test_hostile_text_is_shown_and_does_nothing(world, serve_here, browser_page) -> None:
    world.write("AGENTS.md", HOSTILE)
    world.pack("bad</textarea>".replace("</textarea>", ""), context=HOSTILE)
    (world.home / ".codex").mkdir()
    page = browser_page
    address = serve_here()
    for path in ("/", "/web/reading?tool=codex", "/web/reading?tool=codex&view=after"):
        page.goto(address + path)
        assert page.evaluate("window.done") is None
    text = page.locator("#text").inner_text()

    assert "<script>window.done = 1</script>" in text
    assert "␛[31mred" in text
    assert "⟨U+202E⟩evil" in text
    assert "{{ 7 * 7 }} &lt;b&gt; 漢字" in text
    assert page.locator("#text img, #text a[href^=javascript]").count() == 0


def test_a_hostile_note_is_shown_and_does_nothing(world, serve_here, browser_page) -> None:
    page, address = browser_page, serve_here()
    with closing(open_store(load_config())) as store:
        number = store.save(
            NoteDraft(HOSTILE, HOSTILE, "<b>type</b>", "</option><script>", "'\"><script>x")
        ).id
        other = store.save(
            NoteDraft("<img src=x onerror='window.done = 1'>", HOSTILE + "!", "manual", "</option>")
        ).id
        store.relate(other, number, "contradicts", note="<script>window.done = 1</script>")
        waits = (
            store.with_origin("agent:<script>").save_waiting(NoteDraft(HOSTILE, HOSTILE, "<b>"), HOSTILE).id
        )
        store.through("<script>").in_one_batch("<img src=x onerror='window.done = 1'>").pin(number)
    for path in (
        *(f"/web/memory?project=*&note={number}", "/web/memory?q=<script>window.done&project=*"),
        *("/web/memory/sessions?project=*", f"/web/memory/merge?keep={number}&other={other}"),
        *("/web/memory/log", f"/web/memory?project=*&state=inbox&note={waits}"),
        *("/web/review?project=*", "/web/memory/session-start", f"/web/memory?project=*&note={other}"),
    ):
        page.goto(address + path)
        assert page.evaluate("window.done") is None
        assert page.locator("main img, main a[href^=javascript], main script").count() == 0
    page.get_by_role("button", name="Edit").click()
    text = page.locator(".pane").inner_text()

    assert "<img src=x onerror" in page.locator(".note h2").inner_text()
    assert "<script>window.done = 1</script>" in text
    assert "⟨U+202E⟩evil" in page.locator(".list").inner_text()
    assert page.evaluate("window.done") is None


def test_the_policy_lets_no_script_run_that_is_not_ours(world, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here())

    page.evaluate(
        "() => { const made = document.createElement('script'); made.textContent = 'window.done = 1'; document.body.append(made); }"
    )

    assert page.evaluate("window.done") is None
    assert any("Content Security Policy" in line for line in page.wrong)
    page.wrong.clear()


def test_what_the_server_refuses_before_it_knows_the_page_is_said_in_its_words(
    world, serve_here, browser_page
) -> None:
    page = browser_page
    page.goto(serve_here())

    page.evaluate(
        f"import('{static_folder()}/page.js').then((it) => it.send('/web/memory/pin', {{ id: 'x'.repeat(70000), pinned: true }}))"
    )

    assert page.locator("#said").inner_text() == "the body is too large: send at most 65536 bytes"
    page.wrong.clear()  # the browser reports the 413


def test_a_person_signs_in_with_the_browser_and_changes_something(world, serve_here, browser_page) -> None:
    page = browser_page
    secret = world.modicum("team", "token", "new", "anna", "--for", "person", "--json", "--yes").json["token"]
    world.modicum("save", "Walrus", "words of memory")
    page.goto(serve_here(has_tokens=True))
    page.get_by_text("Sign in with a token").click()
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    page.locator("#wrong", has_text="does not know this token").wait_for()

    page.get_by_label("Token").fill(secret)
    page.get_by_role("button", name="Sign in").click()
    page.locator(".person", has_text="anna").wait_for()
    page.evaluate(
        f"import('{static_folder()}/page.js').then((it) => it.send('/web/memory/pin', {{ id: 1, pinned: true }}))"
    )

    assert world.modicum("recall", "--json").json["items"][0]["title"] == "Walrus"
    page.wrong.clear()  # the browser reports each 401


def test_a_key_leaves_the_address_and_two_tabs_share_the_page(world, serve_here, browser_page) -> None:
    address = serve_here()
    used = f"{address}/web/open?key={new_key(KEYS.secret, time.time())}"
    with closing(open_store(load_config())) as store:
        number = store.save(NoteDraft("Walrus", "words of memory")).id
    first, second = browser_page, browser_page.context.new_page()
    second.goto(used)
    second.wait_for_url(f"{address}/")

    assert "key" not in second.evaluate("location.href + document.referrer")
    pin = f"import('{static_folder()}/page.js').then((it) => it.send('/web/memory/pin', {{ id: {number}, pinned: true }}))"
    assert first.evaluate(pin) is not None
    assert second.evaluate(pin) is not None
    second.goto(used)
    second.get_by_role("heading", name="this address opens the page once").wait_for()


def test_a_browser_that_comes_from_the_private_file_is_let_in(world, serve_here, browser_page) -> None:
    address = serve_here(has_tokens=True)
    file = write_redirect(load_config().data, f"{address}/web/open?key={new_key(KEYS.secret, time.time())}")

    browser_page.goto(file.as_uri())

    browser_page.wait_for_url(f"{address}/")
    browser_page.get_by_role("heading", name="No AI tool was found here").wait_for()
