"""The second law reaches the reader: at no door does a larger budget show fewer items."""

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modicum.app.answer.amount import TOKENIZER
from modicum.app.memory.notes import open_store
from modicum.app.whose import project_of
from modicum.base.config import load_config
from modicum.engine import tokens
from modicum.memory.model import NoteDraft
from modicum.memory.store import Store

LEVELS = ("summary", "standard", "full")
# What is read, at the command line, over HTTP, and by a tool.
READS: dict[str, tuple[tuple[str, ...], str, dict[str, str], str, dict[str, Any]]] = {
    "recall": (("recall",), "/v1/recall", {}, "mem_context", {}),
    "search": (("search", "word"), "/v1/search", {"q": "word"}, "mem_search", {"query": "word"}),
    "timeline": (("show", "9", "--around", "5"), "/v1/timeline", {"note": "9"}, "mem_timeline", {"id": "9"}),
    "check": (
        ("check", "use the word"),
        "/v1/specs/check",
        {"q": "use the word"},
        "sdd_context_check",
        {"change_description": "use the word"},
    ),
    "packs": (("show", "git"), "/v1/packs", {"q": "commit"}, "pack_search", {"query": "commit"}),
}
Shown = Callable[[str, int], list[str]]  # the keys of what is shown, at a level, in so many tokens
BARE = "an item as text, without its key"  # all that a tool's reply has room for


@pytest.fixture
def letters(monkeypatch) -> None:
    """Tokens are letters, which add up: what holds for the line holds to the letter."""
    monkeypatch.setitem(tokens._MEASURES, TOKENIZER, len)


@pytest.fixture
def store(world, starters: None):
    found = open_store(load_config())
    yield found
    found.close()


@pytest.fixture
def filled(store: Store) -> Store:
    """A store in which there is a ninth note to look around from."""
    mine = project_of(store, load_config(), writing=True)
    store.save_all([NoteDraft(f"Note {n}", f"The word is {n}.", project=mine) for n in range(9)])
    return store


def fill(world, store: Store) -> None:
    mine = project_of(store, load_config(), writing=True)
    notes = [NoteDraft(f"Note {n:02}", f"The word is {n:02}.", "decision", mine, "s") for n in range(30)]
    store.save_all(notes)
    for number in range(1, 13):
        world.write(f"docs/adrs/{number:03}-word.md", f"# {number:03}. Word {number:02}\n\nUse the word.\n")


def at_the_command_line(world, store: Store, words: tuple[str, ...], level: str, most: int) -> list[str]:
    said = world.modicum(*words, "--detail", level, "--max-tokens", str(most), "--json")
    return [item["key"] for item in said.json["items"]]


def over_http(world, store: Store, path: str, query: dict[str, str], level: str, most: int) -> list[str]:
    from modicum.http.server import HttpApp

    client = sys.modules["serving"].Client(HttpApp(store, config=load_config()))
    words = urlencode({**query, "detail": level, "max_tokens": most})
    return [item["key"] for item in client.get(f"{path}?{words}").json()["items"]]


def by_a_tool(world, store: Store, name: str, arguments: dict[str, Any], level: str, most: int) -> list[str]:
    from modicum.mcp.server import call
    from modicum.mcp.sets import choose_tools
    from modicum.mcp.tool import ToolContext

    context = ToolContext(load_config(), store, "")
    given = {**arguments, "detail_level": level, "max_tokens": most}
    result: Any = call(context, choose_tools(["all"]), name, given)
    assert not result.get("isError"), result
    data = result.get("structuredContent")
    return list(data["items"]) if data else [BARE] * bool(result["content"][0]["text"])


def doors(world, store: Store, name: str) -> dict[str, Shown]:
    words, path, query, tool, arguments = READS[name]
    return {
        "cli": partial(at_the_command_line, world, store, words),
        "http": partial(over_http, world, store, path, query),
        "mcp": partial(by_a_tool, world, store, tool, arguments),
    }


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", READS)
def test_with_items_of_one_size_the_number_shown_never_falls(world, store, name: str, level: str) -> None:
    fill(world, store)
    budgets = (*range(0, 420, 28), 600, 900, 1300)

    for door, shown in doors(world, store, name).items():
        numbers = [len(shown(level, most)) for most in budgets]
        assert numbers == sorted(numbers), (door, [*zip(budgets, numbers, strict=True)])
        assert numbers[-1] > 3, door


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.text(max_size=20), st.text(max_size=200)), min_size=1, max_size=9),
    st.tuples(st.integers(0, 2500), st.integers(0, 400)),
    st.sampled_from(LEVELS),
    st.sampled_from([*READS]),
)
def test_a_larger_budget_shows_what_a_smaller_one_shows_and_more(
    letters, world, filled, notes, budget, level: str, name: str
) -> None:
    mine = project_of(filled, load_config(), writing=True)
    filled.save_all([NoteDraft(title, f"word {text}", project=mine) for title, text in notes])

    for door, shown in doors(world, filled, name).items():
        fewer, more = shown(level, budget[0]), shown(level, sum(budget))
        assert {*fewer} <= {*more} or (fewer == [BARE] and more), door


def test_the_json_of_every_door_has_one_shape(world, store) -> None:
    fill(world, store)
    from modicum.http.server import HttpApp

    client = sys.modules["serving"].Client(HttpApp(store, config=load_config()))
    for most in (200, 20_000):
        said = world.modicum("search", "word", "--max-tokens", str(most), "--json").json
        heard = client.get(f"/v1/search?q=word&max_tokens={most}").json()

        assert list(said) == list(heard)
        # The doors word the closing line differently, so that at a limit one of them may have room for one more.
        assert abs(len(said["items"]) - len(heard["items"])) <= (most == 200)
        pairs = [*zip(said["items"], heard["items"], strict=False)]
        assert [list(item) for item, _ in pairs] == [list(item) for _, item in pairs]
        assert len(pairs) > 3
        assert json.dumps(heard)
    assert said["items"] == heard["items"]
