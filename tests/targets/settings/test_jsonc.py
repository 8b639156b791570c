"""JSON with comments: what people have in their settings, and how an edit leaves it."""

import json
import time

import pytest

from modicum.targets.settings import editing
from modicum.targets.settings.editing import DocumentError, UndoOutcome


def added(text: str, *path: str, value: object = 1) -> str:
    """The text with the entry, after checking that it can be undone and removed."""
    edit = editing.set_entry(text, "jsonc", path, value)
    assert edit.undo is not None
    assert editing.undo(edit.text, "jsonc", edit.undo) == editing.Undone(text, UndoOutcome.RESTORED)
    return edit.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "a": 1\n}\n'),
        ("\n", '\n{\n  "a": 1\n}\n'),
        ("// note", '// note\n{\n  "a": 1\n}'),
        ("{}", '{\n  "a": 1\n}'),
        ("{ }\n", '{\n  "a": 1\n}\n'),
        ("{\r\n}\r\n", '{\r\n  "a": 1\r\n}\r\n'),
        ("\ufeff{}", '\ufeff{\n  "a": 1\n}'),
        ('{"x":2}', '{"x":2,"a":1}'),
        ('{"x": 2}', '{"x": 2, "a": 1}'),
        ('{"x": 2,}', '{"x": 2, "a": 1,}'),
        ('{"x": 2, "y": 3}', '{"x": 2, "y": 3, "a": 1}'),
        ('{"x":2,"y":3}', '{"x":2,"y":3,"a":1}'),
        ('{\n\t"x": 2\n}', '{\n\t"x": 2,\n\t"a": 1\n}'),
        ('{\n    "x": 2, // last\n}', '{\n    "x": 2, // last\n    "a": 1,\n}'),
        ('{\n  "x": 2 // last\n}', '{\n  "x": 2, // last\n  "a": 1\n}'),
        ('{\n  "x": 2 /* one */ /* two\n */\n}', '{\n  "x": 2, /* one */ /* two\n */\n  "a": 1\n}'),
        ('{\n  "x": 2\n  // "off": 3\n}', '{\n  "x": 2,\n  "a": 1\n  // "off": 3\n}'),
        ('{\n"x": 2\n}', '{\n"x": 2,\n"a": 1\n}'),
        ("{ /* none */ }", '{ /* none */ "a": 1 }'),
        ("{\n  // none\n}", '{\n  // none\n  "a": 1\n}'),
        ("{\n  /* none */}", '{\n  /* none */\n  "a": 1\n}'),
        (
            '{"x": 1.0, "y": 1e5, "z": 1152921504606846976}',
            '{"x": 1.0, "y": 1e5, "z": 1152921504606846976, "a": 1}',
        ),
    ],
)
def test_an_entry_follows_the_hand_of_the_file(before: str, after: str) -> None:
    assert added(before, "a") == after


def test_missing_objects_are_created_in_the_indentation_of_the_file() -> None:
    before = '{\n    "x": {}\n}'

    assert (
        added(before, "x", "y", "z")
        == '{\n    "x": {\n        "y": {\n            "z": 1\n        }\n    }\n}'
    )


def test_a_replaced_value_keeps_its_neighbours() -> None:
    before = '{\n  "a": {"old": 1}, // why\n  "b": 2\n}'

    assert added(before, "a", value={"new": 1}) == '{\n  "a": {\n    "new": 1\n  }, // why\n  "b": 2\n}'
    assert added('{"a": [1]}', "a", value={"new": 1}) == '{"a": {"new": 1}}'


@pytest.mark.parametrize(
    "key", ["a.b", "a/b", 'a"b', "a\\b", "é", "😀", "", "\u2028", "a\nb", "//", "\ud800"]
)
def test_any_key_can_be_used(key: str) -> None:
    text = added('{\n  "x": 1\n}', key, key, value=key)

    text.encode()
    assert editing.read(text, "json") == {"x": 1, key: {key: key}}


def test_a_key_is_found_however_it_is_escaped() -> None:
    assert editing.set_entry(r'{"\u0061\/": 1}', "json", ("a/",), 2).text == r'{"\u0061\/": 2}'


def test_of_equal_keys_the_last_one_counts() -> None:
    before = '{"a": {"x": 1}, "b": 0, "a": {"x": 2}}'

    assert added(before, "a", "x", value=3) == '{"a": {"x": 1}, "b": 0, "a": {"x": 3}}'
    assert editing.remove_entry(before, "json", ("a", "x")) == '{"b": 0}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"a": 1}', "{}"),
        ('{"a": 1,}', "{}"),
        ('{"a": 1, "b": 2}', '{"b": 2}'),
        ('{"b": 2, "a": 1}', '{"b": 2}'),
        ('{\n  "b": 2,\n  "a": 1\n}', '{\n  "b": 2\n}'),
        ('{\n  "b": 2,\n  "a": 1}', '{\n  "b": 2}'),
        ('{\n  "a": 1,\n  "b": 2\n}', '{\n  "b": 2\n}'),
        ('{\n  "a": 1, // ours\n  "b": 2\n}', '{\n  // ours\n  "b": 2\n}'),
        ('{\n  "b": 2,\n  "a": 1 // ours\n}', '{\n  "b": 2\n // ours\n}'),
        ('{\n  "b": 2, // two\n  "a": 1}', '{\n  "b": 2 // two\n}'),
        ('{\n  "a": 1 /* c */,\n  "b": 2\n}', '{\n  /* c */\n  "b": 2\n}'),
        ('{\n  // only\n  "a": 1\n}', "{\n  // only\n}"),
        ('{\r\n  "b": 2,\r\n  "a": 1\r\n}', '{\r\n  "b": 2\r\n}'),
    ],
)
def test_an_entry_is_removed_and_comments_stay(before: str, after: str) -> None:
    assert editing.remove_entry(before, "json", ("a",)) == after


def test_an_undo_does_not_pull_code_into_a_comment() -> None:
    edit = editing.set_entry('{\n  "b": 2\n}', "json", ("a",), 1)
    assert edit.undo is not None
    theirs = '{\n  "b": 2, // two\n  "a": 1}'

    assert editing.read(editing.undo(theirs, "json", edit.undo).text, "json") == {"b": 2}


def test_undo_leaves_an_entry_that_came_after_ours() -> None:
    edit = editing.set_entry('{"b": 2}', "json", ("a",), 1)
    assert edit.undo is not None

    assert editing.undo('{"b": 2, "a": 1, "c": 3}', "json", edit.undo).text == '{"b": 2, "c": 3}'
    assert editing.undo('{"a": 1}', "json", edit.undo).text == "{}"
    assert editing.undo('{"b": 2,"a": 1}', "json", edit.undo).text == '{"b": 2}'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{\n  "a": }', "line 2, column 8: this is not JSON: Expecting value"),
        ('{\n  "a": 1 /* open\n}', "line 2, column 10: a comment that does not end"),
        ("{,}", "line 1, column 2"),
        ('{"a": 1,,}', "line 1, column 9"),
        ('{"a" 1}', "line 1, column 6"),
        ('{"a": "\n"}', "line 1, column 8"),
        ("{} {}", "line 1, column 4"),
        ("{a: 1}", "line 1, column 2"),
        ('{"a": ' + "9" * 5000 + "}", "line 1, column 1: Exceeds the limit"),
        ("[1]", "line 1, column 1: the document is a list, not an object"),
        ("// c\n1", "line 2, column 1: the document is a plain value, not an object"),
    ],
)
def test_a_malformed_file_is_refused_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(DocumentError) as caught:
        editing.set_entry(text, "json", ("b",), 1)

    assert caught.value.message.startswith(problem)
    assert caught.value.remedy


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000 + "1" + "}" * 100_000])
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(DocumentError, match="line 1"):
        editing.set_entry(text, "json", ("b",), 1)


VS_CODE = """\
// Place your settings in this file
{
\t"editor.fontSize": 13, // smaller
\t"[python]": { "editor.formatOnSave": true, },
\t/* "files.exclude": {}, */
\t"chat.mcp": {
\t\t"servers": {
\t\t\t"other": { "command": "npx", "args": ["-y"] },
\t\t},
\t},
\t// the end
}
"""


def test_vscode_settings_stay_as_they_are() -> None:
    text = added(VS_CODE, "chat.mcp", "servers", "modicum", value={"command": "modicum", "args": ["mcp"]})

    ours = '\n\t\t\t"modicum": {\n\t\t\t\t"command": "modicum",\n\t\t\t\t"args": [\n\t\t\t\t\t"mcp"\n\t\t\t\t]\n\t\t\t},'
    assert text.replace(ours, "") == VS_CODE


def test_a_hook_is_added_beside_the_hooks_of_the_user() -> None:
    before = json.dumps(
        {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}, indent=2
    )
    ours = {"matcher": "", "hooks": [{"type": "command", "command": "modicum hook"}]}

    edit = editing.add_item(before, "json", ("hooks", "Stop"), ours)

    assert json.loads(edit.text)["hooks"]["Stop"][1] == ours
    assert editing.remove_item(edit.text, "json", ("hooks", "Stop"), ours) == before


def test_a_file_of_a_megabyte_is_edited_in_less_than_a_second() -> None:
    text = json.dumps(
        {"mcpServers": {}, "projects": {f"/p/{i}": {"n": i, "x": [1, "y"]} for i in range(16_000)}}, indent=2
    )
    assert len(text) > 1_000_000
    started = time.process_time()

    added(text, "mcpServers", "modicum", value={"command": "modicum"})

    assert time.process_time() - started < 2  # an edit and its undo
