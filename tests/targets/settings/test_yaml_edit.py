"""YAML: block and flow style, and what is refused because text alone does not say what it means."""

import pytest
import yaml

from modicum.targets.settings import editing
from modicum.targets.settings.editing import DocumentError, UndoOutcome


def added(text: str, *path: str, value: object = 1) -> str:
    """The text with the entry, after checking that it can be undone."""
    edit = editing.set_entry(text, "yaml", path, value)
    assert edit.undo is not None
    assert editing.undo(edit.text, "yaml", edit.undo) == editing.Undone(text, UndoOutcome.RESTORED)
    return edit.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "a: 1\n"),
        ("# note", "# note\na: 1"),
        ("---\n", "---\na: 1\n"),
        ("{}\n", "{a: 1}\n"),
        ("x: 2", "x: 2\na: 1"),
        ("x: 2 # two\r\n# end\r\n", "x: 2 # two\r\na: 1\r\n# end\r\n"),
        ("x: |\n  text\n", "x: |\n  text\na: 1\n"),
        ("x: |+\n  text\n\n# end\n", "x: |+\n  text\n\na: 1\n# end\n"),
        ("{x: 2}", "{x: 2, a: 1}"),
        ("x:\n- 1\n", "x:\n- 1\na: 1\n"),
        ("x: &anchor {y: 1}\nz: *anchor\n", "x: &anchor {y: 1}\nz: *anchor\na: 1\n"),
        ("1: x\n? [k]\n: v\n", "1: x\n? [k]\n: v\na: 1\n"),
    ],
)
def test_an_entry_follows_the_hand_of_the_file(before: str, after: str) -> None:
    assert added(before, "a") == after


def test_values_are_written_in_blocks() -> None:
    value = {
        "command": "modicum",
        "args": ["mcp", "--x"],
        "env": {},
        "f": 1e20,
        "none": None,
        "l": [{"a": 1, "b": [[2]]}],
    }

    assert added("x:\n    y: 1\n", "m", value=value) == (
        'x:\n    y: 1\nm:\n    command: modicum\n    args:\n        - mcp\n        - "--x"\n    env: {}\n'
        "    f: 1.0e+20\n    none: null\n    l:\n        - a: 1\n          b:\n              - - 2\n"
    )


@pytest.mark.parametrize(
    "word", ["yes", "on", "null", "1.0", "a: b", "# c", "", "é", "2024-01-01", "~", "\x85\ufeff", "-", "<<"]
)
def test_text_is_read_back_as_text(word: str) -> None:
    assert editing.read(added("x: 1\n", "a", value={word: [word]}), "yaml") == {"x": 1, "a": {word: [word]}}


def test_a_key_with_nothing_behind_it_is_filled() -> None:
    assert added("x: # none\ny: 1\n", "x", "a") == "x: # none\n  a: 1\ny: 1\n"
    assert added("x:\n  z:\ny: 1\n", "x", "z", "a") == "x:\n  z:\n    a: 1\ny: 1\n"
    assert added("x:\ny: 1\n", "x", value=[1]) == "x: [1]\ny: 1\n"
    assert editing.add_item("x:\n", "yaml", ("x",), {"a": 1, "b": 2}).text == "x:\n  - a: 1\n    b: 2\n"


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("a: 2 # two\nb: 1\n", {"x": 1}, "a: {x: 1} # two\nb: 1\n"),
        ("a:\n  x: 1\n  y: 2\nb: 1\n", {"z": [1]}, "a:\n  z:\n    - 1\nb: 1\n"),
        ("a:\n- 1\n- 2\nb: 1\n", [3], "a:\n- 3\nb: 1\n"),
        ("a:\n- 1\n- 2\nb: 1\n", {"x": 1}, "a:\n {x: 1}\nb: 1\n"),
        ("a: |\n  text\nb: 1\n", "new", "a: new\nb: 1\n"),
        ("{a: [1], b: 1}", "new", "{a: new, b: 1}"),
    ],
)
def test_a_value_is_replaced_and_its_neighbours_stay(before: str, value: object, after: str) -> None:
    assert added(before, "a", value=value) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: 1", ""),
        ("a: 1\n", ""),
        ("a: 1\nb: 2\n", "b: 2\n"),
        ("b: 2\na: 1\n", "b: 2\n"),
        ("b: 2\na: 1 # ours\n", "b: 2\n# ours\n"),
        ("b: 2\na: |\n  text\n", "b: 2\n"),
        ("{a: 1, b: 2}", "{b: 2}"),
    ],
)
def test_an_entry_is_removed_and_comments_stay(before: str, after: str) -> None:
    assert editing.remove_entry(before, "yaml", ("a",)) == after


def test_items_of_a_list_are_added_and_removed() -> None:
    config = "name: mine\nmcpServers:\n  - name: other # theirs\n    command: npx\n\nmodels: []\n"
    ours = {"name": "modicum", "command": "modicum", "args": ["mcp"]}

    edit = editing.add_item(config, "yaml", ("mcpServers",), ours)

    assert edit.text == config.replace(
        "command: npx\n", "command: npx\n  - name: modicum\n    command: modicum\n    args:\n      - mcp\n"
    )
    assert editing.remove_item(edit.text, "yaml", ("mcpServers",), ours) == config
    assert editing.remove_item("a:\n- 1\n-\n  2\n", "yaml", ("a",), 2) == "a:\n- 1\n"


def test_the_last_member_leaves_an_empty_container_of_the_user() -> None:
    edit = editing.add_item("a:\n- 1\n", "yaml", ("a",), 2)
    inner = editing.set_entry("a:\n  x: 1\n", "yaml", ("a", "y"), 2)
    assert edit.undo is not None
    assert inner.undo is not None

    assert editing.undo("a:\n    - 2\n", "yaml", edit.undo).text == "a:\n     []\n"
    assert editing.undo("a:\n    y: 2\n", "yaml", inner.undo).text == "a:\n    {}\n"


def test_an_entry_beside_others_on_a_line_is_removed_only_if_nothing_is_lost() -> None:
    assert editing.remove_item("a:\n- - x\n  - y\n", "yaml", ("a",), ["x", "y"]) == ""
    assert editing.remove_entry("--- {a: 1}\n", "yaml", ("a",)) == "--- {}\n"
    assert editing.remove_entry("? a\n: 1\n", "yaml", ("b",)) == "? a\n: 1\n"
    with pytest.raises(DocumentError, match="shares its line"):
        editing.remove_entry("? a\n: 1\n", "yaml", ("a",))


def test_the_old_text_comes_back_also_beside_a_new_comment() -> None:
    edit = editing.set_entry("a: |\n  text\nb: 1\n", "yaml", ("a",), "new")
    assert edit.undo is not None

    text = editing.undo("a: new # why\nb: 1\n", "yaml", edit.undo).text

    assert editing.read(text, "yaml") == {"a": "text\n", "b": 1}


@pytest.mark.parametrize(
    ("text", "path", "problem"),
    [
        ("a: &x {b: 1}\n", ("a", "c"), "line 1, column 4: a is a value that is shared"),
        ("x: &x {b: 1}\na: *x\n", ("a", "c"), "line 2, column 4: a is a value that is shared"),
        ("x: &x {b: 1}\na: *x\n", ("a",), "line 2, column 4: a is a value that is shared"),
        ("x: &x 1\n", ("x",), "line 1, column 4: x is a value that is shared"),
        ("x: &x {b: 1}\na:\n  <<: *x\n  d: 1\n", ("a", "c"), "line 3, column 3: a is a value that is shared"),
        ("a: !!map\n  b: 1\n", ("a", "c"), "line 1, column 4: a is a value that is shared"),
        ("x:\n  y: &x 1\n", ("x",), "line 2, column 6: an anchor or alias"),
        ("a: 1\n---\nb: 1\n", ("c",), "line 2, column 1: a second document"),
        ("a: [1\n", ("c",), "line 2, column 1: this is not YAML"),
        ("a: b: c\n", ("c",), "line 1, column 5: this is not YAML"),
        ("a: \x00\n", ("c",), "line 1, column 4: this is not YAML"),
        ("[" * 10_000, ("c",), "line 1, column 101: nested deeper than 100 levels"),
        ("- 1\n", ("c",), "line 1, column 1: the document is a list, not an object"),
    ],
)
def test_what_cannot_be_edited_is_refused_with_its_place(
    text: str, path: tuple[str, ...], problem: str
) -> None:
    with pytest.raises(DocumentError) as caught:
        editing.set_entry(text, "yaml", path, {"new": 1})

    assert caught.value.message.startswith(problem)


def test_an_anchor_that_others_use_is_not_removed() -> None:
    with pytest.raises(DocumentError, match="an anchor or alias"):
        editing.remove_entry("a: &x 1\nb: *x\n", "yaml", ("a",))


def test_what_has_a_type_of_its_own_equals_nothing() -> None:
    assert added("a: !odd x\n", "a", value="x") == "a: x\n"
    assert added("a:\n  b: !odd x\n", "a", value={"b": "x"}) == "a:\n  b: x\n"
    with pytest.raises(DocumentError, match="this is not YAML"):
        editing.read("a: !odd x\n", "yaml")


def test_a_date_that_does_not_exist_is_refused() -> None:
    with pytest.raises(DocumentError, match="this is not YAML: month must be in"):
        editing.read("a: 2024-13-01\n", "yaml")


def test_the_slow_parser_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)

    assert added("x: [1] # é😀\ny:\n- 1\n", "a", "b") == "x: [1] # é😀\ny:\n- 1\na:\n  b: 1\n"
    assert editing.add_item("y:\n- 1\n", "yaml", ("y",), 2).text == "y:\n- 1\n- 2\n"
