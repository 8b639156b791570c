"""What holds for every reading tool, at every level, in any budget, on any store."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modicum.engine.tokens import count
from modicum.mcp.server import call
from modicum.mcp.sets import choose_tools
from modicum.mcp.tool import ToolContext
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft
from modicum.memory.store import Store

EXAMPLES = int(os.environ.get("MODICUM_EXAMPLES", "20"))
TOOLS = choose_tools(["all"])
LEVELS = ("summary", "standard", "full")
MEMORY: dict[str, dict[str, Any]] = {
    "mem_context": {},
    "mem_search": {"query": "word"},
    "mem_timeline": {"id": 1, "before": 3, "after": 9},
}
PACKS: dict[str, dict[str, Any]] = {
    "pack_read": {},
    "pack_list": {},
    "pack_search": {"query": "why does a commit fail"},
}

WORDS = st.text(alphabet=st.sampled_from('ab cdé中文😀\n\r#*`-."\\'), max_size=60)
TEXT = st.one_of(WORDS, st.tuples(WORDS, st.integers(1, 120)).map(lambda pair: f"{pair[0]} word. " * pair[1]))
NOTES = st.lists(st.tuples(TEXT, TEXT, st.booleans()), min_size=1, max_size=14)
BUDGETS = st.one_of(st.integers(20, 300), st.integers(20, 3_000), st.integers(20, 20_000))


@contextmanager
def store_of(folder: Path, notes: list[tuple[str, str, bool]]) -> Iterator[Store]:
    store = Store(SqliteDatabase(folder / f"{len(list(folder.iterdir()))}.db"), dedupe_seconds=0)
    drafts = [
        NoteDraft(title[:200] or "t", f"word {number} {text}", "decision", "shop", f"s{number % 2}")
        for number, (title, text, _) in enumerate(notes)
    ]
    store.save_all(drafts)
    store.add_prompt(f"what? {notes[0][1]}", project="shop", session_id="s0")
    store.end_session("s1", notes[0][0])
    for number, (_, _, pinned) in enumerate(notes, 1):
        if pinned:
            store.pin(number)
    yield store
    store.close()


def ask(desk: ToolContext, name: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    result: Any = call(desk, TOOLS, name, arguments)
    assert not result.get("isError"), result
    return result["content"][0]["text"], result.get("structuredContent", {})


def pages(desk: ToolContext, name: str, arguments: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    cursor: dict[str, Any] = {}
    for _ in range(300):
        text, data = ask(desk, name, {**arguments, **cursor})
        yield text, data
        following = data["next"] if data else re.search(r"cursor=(\S+)$", text)
        if not following:
            return
        cursor = {"cursor": following if data else following[1]}
    raise AssertionError("there is no end")


def check_page(desk: ToolContext, text: str, data: dict[str, Any], most: int) -> None:
    assert count(text) <= most
    if not data:
        return  # with so little room there is one item, and only its text
    assert count(json.dumps(data, ensure_ascii=False, separators=(",", ":"))) <= most
    assert (data["text"], data["used"], data["limit"]) == (text, count(text), most)
    assert data["shown"] == len(data["items"]) <= data["total"]
    assert 0 <= data["omitted"] <= data["total"] - data["shown"]
    if data["next"]:
        counts = re.match(r"(\d+) of (\d+) shown(?:.*?, (\d+) left)?", text.rsplit("\n", 1)[-1])
        assert counts is not None
        assert [int(part or 0) for part in counts.groups()] == [data["shown"], data["total"], data["omitted"]]
    for item in data["items"]:
        assert item in text
        whole = ask(desk, "mem_get", {"id": item}) if "pack:" not in str(item) else None
        assert whole is None or whole[1]["id"] == item


def shown_on(text: str, data: dict[str, Any]) -> list[Any]:
    """The items that a page tells of, also of one that is only text, and what was too large for it."""
    if data:
        return [*data["items"], *([data["too_large"]] if "too_large" in data else [])]
    found = re.findall(r"^(?:- )?(n-[0-9a-z]{6}|\w+:\S+)", text, re.MULTILINE)[:1]
    return [key.rstrip(":") for key in found]


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    NOTES,
    BUDGETS,
    st.sampled_from(LEVELS),
    st.sampled_from(sorted(MEMORY)),
    st.none() | st.integers(1, 9),
)
def test_replies_are_never_over_and_pages_tell_of_everything_once(
    tmp_path: Path, config, notes, most: int, level: str, name: str, limit: int | None
) -> None:
    with store_of(tmp_path, notes) as store:
        desk = ToolContext(config, store, "shop")
        arguments = {**MEMORY[name], "detail_level": level, "max_tokens": most}
        told: list[Any] = []
        if limit and name != "mem_timeline":  # which is asked how many before and after
            arguments["limit"] = limit
        for text, data in pages(desk, name, arguments):
            check_page(desk, text, data, most)
            told += shown_on(text, data)
        assert len(told) == len(set(told))
        assert not data or len(told) == data["total"]


@pytest.mark.parametrize("name", PACKS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("most", [70, 400, 20_000])
def test_packs_are_never_over_and_their_pages_tell_of_everything_once(
    desk: ToolContext, name: str, level: str, most: int
) -> None:
    told: list[Any] = []
    for text, data in pages(desk, name, {**PACKS[name], "detail_level": level, "max_tokens": most}):
        assert count(text) <= most
        told += shown_on(text, data)
    _, everything = ask(desk, name, PACKS[name])
    assert len(told) == len(set(told)) == everything["total"] > 2


BUDGET_PAIRS = st.tuples(st.integers(0, 900), st.integers(0, 200)).map(lambda pair: (pair[0], sum(pair)))


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NOTES, BUDGET_PAIRS, st.sampled_from(LEVELS), st.sampled_from(sorted(MEMORY)))
def test_a_larger_budget_never_shows_fewer_items(
    tmp_path: Path, config, notes, budgets: tuple[int, int], level: str, name: str
) -> None:
    with store_of(tmp_path, notes) as store:
        desk = ToolContext(config, store, "shop")
        less, more = (
            shown_on(*ask(desk, name, {**MEMORY[name], "detail_level": level, "max_tokens": most}))
            for most in budgets
        )
        # Two tokens may become one where texts meet, so that sizes do not quite add up.
        assert len(less) <= len(more) + 1


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", MEMORY)
def test_with_notes_of_one_size_the_number_of_items_never_falls(
    desk: ToolContext, name: str, level: str
) -> None:
    desk.store.save_all(
        [NoteDraft(f"Note {n:02}", f"The word is {n:02}.", "decision", "shop", "s") for n in range(30)]
    )
    arguments = {**MEMORY[name], "detail_level": level, "limit": 30}
    numbers = [
        len(shown_on(*ask(desk, name, {**arguments, "max_tokens": most}))) for most in range(10, 900, 5)
    ]

    assert numbers == sorted(numbers)
    assert numbers[-1] >= 10


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", PACKS)
def test_with_a_larger_budget_packs_never_show_fewer_parts(desk: ToolContext, name: str, level: str) -> None:
    arguments = {**PACKS[name], "detail_level": level}
    numbers = [
        len(shown_on(*ask(desk, name, {**arguments, "max_tokens": most}))) for most in range(10, 900, 20)
    ]

    assert numbers == sorted(numbers)


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXT, st.integers(90, 3_000))
def test_a_note_is_whole_by_pages_too(tmp_path: Path, config, text: str, most: int) -> None:
    # So little room may be left beside name and cursor that a page has two characters.
    text = text[: 500 if most < 400 else 25 * most]
    with store_of(tmp_path, [("t", text, False)]) as store:
        desk, kept = ToolContext(config, store, "shop"), store.get(1)
        assert kept is not None
        found = [*pages(desk, "mem_get", {"id": 1, "max_tokens": most})]

        assert all(count(page) <= most for page, _ in found)
        if all(data for _, data in found):
            assert "".join(data["content"] for _, data in found) == kept.content
            assert all(data["content"] in page for page, data in found)
        else:  # with so little room, only the text is handed over
            heads = [page.split("\n\n", 1)[1].rsplit("\n\n", 1)[0] for page, _ in found]
            assert "".join(heads).split() == kept.content.split() or len(found) == 1


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NOTES, st.integers(400, 20_000))
def test_full_is_byte_for_byte_unless_one_note_alone_is_too_large(
    tmp_path: Path, config, notes, most: int
) -> None:
    with store_of(tmp_path, notes) as store:
        desk, seen = ToolContext(config, store, "shop"), {}
        for text, data in pages(desk, "mem_context", {"detail_level": "full", "max_tokens": most}):
            seen |= {item: text for item in data["items"] if isinstance(item, int)}
        for number, text in seen.items():
            note = store.get(number)
            assert note is not None
            assert note.content in text or "shortened" in text
