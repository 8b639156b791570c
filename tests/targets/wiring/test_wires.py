"""What a settings file holds of ours is brought to what it should hold, and the reader's own is left alone."""

import importlib.util
import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.base.value import replace
from modicum.targets.settings import editing
from modicum.targets.settings.editing import DocumentError
from modicum.targets.wiring.entries import HOOKS, Wanted
from modicum.targets.wiring.wires import Rewired, Wire, rewire, wires_as_json, wires_from

spec = importlib.util.spec_from_file_location(
    "random_documents", Path(__file__).parents[1] / "settings" / "test_editing.py"
)
assert spec is not None
assert spec.loader is not None
random_documents = importlib.util.module_from_spec(spec)
spec.loader.exec_module(random_documents)

TOOLS = frozenset(("t",))


def server(name: str, command: str = "run", *, tool: str = "t") -> Wanted:
    value = {"command": command, "args": ["a b", "--x"]}
    return Wanted("f", "json", ("mcpServers", name), value, False, f'the server "{name}"', (tool,))


def listed(name: str, command: str = "run") -> Wanted:
    value = {"name": name, "command": command}
    return Wanted("f", "json", ("mcpServers",), value, True, f'the server "{name}"', ("t",))


def hook(command: str, event: str = "Start") -> Wanted:
    value = HOOKS["claude"](command)
    return Wanted("f", "json", ("hooks", event), value, True, f'the hook "{command}"', ("t",))


def wire(text: str, *wanted: Wanted, wires: tuple[Wire, ...] = (), format: str = "json") -> Rewired:
    return rewire(text, format, wires, wanted, tools=TOOLS)


def again(first: Rewired, *wanted: Wanted, text: str | None = None, format: str = "json") -> Rewired:
    return wire(first.text if text is None else text, *wanted, wires=first.wires, format=format)


MINE = '{\n  // mine\n  "mcpServers": {\n    "own": {"command": "x"} // keep\n  },\n  "n": 1.0\n}\n'


def test_servers_are_put_in_beside_those_of_the_reader_and_taken_out_again() -> None:
    wired = wire(MINE, server("a"), server("b"))

    assert list(editing.read(wired.text, "json")["mcpServers"]) == ["own", "a", "b"]  # type: ignore[index]
    assert again(wired) == Rewired(MINE)


def test_a_second_run_changes_nothing() -> None:
    wired = wire(MINE, server("a"), hook("tip"))

    assert again(wired, server("a"), hook("tip")) == wired


def test_another_order_of_packs_changes_nothing() -> None:
    wired = wire(MINE, server("a"), server("b"))

    assert again(wired, server("b"), server("a")) == wired


def test_a_changed_server_is_replaced_in_its_place() -> None:
    wired = wire(MINE, server("a"), server("b"))
    text = wired.text.replace('"n": 1.0', '"n": 2.0')

    changed = again(wired, server("a", "walk"), server("b"), text=text)

    assert changed.text == text.replace('"run"', '"walk"', 1)
    assert again(changed).text == MINE.replace("1.0", "2.0")


def test_what_the_reader_added_behind_ours_stays_there_when_ours_changes() -> None:
    wired = wire('{"mcpServers": {"own": {}}}', server("a"))
    text = editing.set_entry(wired.text, "json", ("mcpServers", "later"), {}).text

    changed = again(wired, server("a", "walk"), text=text)

    assert list(editing.read(changed.text, "json")["mcpServers"]) == ["own", "a", "later"]  # type: ignore[index]


def test_a_server_that_vanished_from_the_packs_is_taken_out() -> None:
    wired = wire("", server("a"), server("b"), server("c"))

    assert again(wired, server("a"), server("c")) == wire("", server("a"), server("c"))
    assert again(wired, server("b"), server("c")) == wire("", server("b"), server("c"))


def test_a_changed_server_in_a_list_is_exchanged() -> None:
    wired = wire("", listed("a"), listed("b"))

    assert again(wired, listed("a", "walk"), listed("b")) == wire("", listed("a", "walk"), listed("b"))


def test_a_value_that_cannot_be_exchanged_in_its_place_is_taken_out_and_put_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wired = wire(MINE, server("a"), server("b"))
    real = editing.set_entry
    refused = [DocumentError("no")]

    def once_refused(*args: object) -> editing.Edit:
        if refused:
            raise refused.pop()
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(editing, "set_entry", once_refused)
    changed = again(wired, server("a", "walk"), server("b"))

    assert changed.text == wired.text.replace('"run"', '"walk"', 1)


def test_what_the_reader_had_before_is_left_alone_with_a_sentence() -> None:
    text = '{"mcpServers": {"a": {"command": "mine"}}}'

    wired = wire(text, server("a"))

    note = 'the server "a" is there with other settings, not from modicum: left as it is'
    assert wired == Rewired(text, (), (note,))


def test_an_equal_value_of_the_reader_is_not_ours() -> None:
    text = json.dumps({"mcpServers": {"a": server("a").value}})

    wired = wire(text, server("a"))

    assert wired == Rewired(text)
    assert again(wired) == Rewired(text)


def test_a_name_in_a_list_that_the_reader_has_is_left_alone() -> None:
    text = '{"mcpServers": [{"name": "a", "command": "mine"}, 1]}'

    wired = wire(text, listed("a"), listed("b"))

    assert [each.name for each in wired.wires] == ['the server "b"']
    assert wired.notes == ('the server "a" is there with other settings, not from modicum: left as it is',)


def test_what_the_reader_changed_is_left_alone_until_it_is_as_it_was() -> None:
    wired = wire("", server("a"), server("b"))
    edited = wired.text.replace('"run"', '"mine"', 1)

    second = again(wired, server("a"), server("b"), text=edited)
    third = again(second, server("a"), server("b"), text=wired.text)

    assert (second.text, second.notes) == (edited, ('you changed the server "a", so it is left as it is',))
    assert again(third).text == ""
    assert list(editing.read(again(second).text, "json")["mcpServers"]) == ["a"]  # type: ignore[index]


def test_packs_that_catch_up_with_the_reader_take_over() -> None:
    wired = wire("", server("a"))
    edited = wired.text.replace('"run"', '"walk"')

    caught_up = again(wired, server("a", "walk"), text=edited)

    assert (caught_up.text, caught_up.notes) == (edited, ())
    assert again(caught_up).text == ""


def test_what_the_reader_took_out_is_put_in_again() -> None:
    wired = wire("", server("a"), server("b"))
    text = editing.remove_entry(wired.text, "json", ("mcpServers", "a"))

    assert again(wired, server("a"), server("b"), text=text) == wired


@pytest.mark.parametrize("language", ["json", "toml", "yaml"])
def test_containers_go_with_us_though_the_reader_took_out_what_they_were_made_for(language: str) -> None:
    wired = wire("", server("a"), server("b"), format=language)
    text = editing.remove_entry(wired.text, language, ("mcpServers", "a"))

    assert again(wired, text=text, format=language).text.strip() == ""


def test_nothing_is_left_to_take_out_where_the_reader_replaced_it_all() -> None:
    wired = wire("", server("a"), hook("tip"))

    for text in ('{"mcpServers": 1, "hooks": {"Start": 5}}', "{}", ""):
        assert again(wired, text=text) == Rewired(text)


GROUP = '{"hooks": {"Start": [{"matcher": "x", "hooks": [{"type": "command", "command": "own"}]}]}}'


def test_a_hook_gets_a_group_of_its_own_and_that_of_the_reader_is_never_touched() -> None:
    wired = wire(GROUP, hook("tip"), hook("tip", "Stop"))

    groups = editing.read(wired.text, "json")["hooks"]  # type: ignore[index]
    assert groups["Start"] == [*json.loads(GROUP)["hooks"]["Start"], HOOKS["claude"]("tip")]
    assert groups["Stop"] == [HOOKS["claude"]("tip")]
    assert again(wired) == Rewired(GROUP)


def test_a_hook_that_the_reader_has_already_is_not_run_twice() -> None:
    wired = wire(GROUP, hook("own"))

    note = 'the hook "own" is there with other settings, not from modicum: left as it is'
    assert wired == Rewired(GROUP, (), (note,))


def test_a_hook_that_the_reader_changed_is_theirs() -> None:
    wired = wire("", hook("tip"))
    text = wired.text.replace('"type"', '"timeout": 5, "type"')

    second = again(wired, hook("tip"), text=text)

    assert (second.text, second.notes) == (text, ('you changed the hook "tip", so it is left as it is',))
    assert again(second).text == text


def test_a_formality_is_put_in_where_it_is_missing_and_never_spoken_of() -> None:
    head = Wanted("f", "json", ("version",), 1, tools=("t",))

    new, old = wire("", head, hook("tip")), wire('{"version": 2}', head)
    edited = again(new, head, hook("tip"), text=new.text.replace("1", "2"))

    assert editing.read(new.text, "json") == {"version": 1, "hooks": {"Start": [HOOKS["claude"]("tip")]}}
    assert old == Rewired('{"version": 2}')
    assert edited.notes == ()
    assert editing.read(again(edited).text, "json") == {"version": 2}


def test_tools_that_share_a_file_do_not_lose_what_another_run_put_in_for_them() -> None:
    both = rewire(
        "", "json", (), (server("a"), server("a", tool="u"), server("b", tool="u")), tools=("t", "u")
    )

    only_t = rewire(both.text, "json", both.wires, (server("a"),), tools=("t",))
    without_t = rewire(only_t.text, "json", only_t.wires, (), tools=("t",))
    without_u = rewire(without_t.text, "json", without_t.wires, (), tools=("u",))

    assert [each.tools for each in both.wires] == [("t", "u"), ("u",)]
    assert only_t.text == without_t.text == both.text
    assert [each.tools for each in without_t.wires] == [("u",), ("u",)]
    assert without_u == Rewired("")


def test_two_wishes_for_one_place_are_told_and_the_first_is_used() -> None:
    head = Wanted("f", "json", ("version",), 1, tools=("t",))

    wired = wire("", server("a"), server("a", "walk"), head, replace(head, value=2))

    assert wired.notes == (
        'the server "a" is wanted in two ways, and the first is used',
        "version is wanted in two ways, and the first is used",
    )
    assert editing.read(wired.text, "json") == {"mcpServers": {"a": server("a").value}, "version": 1}


@pytest.mark.parametrize("text", ['{"mcpServers": []}', '{"mcpServers": "x"}', '{"mcpServers": 1', "[]"])
def test_a_file_of_another_shape_is_an_error(text: str) -> None:
    with pytest.raises(DocumentError):
        wire(text, server("a"))


def test_a_list_that_is_none_is_an_error() -> None:
    with pytest.raises(DocumentError, match="not a list"):
        wire('{"hooks": {"Start": {}}}', hook("tip"))


def test_what_is_remembered_can_be_kept_as_json() -> None:
    wired = wire(MINE, server("a"), hook("tip"))

    kept = json.loads(json.dumps(wires_as_json("json", wired.wires)))

    assert wires_from(kept) == ("json", wired.wires)
    assert wires_as_json("json", ()) == {}


@pytest.mark.parametrize(
    "data", [{}, {"format": "json", "wires": 1}, {"format": "json", "wires": [1]}, {"format": 1, "wires": []}]
)
def test_a_garbled_record_is_an_error(data: dict[str, object]) -> None:
    with pytest.raises(DocumentError, match="cannot be read"):
        wires_from(data)


LANGUAGES = pytest.mark.parametrize("language", ["json", "jsonc", "toml", "yaml"])
SEEDS = st.integers(0, 2**40)


def text_of(language: str, seed: int) -> str:
    if seed % 10 == 0:
        return random.Random(seed).choice(["", "\n", "\ufeff", "  \n\n"])
    text: str = random_documents.written("jsonc" if language == "json" else language, seed)[1]
    return text


def some_wanted(rng: random.Random, language: str) -> list[Wanted]:
    keys = rng.choice([("mcpServers",), ("a", "mcpServers"), ("amp.mcpServers",)])
    pool = [
        *(replace(server(name, rng.choice(["run", 'r "u" n'])), keys=(*keys, name)) for name in "abcd"),
        *(hook(command, event) for command in ("tip", "say 'x'") for event in ("Start", "Stop")),
        replace(listed("a"), keys=("b", "list")),
        replace(listed("b", rng.choice(["run", "walk"])), keys=("b", "list")),
        Wanted("f", "json", ("version",), 1, tools=("t",)),
    ]
    if language == "toml":
        pool = pool[:4]  # servers only: lists and single values are not put into TOML
    return rng.sample(pool, rng.randint(1, min(6, len(pool))))


@LANGUAGES
@given(seed=SEEDS)
@settings(max_examples=60)
def test_any_number_of_runs_and_then_none_gives_back_the_same_bytes(language: str, seed: int) -> None:
    rng, text = random.Random(seed), text_of(language, seed)
    state = Rewired(text)
    try:
        for _ in range(rng.randint(1, 4)):
            wanted = some_wanted(rng, language)
            state = again(state, *wanted, format=language)

            assert again(state, *wanted, format=language) == state
    except DocumentError:
        pass

    assert again(state, format=language).text == text


@LANGUAGES
@given(seed=SEEDS)
@settings(max_examples=60)
def test_only_what_is_wanted_changes(language: str, seed: int) -> None:
    text, wanted = text_of(language, seed), server("new")
    try:
        wired = wire(text, wanted, format=language)
    except DocumentError:
        return

    before, after = (editing.read(each, language) or {} for each in (text, wired.text))
    servers = after.pop("mcpServers")  # type: ignore[attr-defined]
    assert servers.pop("new") == wanted.value
    assert servers == (before.pop("mcpServers", None) or {})  # type: ignore[attr-defined]
    assert after == before


@LANGUAGES
@given(seed=SEEDS)
@settings(max_examples=40)
def test_what_the_reader_adds_in_the_meantime_is_all_that_stays(language: str, seed: int) -> None:
    rng, text = random.Random(seed), text_of(language, seed)
    path = rng.choice([("own",), ("mcpServers", "own"), ("hooks", "Own")])
    try:
        wired = wire(text, *some_wanted(rng, language), format=language)
        added = editing.set_entry(wired.text, language, path, {"x": 1}).text
        alone = editing.set_entry(text, language, path, {"x": 1}).text
    except DocumentError:
        return

    left = again(wired, text=added, format=language)

    assert editing.read(left.text, language) == editing.read(alone, language)


def allowed(word: str) -> Wanted:
    return Wanted("f", "json", ("permissions", "allow"), word, True, f'"{word}"', ("t",))


def test_words_in_a_list_come_and_go_and_one_that_is_the_readers_stays() -> None:
    text = '{"permissions": {"allow": ["Read", 7]}}'
    wired = wire(text, allowed("Read"), allowed("mcp__a"))

    assert editing.read(wired.text, "json") == {"permissions": {"allow": ["Read", 7, "mcp__a"]}}
    assert again(wired, allowed("Read"), allowed("mcp__a")).text == wired.text
    assert again(wired) == Rewired(text)
