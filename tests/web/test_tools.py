"""The screen of tools in a real browser."""

import pytest

pytestmark = pytest.mark.slow

LONG = "".join(
    f"## Part {n}\n\nAlways run `make test-{n}` before a commit. Never touch `generated/{n}`.\n\n"
    for n in range(430)
)


def test_a_newcomer_sees_where_a_tool_stops_reading(world, serve_here, browser_page) -> None:
    world.write("AGENTS.md", LONG)
    (world.home / ".codex").mkdir()

    browser_page.goto(serve_here())

    tool = browser_page.locator(".tool", has_text="Codex")
    assert len(LONG.encode()) > 37_000
    assert f"{len(LONG.encode()):,} of 32,768 bytes" in tool.inner_text()
    assert "bytes cut off" in tool.locator(".flag.bad").inner_text()
    assert "rules lost" in tool.locator(".flag.bad").inner_text()
    line, lost = tool.locator("line.cut-off"), tool.locator(".bar rect.s-lost")
    assert float(line.get_attribute("x1")) == float(lost.get_attribute("x")) > 700


def test_where_no_tool_is_found_the_page_says_what_to_do(world, serve_here, browser_page) -> None:
    browser_page.goto(serve_here())

    assert browser_page.get_by_role("heading", name="No AI tool was found here").is_visible()
    browser_page.get_by_role("link", name="Show them all").click()
    assert browser_page.locator(".tool").count() > 20


def test_our_packs_have_pieces_of_their_own_in_the_bar(demo, serve_here, browser_page) -> None:
    browser_page.goto(serve_here(demo))

    tool = browser_page.locator(".tool", has_text="Gemini CLI")
    assert {"git", "testing", "billing"} <= {
        text.split("\n")[0] for text in tool.locator(".legend li").all_inner_texts()
    }


def test_the_keyboard_reaches_everything(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here(demo))

    page.keyboard.press("?")
    assert page.locator("dialog#keys").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog#keys").is_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.textContent").startswith("Codex")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    page.wait_for_url("**/web/reading?tool=claude-code*")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "tool"
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.wait_for_url("**/")


def test_a_chosen_theme_stays(demo, serve_here, browser_page) -> None:
    page = browser_page
    page.goto(serve_here(demo))
    page.get_by_role("button", name="Light or dark").click()

    page.reload()

    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_what_our_server_and_hook_cost_comes_after_the_rest(world, serve_here, browser_page) -> None:
    (world.home / ".codex").mkdir()
    assert world.modicum("setup", "codex").code == 0
    page = browser_page

    page.goto(serve_here())
    before = page.locator(".tool", has_text="Codex").locator(".legend").inner_text()
    page.locator(".legend li", has_text="tool descriptions").wait_for(timeout=60_000)

    assert "tool descriptions" not in before
    number = page.locator(".legend li", has_text="tool descriptions").locator("b").inner_text()
    assert int(number.replace(",", "")) > 100
