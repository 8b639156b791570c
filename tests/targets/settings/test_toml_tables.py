"""TOML: our tables come last, and go without a trace, whatever the user has written in the meantime."""

import importlib.util
import json
import random
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.targets.settings import editing
from modicum.targets.settings.editing import DocumentError, UndoOutcome

spec = importlib.util.spec_from_file_location("random_documents", Path(__file__).with_name("test_editing.py"))
assert spec is not None
assert spec.loader is not None
random_documents = importlib.util.module_from_spec(spec)
spec.loader.exec_module(random_documents)

SERVER = {"command": "modicum", "args": ["mcp"], "env": {"A": "1"}}
SERVER_TEXT = '[mcp_servers.modicum]\ncommand = "modicum"\nargs = ["mcp"]\nenv = { A = "1" }'
PATH = ("mcp_servers", "modicum")

CODEX = """\
# Codex
model = "gpt-5"   # the model
approval_policy = 'never'

[mcp_servers.other]  # theirs
command = "npx"
args = [
  "-y", # yes
]

[tui]
notifications = true
# theme = "dark"
"""


def added(text: str, *path: str, value: object = SERVER) -> str:
    """The text with the table, after checking that it can be undone."""
    edit = editing.set_entry(text, "toml", path or PATH, value)
    assert edit.undo is not None
    record = editing.undo_from(json.loads(json.dumps(edit.undo.as_json())))
    assert editing.undo(edit.text, "toml", record) == editing.Undone(text, UndoOutcome.RESTORED)
    return edit.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"{SERVER_TEXT}\n"),
        ("\ufeff", f"\ufeff{SERVER_TEXT}\n"),
        (CODEX, f"{CODEX}\n{SERVER_TEXT}\n"),
        ("# note", f"# note\n\n{SERVER_TEXT}"),
        ("x = 2 # two\r\n", "x = 2 # two\r\n\r\n" + SERVER_TEXT.replace("\n", "\r\n") + "\r\n"),
        ("[mcp_servers]\n", f"[mcp_servers]\n\n{SERVER_TEXT}\n"),
        ("mcp_servers.own.command = 'x'\n", f"mcp_servers.own.command = 'x'\n\n{SERVER_TEXT}\n"),
        ('x = """\n[t]\n"""', f'x = """\n[t]\n"""\n\n{SERVER_TEXT}'),
        ("x = nan\n", f"x = nan\n\n{SERVER_TEXT}\n"),
    ],
)
def test_a_table_comes_last_and_the_file_ends_as_it_did(before: str, after: str) -> None:
    assert added(before) == after
    assert editing.set_entry(after, "toml", PATH, SERVER) == editing.Edit(after, None)


def test_keys_and_values_are_quoted_where_they_must_be() -> None:
    value = {"x y": [1, 2.5, 1e16, True, "\x7f"], "é": {}, "z": [{"w": 'q"'}]}

    text = added("", "a b", 'c"d', value=value)

    assert text.startswith('["a b"."c\\"d"]\n"x y" = [1, 2.5, 1e+16, true, "\\u007f"]\n')
    assert tomllib.loads(text) == {"a b": {'c"d': value}}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("mcp_servers = { own = { command = 'x' } }\n", "cannot be added as a table of its own"),
        ("mcp_servers = 1\n", "mcp_servers is not a table"),
        ("[[mcp_servers]]\n", "mcp_servers is not a table"),
        ("[mcp_servers.modicum]\ncommand = 'mine'\n", "cannot be replaced in TOML"),
    ],
)
def test_what_leaves_no_room_for_a_table_is_refused(text: str, problem: str) -> None:
    with pytest.raises(DocumentError, match=problem):
        editing.set_entry(text, "toml", PATH, SERVER)


def test_lists_and_values_within_tables_are_not_edited() -> None:
    with pytest.raises(DocumentError, match="lists in TOML are not edited"):
        editing.add_item("", "toml", ("hooks",), {"run": "x"})
    with pytest.raises(DocumentError, match="cannot be replaced"):
        editing.set_entry("", "toml", ("server", "version"), 1)
    with pytest.raises(DocumentError, match="cannot be replaced"):
        editing.set_entry("version = 2\n", "toml", ("version",), 1)


@pytest.mark.parametrize("text", ["", "a = 1\n", "[table]\nb = 2\n", "# mine\r\n[t]\r\n", "\ufeffa = 1"])
def test_a_value_outside_of_tables_goes_to_the_top_and_out_again(text: str) -> None:
    edit = editing.set_entry(text, "toml", ("limit",), 65_536)

    assert edit.undo is not None
    assert editing.read(edit.text, "toml") == {**editing.read(text, "toml"), "limit": 65_536}
    assert editing.undo(edit.text, "toml", edit.undo).text == text


def undone(text: str, change: str, by: str) -> editing.Undone:
    """What is left of an edited text in which the user has changed something."""
    edit = editing.set_entry(text, "toml", PATH, SERVER)
    assert edit.undo is not None
    assert change in edit.text
    return editing.undo(edit.text.replace(change, by), "toml", edit.undo)


def test_a_table_that_the_user_has_split_is_removed_in_pieces() -> None:
    left = undone("x = 1\n", 'args = ["mcp"]', '# mine\nargs = ["mcp"]')

    assert left == editing.Undone("x = 1\n# mine\n", UndoOutcome.RESTORED)


@pytest.mark.parametrize(
    ("change", "by", "after"),
    [
        ("x = 1", "x = 2\n[own]", "x = 2\n[own]\n"),
        (' = { A = "1" }', ' = { A = "1" }\n\n[own]\ny = 1', "x = 1\n\n[own]\ny = 1\n"),
        ("\n", "\r\n", "x = 1\r\n"),
        ("\n\n[", "\n[", "x = 1\n"),
        ('"modicum"', "'modicum'", "x = 1\n"),
        ('env = { A = "1" }', '[mcp_servers.modicum.env]\nA = "1"', "x = 1\n"),
        ("args", "  args", "x = 1\n"),
    ],
)
def test_a_table_goes_also_where_the_file_was_changed_around_it(change: str, by: str, after: str) -> None:
    assert undone("x = 1\n", change, by) == editing.Undone(after, UndoOutcome.RESTORED)


@pytest.mark.parametrize("by", ['["mcp", "--more"]', '["mcp"]\nenabled = false'])
def test_what_the_user_changed_in_it_is_left_as_it_is(by: str) -> None:
    left = undone("x = 1\n", '["mcp"]', by)

    assert left.outcome is UndoOutcome.CHANGED_BY_USER
    assert by in left.text


def test_a_table_that_cannot_be_taken_out_safely_is_left_as_it_is() -> None:
    inline = "[mcp_servers]\nmodicum = { command = 'modicum', args = ['mcp'], env = { A = '1' } }\n"
    edit = editing.set_entry("", "toml", PATH, SERVER)
    assert edit.undo is not None

    assert editing.undo(inline, "toml", edit.undo) == editing.Undone(inline, UndoOutcome.CHANGED_BY_USER)
    assert editing.undo("x = 1\n", "toml", edit.undo) == editing.Undone("x = 1\n", UndoOutcome.GONE)
    with pytest.raises(DocumentError, match="is not a table of its own"):
        editing.remove_entry(inline, "toml", PATH)


def test_a_line_that_only_looks_like_a_header_does_not_break_the_file() -> None:
    edit = editing.set_entry("", "toml", ("a",), {"x": [["b"]]})
    assert edit.undo is not None
    rewritten = '[a]\nx = [\n["b"]\n]\n'

    left = editing.undo(rewritten, "toml", edit.undo)
    assert left == editing.Undone(rewritten, UndoOutcome.CHANGED_BY_USER)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[b]\n\n[a]\nx = 1\n\n[c]\n", "[b]\n\n[c]\n"),
        ("[a.x]\n[b]\n[a.y]\nz = 1\n", "[b]\n"),
        ("[a]\nx = [\n  1,\n]\n# mine\n[b]\n", "# mine\n[b]\n"),
        ("[b]\n", "[b]\n"),
    ],
)
def test_a_table_is_removed_without_a_record_and_comments_stay(before: str, after: str) -> None:
    assert editing.remove_entry(before, "toml", ("a",)) == after


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a = 1\nb = \n", "line 2, column 5: this is not TOML: Invalid value"),
        ("a = [1,", "line 1, column 8: this is not TOML"),
        ("a = 1\na = 2\n", "line 2, column 6: this is not TOML: Cannot overwrite a value"),
        ("a = " + "[" * 10_000, "line 1, column 1: nested too deep"),
    ],
)
def test_a_malformed_file_is_refused_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(DocumentError) as caught:
        editing.set_entry(text, "toml", ("b",), {})

    assert caught.value.message.startswith(problem)


@pytest.mark.parametrize(("value", "problem"), [(None, "TOML has no null"), ("\ud800", "half a character")])
def test_what_toml_cannot_say_is_refused(value: object, problem: str) -> None:
    with pytest.raises(DocumentError, match=problem):
        editing.set_entry("", "toml", ("a",), {"x": value})


def by_the_user(rng: random.Random, text: str) -> str:
    """The text after somebody has worked on it: lines more, lines less, words changed."""
    if not text.strip("\ufeff \r\n"):
        return text
    lines = text.splitlines(keepends=True)
    for _ in range(rng.randint(0, 3)):
        at = rng.randint(0, len(lines))
        lines[at:at] = [rng.choice(["# a comment\n", "\n", "\n# [mcp_servers.modicum]\n"])]
    end = "\n" if text.endswith("\n") else ""
    return "".join(lines).rstrip("\n") + end


@given(seed=st.integers(0, 2**40))
@settings(max_examples=300)
def test_whatever_the_user_writes_around_it_only_ours_goes(seed: int) -> None:
    rng, text, _ = random_documents.written("toml", seed)
    edit = editing.set_entry(text, "toml", PATH, SERVER)
    assert edit.undo is not None
    block = edit.text.removeprefix(text)
    before = by_the_user(rng, text)
    line_end = "" if block.endswith("\n") else "\n"
    after = rng.choice(["", "# below\n", "\n[own]\nx = 1\n", "[mcp_servers.own]\ncommand = 'x'\n"])
    after = line_end + after if after else ""
    try:
        editing.read(before + after, "toml")
        editing.read(before + block + after, "toml")
    except DocumentError:
        return  # the user has broken the file

    left = editing.undo(before + block + after, "toml", edit.undo)

    assert left == editing.Undone(before + after, UndoOutcome.RESTORED)
