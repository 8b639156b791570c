"""TOML: tables, pairs, dotted keys, inline tables and arrays of tables."""

import tomllib

import pytest

from modicum.targets.settings import editing
from modicum.targets.settings.editing import DocumentError, UndoOutcome

SERVER = {"command": "modicum", "args": ["mcp"], "env": {"A": "1"}}
SERVER_TEXT = '[mcp_servers.modicum]\ncommand = "modicum"\nargs = ["mcp"]\nenv = { A = "1" }'

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


def added(text: str, *path: str, value: object = 1) -> str:
    """The text with the entry, after checking that it can be undone."""
    edit = editing.set_entry(text, "toml", path, value)
    assert edit.undo is not None
    assert editing.undo(edit.text, "toml", edit.undo) == editing.Undone(text, UndoOutcome.RESTORED)
    return edit.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "a = 1\n"),
        ("# note", "# note\na = 1"),
        ("x = 2 # two\r\n", "x = 2 # two\r\na = 1\r\n"),
        ("[t]\n", "a = 1\n\n[t]\n"),
        ("# file\n\n# of t\n[t]\n", "# file\n\na = 1\n\n# of t\n[t]\n"),
        ("# of t\n[t]\n", "a = 1\n\n# of t\n[t]\n"),
        ("  x = 2\n[t]\ny = 1\n", "  x = 2\n  a = 1\n[t]\ny = 1\n"),
        ('x = """\n[t]\n\'\'\'"""\n', 'x = """\n[t]\n\'\'\'"""\na = 1\n'),
        ("x = 1979-05-27 07:32:00 # c\n", "x = 1979-05-27 07:32:00 # c\na = 1\n"),
    ],
)
def test_a_pair_follows_the_hand_of_the_file(before: str, after: str) -> None:
    assert added(before, "a") == after


def test_a_server_is_added_beside_the_servers_of_the_user() -> None:
    text = added(CODEX, "mcp_servers", "modicum", value=SERVER)

    assert text == CODEX.replace("]\n\n[tui]", f"]\n\n{SERVER_TEXT}\n\n[tui]")
    assert editing.remove_entry(text, "toml", ("mcp_servers", "modicum")) == CODEX


def test_a_table_at_the_end_comes_after_settings_that_are_switched_off() -> None:
    assert added(CODEX, "new", value={"x": 1}) == CODEX.rstrip() + "\n\n[new]\nx = 1\n"
    assert added("", "mcp_servers", "modicum", value=SERVER) == SERVER_TEXT + "\n"


@pytest.mark.parametrize(
    ("before", "path", "value", "after"),
    [
        ("[t]\nx = 2\n[u]\n", ("t", "a"), 1, "[t]\nx = 2\na = 1\n[u]\n"),
        ("[t.s]\nx = 2\n", ("t", "a"), 1, "[t.s]\nx = 2\n\n[t]\na = 1\n"),
        ("t.s = 2\nu = 1\n", ("t", "a"), {"b": 1}, "t.s = 2\nt.a = { b = 1 }\nu = 1\n"),
        ("[o]\nt . s = 2\n", ("o", "t", "a"), 1, "[o]\nt . s = 2\nt.a = 1\n"),
        ("t = {}\n", ("t", "a"), 1, "t = {a = 1}\n"),
        ("t = { x = 2 }\n", ("t", "a"), 1, "t = { x = 2, a = 1 }\n"),
        ("t = { u = { x = [2] } }\n", ("t", "u", "a"), {}, "t = { u = { x = [2], a = {} } }\n"),
        ("x = 1\n", ("h",), [{"a": 1}, {"b": 2}], "x = 1\n\n[[h]]\na = 1\n\n[[h]]\nb = 2\n"),
        ("x = 1\n", ("a b", 'c"d'), {}, 'x = 1\n\n["a b"."c\\"d"]\n'),
        ("x = 1\n", ("a",), [1, 2.5, 1e16, True, "\x7f"], 'x = 1\na = [1, 2.5, 1e+16, true, "\\u007f"]\n'),
    ],
)
def test_an_entry_goes_where_its_table_is(
    before: str, path: tuple[str, ...], value: object, after: str
) -> None:
    assert added(before, *path, value=value) == after


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("a = 2 # two\n", {"x": 1}, "a = { x = 1 } # two\n"),
        ("a = [\n 1,\n]\n", 'x"', 'a = "x\\""\n'),
        ("[a]\nx = 1 # one\n[a.b]\ny = 2\n[c]\n", {"z": 1}, "[a]\nz = 1\n[c]\n"),
        ("[[a]]\nx = 1\n[[a]]\nx = 2\n", [{"x": 3}], "[[a]]\nx = 3\n"),
        ('"\\u0061" = 2\n', 1, '"\\u0061" = 1\n'),
        ("'a' = 2\n", 1, "'a' = 1\n"),
    ],
)
def test_a_value_is_replaced_and_its_neighbours_stay(before: str, value: object, after: str) -> None:
    assert added(before, "a", value=value) == after


@pytest.mark.parametrize(
    "text",
    ["[a.x]\n[b]\n[a.y]\n", "a.x = 1\n", "[a]\nx = 1\n", "o = { a.x = 1 }\n", "[o]\na.x = 1\n[o.a.y]\n"],
)
def test_tables_in_pieces_are_not_replaced(text: str) -> None:
    path = ("o", "a") if text.startswith(("o", "[o")) else ("a",)

    with pytest.raises(DocumentError, match="line"):
        editing.set_entry(text, "toml", path, 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = 1", ""),
        ("a = 1\nb = 2\n", "b = 2\n"),
        ("b = 2\na = 1 # ours\n", "b = 2\n# ours\n"),
        ("b = 2\na.x = 1\na.y = 2\n", "b = 2\n"),
        ("[b]\n\n[a]\nx = 1\n\n[c]\n", "[b]\n\n[c]\n"),
        ("[a.x]\n[b]\n[a.y]\nz = 1\n", "[b]\n"),
        ("[[a]]\nx = 1\n[a.s]\n[[a]]\n[b]\n", "[b]\n"),
    ],
)
def test_an_entry_is_removed_and_comments_stay(before: str, after: str) -> None:
    assert editing.remove_entry(before, "toml", ("a",)) == after


def test_a_table_that_the_user_has_split_is_removed_in_pieces() -> None:
    edit = editing.set_entry("x = 1\n", "toml", ("a",), {"y": 1, "z": 2})
    assert edit.undo is not None
    split = edit.text.replace("z = 2", "# mine\nz = 2")

    assert editing.undo(split, "toml", edit.undo).text == "x = 1\n# mine\n"


def test_items_of_arrays_are_added_and_removed() -> None:
    hooks = "[[hooks]]\nrun = 'x'\n[hooks.on]\ny = 1\n\n[t]\n"

    text = editing.add_item(hooks, "toml", ("hooks",), {"run": "modicum"}).text

    assert text == hooks.replace("\n\n[t]", '\n\n[[hooks]]\nrun = "modicum"\n\n[t]')
    assert editing.remove_item(text, "toml", ("hooks",), {"run": "modicum"}) == hooks
    assert editing.remove_item(text, "toml", ("hooks",), {"run": "x", "on": {"y": 1}}).count("[[hooks]]") == 1
    assert (
        editing.add_item("a = [\n  1, # one\n]\n", "toml", ("a",), 2).text == "a = [\n  1, # one\n  2,\n]\n"
    )
    with pytest.raises(DocumentError, match="holds tables only"):
        editing.add_item(hooks, "toml", ("hooks",), 1)


def test_dotted_keys_in_an_inline_table_are_left_alone() -> None:
    with pytest.raises(DocumentError, match="is a value that is shared or written in pieces"):
        editing.set_entry("o = { a.x = 1 }\n", "toml", ("o", "a", "y"), 1)
    with pytest.raises(DocumentError, match="written with dotted keys"):
        editing.remove_entry("o = { a.x = 1, b = 2 }\n", "toml", ("o", "a"))


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
        editing.set_entry(text, "toml", ("b",), 1)

    assert caught.value.message.startswith(problem)


@pytest.mark.parametrize(("value", "problem"), [(None, "TOML has no null"), ("\ud800", "half a character")])
def test_what_toml_cannot_say_is_refused(value: object, problem: str) -> None:
    with pytest.raises(DocumentError, match=problem):
        editing.set_entry("", "toml", ("a",), value)


def test_what_is_written_is_toml() -> None:
    tomllib.loads(added(CODEX, "a", "b", value={"x": [{"y": {}}], "z": {"w": "é"}}))
