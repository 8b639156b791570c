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

from modicum.app.memory.notes import open_store
from modicum.base.config import load_config
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
Shown = Callable[[str, int], int]  # at a level, in so many tokens


@pytest.fixture
def store(world, starters: None):
    found = open_store(load_config())
    yield found
    found.close()


def fill(world, store: Store) -> None:
    notes = [NoteDraft(f"Note {n:02}", f"The word is {n:02}.", "decision", "project", "s") for n in range(30)]
    store.save_all(notes)
    for number in range(1, 13):
        world.write(f"docs/adrs/{number:03}-word.md", f"# {number:03}. Word {number:02}\n\nUse the word.\n")


def at_the_command_line(world, store: Store, words: tuple[str, ...], level: str, most: int) -> int:
    said = world.modicum(*words, "--detail", level, "--max-tokens", str(most), "--json")
    return int(said.json["shown"])


def over_http(world, store: Store, path: str, query: dict[str, str], level: str, most: int) -> int:
    from modicum.http.server import HttpApp

    client = sys.modules["serving"].Client(HttpApp(store, config=load_config()))
    words = urlencode({**query, "detail": level, "max_tokens": most})
    page = client.get(f"{path}?{words}").json()
    return int(page["shown"])


def by_a_tool(world, store: Store, name: str, arguments: dict[str, Any], level: str, most: int) -> int:
    from modicum.mcp.server import call
    from modicum.mcp.sets import choose_tools
    from modicum.mcp.tool import ToolContext

    context = ToolContext(load_config(), store, "project")
    given = {**arguments, "detail_level": level, "max_tokens": most}
    result: Any = call(context, choose_tools(["all"]), name, given)
    assert not result.get("isError"), result
    data = result.get("structuredContent")
    return int(data["shown"]) if data else int(bool(result["content"][0]["text"]))


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
        numbers = [shown(level, most) for most in budgets]
        assert numbers == sorted(numbers), (door, [*zip(budgets, numbers, strict=True)])
        assert numbers[-1] > 3, door


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.text(max_size=20), st.text(max_size=200)), min_size=1, max_size=9),
    st.tuples(st.integers(0, 500), st.integers(0, 120)),
    st.sampled_from(LEVELS),
    st.sampled_from(["recall", "search"]),
)
def test_a_larger_budget_never_shows_fewer_items(world, store, notes, budget, level: str, name: str) -> None:
    store.save_all([NoteDraft(title, f"word {text}", project="project") for title, text in notes])

    for door, shown in doors(world, store, name).items():
        fewer, more = shown(level, budget[0]), shown(level, sum(budget))
        # Tokens do not quite add up where texts meet.
        assert fewer <= more + 1, door


def test_the_json_of_every_door_has_one_shape(world, store) -> None:
    fill(world, store)
    said = world.modicum("search", "word", "--max-tokens", "200", "--json").json
    from modicum.http.server import HttpApp

    client = sys.modules["serving"].Client(HttpApp(store, config=load_config()))
    heard = client.get("/v1/search?q=word&max_tokens=200").json()

    assert list(said) == list(heard)
    # How many fit depends on the tokens of their ids, and on what each door puts around a page.
    pairs = [*zip(said["items"], heard["items"], strict=False)]
    assert [list(item) for item, _ in pairs] == [list(item) for _, item in pairs]
    assert len(pairs) > 3
    assert json.dumps(heard)
