"""Every filter means the same at every door, and no door that lists notes, sessions or prompts has forgotten one."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.app.memory.notes import open_store
from modicum.base.config import load_config
from modicum.cli.commands import COMMANDS
from modicum.cli.main import find_command
from modicum.http.server import HttpApp
from modicum.http.v1.records import PageJson
from modicum.http.v1.routes import V1
from modicum.mcp.sets import choose_tools
from modicum.mcp.tool import ToolContext
from modicum.memory.filters.model import FILTERS, NAMES, ItemKind, filters_of, parse_query
from modicum.memory.model import NoteDraft, Query
from modicum.memory.store import Store
from modicum.web.routes import WEB

NOTES, SESSIONS, PROMPTS = (ItemKind.NOTE,), (ItemKind.SESSION,), (ItemKind.PROMPT,)
ALL = (*NOTES, *SESSIONS, *PROMPTS)


class Door(NamedTuple):
    """A door that lists items: which, and what it does on its own."""

    kinds: tuple[ItemKind, ...]
    wide: bool = False  # notes of scope global are of every project
    waiting: bool = False  # lists the inbox
    without: tuple[str, ...] = ()  # it has a word of its own for it
    given: tuple[str, ...] = ()  # what it needs beside


# Every command that is asked for a page, or for all projects; those that list nothing of memory with None.
COMMAND_DOORS: dict[str, Door | None] = {
    "search": Door(NOTES, wide=True, given=("walrus", "--limit", "100")),
    "recall": Door(ALL, wide=True, given=("--limit", "100")),
    "delete": Door(NOTES, given=("--query", "walrus", "--limit", "100", "--dry-run")),
    "memory compact": Door(NOTES, without=("until",), given=("--before", "2100-01-01")),
    "memory inbox list": Door(NOTES, waiting=True, given=("--limit", "100")),
    "memory sessions list": Door(SESSIONS, given=("--limit", "100")),
    **dict.fromkeys(("show", "check", "memory projects list", "memory audit", "memory log", "team log")),
    **dict.fromkeys(f"spec {name}" for name in ("context", "suggest", "review", "audit", "scan")),
}
# Every route that replies with a page.
ROUTE_DOORS: dict[str, Door | None] = {
    "/v1/search": Door(NOTES, wide=True, given=("q", "walrus", "limit", "100")),
    "/v1/recall": Door(ALL, wide=True, given=("limit", "100")),
    "/v1/notes": Door(NOTES, given=("limit", "100")),
    "/v1/inbox": Door(NOTES, waiting=True, given=("limit", "100")),
    "/v1/sessions": Door(SESSIONS, given=("limit", "100")),
    "/v1/prompts": Door(PROMPTS, given=("limit", "100")),
    **dict.fromkeys(("/v1/timeline", "/v1/projects", "/v1/packs", "/v1/packs/{key:path}", "/v1/specs")),
}
# Every tool that is asked how much, and for which project.
TOOL_DOORS: dict[str, Door | None] = {
    "mem_search": Door(NOTES, wide=True, given=("query", "walrus")),
    "mem_context": Door(ALL, wide=True),
    "mem_compact": Door(NOTES, without=("until",), given=("before", "2100-01-01")),
}
# The list of notes on the page, in two of its states.
PAGE_DOORS: dict[str, Door | None] = {
    "all": Door(NOTES),
    "inbox": Door(NOTES, waiting=True, given=("state", "inbox")),
}

WORDS: Mapping[str, Sequence[str]] = {
    "project": ("shop", "other"),
    "scope": ("project", "personal", "global"),
    "type": ("decision", "bugfix", "never-used"),
    "namespace": ("agent/a", "agent/b"),
    "session": ("s-shop", "s-other", "manual-save-shop"),
    "since": ("2026-04-09", "2026-04-11T12:00:00Z", "2027-01-01"),
    "until": ("2026-04-09", "2026-04-11T12:00:00Z", "2025-01-01"),
    "origin": ("person", "agent", "agent:codex", "hook"),
}


class Listed(NamedTuple):
    """What a door has listed, and how many it says that there are, if it does."""

    keys: set[str]
    total: int | None = None


Ask = Callable[[str, Door, Mapping[str, str]], Listed]


def commands() -> Iterator[tuple[str, click.Command]]:
    def below(command: click.Command, words: str) -> Iterator[tuple[str, click.Command]]:
        if not isinstance(command, click.Group):
            yield words, command
            return
        for name, each in command.commands.items():
            yield from below(each, f"{words} {name}")

    for name in COMMANDS:
        yield from below(find_command(name), name)


def options(command: click.Command) -> set[str]:
    return {word.removeprefix("--") for each in command.params for word in each.opts}


def expected(door: Door) -> set[str]:
    return {each.name for each in filters_of(*door.kinds)} - set(door.without)


def doors(table: Mapping[str, Door | None]) -> list[tuple[str, Door]]:
    return [(name, door) for name, door in table.items() if door]


def test_no_command_that_lists_has_forgotten_a_filter() -> None:
    found = {
        words: options(each)
        for words, each in commands()
        if options(each) & {"cursor", "all-projects", "since", "until", "origin"}
    }

    assert found.keys() == COMMAND_DOORS.keys()
    assert {words: found[words] & set(NAMES) for words, _ in doors(COMMAND_DOORS)} == {
        words: expected(door) for words, door in doors(COMMAND_DOORS)
    }


def test_no_route_that_lists_has_forgotten_a_filter() -> None:
    found = {
        each.path: {one.name for one in each.parameters}
        for each in V1.routes
        if each.reply is PageJson and not each.writes
    }

    assert found.keys() == ROUTE_DOORS.keys()
    assert {path: found[path] & set(NAMES) for path, _ in doors(ROUTE_DOORS)} == {
        path: expected(door) for path, door in doors(ROUTE_DOORS)
    }


def argument(name: str) -> str:
    return "session_id" if name == "session" else name


def test_no_tool_that_lists_has_forgotten_a_filter() -> None:
    tools = choose_tools(["all"]).tools.values()
    found = {each.name: set(each.known) for each in tools if {"detail_level", "project"} <= set(each.known)}

    assert found.keys() == TOOL_DOORS.keys()
    known = {argument(name) for name in NAMES}
    assert {name: found[name] & known for name, _ in doors(TOOL_DOORS)} == {
        name: {argument(each) for each in expected(door)} for name, door in doors(TOOL_DOORS)
    }


@pytest.fixture
def filled(world) -> Iterator[Store]:
    """A memory with something of every kind, over nine days."""
    clock = sys.modules["serving"].Clock()
    opened = open_store(load_config())
    store = Store(opened.database, clock=clock)
    number = 0
    for project in ("shop", "other"):
        store.start_session(f"s-{project}", project=project, namespace="agent/a")
        for scope in ("project", "personal", "global"):
            for kind, said in (("decision", "person"), ("bugfix", "agent:codex"), ("bugfix", "agent")):
                number += 1
                clock.seconds += 11 * 3600
                draft = NoteDraft(
                    f"title {number}", f"walrus body {number}", kind, project, scope=scope,
                    session_id=f"s-{project}" if number % 3 else "",
                    namespace=f"agent/{'ab'[number % 2]}" if number % 4 else "",
                )  # fmt: skip
                saved = store.with_origin(said).save(draft)
                store.with_origin(said).save_waiting(draft._replace(title=f"waits {number}"), "a test")
                if number % 5 == 0:
                    store.pin(saved.id)
        for name in ("", "agent/a", "agent/b"):
            store.add_prompt(f"why {name}?", session_id=f"s-{project}", project=project, namespace=name)
    yield store
    store.close()


def wanted(store: Store, door: Door, words: Mapping[str, str]) -> set[str]:
    """What there is in the memory that is asked for, as the oracle sees it."""
    admits, admits_widely = (
        getattr(sys.modules["filter_oracle"], name) for name in ("admits", "admits_widely")
    )
    every, found = Query(limit=500), set[str]()
    query = parse_query(words)
    is_asked = admits_widely if door.wide else admits
    if ItemKind.NOTE in door.kinds:
        notes = (
            [each.note for each in store.inbox(every).items] if door.waiting else store.recent(every).items
        )
        is_compaction = "until" in door.without  # which leaves pins alone
        found |= {
            each.public_id for each in notes if is_asked(query, each) and not (is_compaction and each.pinned)
        }
    if ItemKind.SESSION in door.kinds:
        found |= {f"session:{each.id}" for each in store.sessions(every).items if admits(query, each)}
    if ItemKind.PROMPT in door.kinds:
        found |= {f"prompt:{each.id}" for each in store.prompts(every).items if admits(query, each)}
    return found


def keys(items: Sequence[Mapping[str, Any]]) -> set[str]:
    return {str(each["key"]).removeprefix("note:") for each in items}


def typed(world) -> Ask:
    """Asks a command."""

    def ask(name: str, door: Door, words: Mapping[str, str]) -> Listed:
        flags = [part for each, word in words.items() for part in (f"--{each}", word)]
        flags += [] if "project" in words else ["--all-projects"]
        said = world.modicum(*name.split(), *door.given, *flags, "--json")
        if said.code and "no note answers" in said.out:  # of `delete`
            return Listed(set())
        assert said.code == 0, said.err
        return (
            Listed(set(said.json["ids"]))
            if name == "delete"
            else Listed(keys(said.json["items"]), said.json["total"])
        )

    return ask


def sent(client) -> Ask:
    """Asks a route."""

    def ask(name: str, door: Door, words: Mapping[str, str]) -> Listed:
        beside = dict(zip(door.given[::2], door.given[1::2], strict=True))
        reply = client.get(f"{name}?{urlencode({**beside, **words, 'max_tokens': '20000'})}")
        assert reply.status == 200, reply.text
        return Listed(keys(reply.json()["items"]), reply.json()["total"])

    return ask


def called(store: Store) -> Ask:
    """Asks a tool."""
    ask_tool = sys.modules["tool_calls"].caller(ToolContext(load_config(), store, "shop"), "all")

    def ask(name: str, door: Door, words: Mapping[str, str]) -> Listed:
        beside = dict(zip(door.given[::2], door.given[1::2], strict=True))
        arguments = {argument(each): word for each, word in {"project": "*", **words}.items()}
        heard = ask_tool(name, limit=100, max_tokens=25_000, **beside, **arguments)
        assert not heard.failed, heard.text
        return Listed(set(heard.data.get("items", ())), heard.data["total"])

    return ask


def looked_at(browser) -> Ask:
    """Looks at the page."""

    def ask(_: str, door: Door, words: Mapping[str, str]) -> Listed:
        beside = dict(zip(door.given[::2], door.given[1::2], strict=True))
        reply = browser.get(f"/web/memory?{urlencode({'part': 'list', 'project': '*', **beside, **words})}")
        assert reply.status == 200, reply.text
        return Listed(set(re.findall(r'data-id="([^"]+)"', reply.text)))

    return ask


def check_all(table: Mapping[str, Door | None], ask: Ask, store: Store) -> None:
    """Asks each door, for each of its filters, for each word; and then for several at once."""

    def check(name: str, door: Door, words: Mapping[str, str]) -> None:
        found, right = ask(name, door, words), wanted(store, door, words)
        assert found.keys == right, (name, words)
        assert found.total in (None, len(right)), (name, words)

    for name, door in doors(table):
        check(name, door, {})
        for each in expected(door):
            for word in WORDS[each]:
                check(name, door, {each: word})

    @settings(max_examples=min(settings().max_examples, 40))
    @given(st.data())
    def law(data: st.DataObject) -> None:
        name, door = data.draw(st.sampled_from(doors(table)))
        some = {each: st.sampled_from(WORDS[each]) for each in sorted(expected(door))}
        check(name, door, data.draw(st.fixed_dictionaries({}, optional=some)))

    law()


def test_every_filter_has_words_that_choose_some_and_words_that_choose_none(filled) -> None:
    assert WORDS.keys() == {each.name for each in FILTERS}
    every = wanted(filled, Door(ALL), {})
    for name, words in WORDS.items():
        sizes = [len(wanted(filled, Door(ALL), {name: word})) for word in words]
        assert any(0 < size < len(every) for size in sizes), name


def test_commands_list_what_their_filters_ask_for(world, filled) -> None:
    check_all(COMMAND_DOORS, typed(world), filled)


def test_routes_list_what_their_filters_ask_for(filled) -> None:
    app = HttpApp(filled, config=load_config())
    check_all(ROUTE_DOORS, sent(sys.modules["serving"].Client(app)), filled)


def test_tools_list_what_their_filters_ask_for(world, filled) -> None:
    check_all(TOOL_DOORS, called(filled), filled)


def test_the_page_lists_what_its_filters_ask_for(filled) -> None:
    app = HttpApp(filled, config=load_config(), tables=(V1, WEB))
    check_all(PAGE_DOORS, looked_at(sys.modules["serving"].opened(app)), filled)


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (("--since", "2027-01-01"), set()),
        (("--type", "never-used"), set()),
        (("--origin", "hook"), set()),
        (("--session", "s-shop"), {"note", "session", "prompt"}),
    ],
)
def test_a_recall_prints_nothing_that_was_not_asked_for(world, filled, words, left) -> None:
    said = world.modicum("recall", "--project", "shop", *words, "--json")

    assert {each["key"].partition(":")[0] for each in json.loads(said.out)["items"]} == left
