"""What every edit promises, whatever the format: small examples with the files that people see."""

import json
import subprocess
import sys

import pytest

from modicum.targets.settings import editing
from modicum.targets.settings.editing import DocumentError, UndoOutcome


def edited(
    text: str, path: tuple[str, ...], value: object, language: str = "jsonc"
) -> tuple[str, editing.Undo]:
    edit = editing.set_entry(text, language, path, value)
    assert edit.undo is not None
    return edit.text, edit.undo


EMPTY = {"jsonc": "{}", "yaml": "a: 1\n"}
FORMATS = pytest.mark.parametrize("language", EMPTY)


@FORMATS
def test_a_value_that_the_user_changed_stays(language: str) -> None:
    _, undo = edited(EMPTY[language], ("modicum", "x"), 1, language)
    theirs = editing.set_entry(EMPTY[language], language, ("modicum", "x"), 2).text

    assert editing.undo(theirs, language, undo) == editing.Undone(theirs, UndoOutcome.CHANGED_BY_USER)


@FORMATS
def test_an_entry_that_is_gone_needs_no_undo(language: str) -> None:
    _, undo = edited(EMPTY[language], ("modicum", "x"), 1, language)
    item = editing.add_item(EMPTY[language], language, ("list",), "x").undo
    assert item is not None

    assert editing.undo(EMPTY[language], language, undo) == editing.Undone(EMPTY[language], UndoOutcome.GONE)
    assert editing.undo(EMPTY[language], language, item) == editing.Undone(EMPTY[language], UndoOutcome.GONE)
    assert editing.remove_entry(EMPTY[language], language, ("modicum", "x")) == EMPTY[language]
    assert editing.remove_item(EMPTY[language], language, ("list",), 1) == EMPTY[language]


def test_an_object_with_a_comment_of_the_user_is_kept() -> None:
    text, undo = edited("{}", ("hooks", "Stop"), [1])
    noted = text.replace('"hooks": {', '"hooks": { // mine')

    assert editing.undo(noted, "json", undo).text == '{\n  "hooks": { // mine\n  }\n}'


def test_an_object_that_the_user_added_to_is_kept() -> None:
    text, undo = edited("{}", ("hooks", "Stop"), 1)
    shared = text.replace('"Stop": 1', '"Stop": 1,\n    "mine": 2')

    assert editing.undo(shared, "json", undo).text == '{\n  "hooks": {\n    "mine": 2\n  }\n}'


def test_an_undo_works_after_a_program_has_rewritten_the_file() -> None:
    before = {"theme": "dark", "hooks": {"Stop": [{"matcher": ""}]}}
    edit = editing.add_item(
        json.dumps(before, indent=4), "json", ("hooks", "SessionStart"), {"command": "modicum"}
    )
    assert edit.undo is not None

    rewritten = json.dumps(json.loads(edit.text), indent=2)

    assert editing.undo(rewritten, "json", edit.undo).text == json.dumps(before, indent=2)


def test_one_one_point_zero_and_true_are_three_values() -> None:
    assert edited('{"a": 1}', ("a",), True)[0] == '{"a": true}'
    assert edited('{"a": 1}', ("a",), 1.0)[0] == '{"a": 1.0}'
    assert editing.set_entry('{"a": [1, {"b": 2}]}', "json", ("a",), (1, {"b": 2})).undo is None


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (b"x", "a bytes cannot be written"),
        ({1: 2}, "the key 1 is not text"),
        ({"a"}, "a set cannot be written"),
    ],
)
def test_only_plain_values_are_written(value: object, problem: str) -> None:
    with pytest.raises(DocumentError, match=problem):
        editing.set_entry("{}", "json", ("a",), value)


def test_a_value_without_end_is_refused() -> None:
    endless: list[object] = []
    endless.append(endless)

    with pytest.raises(DocumentError, match="nested deeper"):
        editing.set_entry("{}", "json", ("a",), endless)


def test_an_empty_path_and_an_unknown_format_are_refused() -> None:
    with pytest.raises(DocumentError, match="path to the setting is empty"):
        editing.set_entry("{}", "json", (), 1)
    with pytest.raises(DocumentError, match="use one of json, jsonc, yaml, toml"):
        editing.read("{}", "ini")


@FORMATS
def test_what_is_no_object_or_no_list_is_refused_with_its_place(language: str) -> None:
    text = {"jsonc": '{\n  "a": 1}', "yaml": "b: 2\na: 1"}[language]

    with pytest.raises(DocumentError, match=r"line 2, column \d+: a is a plain value, not an object"):
        editing.set_entry(text, language, ("a", "b"), 1)
    with pytest.raises(DocumentError, match=r"line 2, column \d+: a is a plain value, not a list"):
        editing.add_item(text, language, ("a",), 1)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"path": ["a"], "value": 1, "is_item": False, "created": 0},
        {"path": ["a"], "value": 1, "is_item": False, "created": 0, "glue": {"what": 1}},
        {"path": ["a"], "value": 1, "is_item": False, "created": 0, "glue": {}, "old": 1},
    ],
)
def test_a_record_of_another_kind_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(DocumentError, match="not an undo record"):
        editing.undo_from(data)


def test_a_file_is_never_damaged_by_what_a_format_did_not_foresee() -> None:
    with pytest.raises(DocumentError, match="without a change to its neighbours"):
        editing.set_entry("{a: , b: 1}", "yaml", ("a", "x"), 1)
    with pytest.raises(DocumentError, match="without a change to its neighbours"):
        editing.set_entry("a: |\n  no line end", "yaml", ("x",), 1)
    with pytest.raises(DocumentError, match="without a change to its neighbours"):
        editing.add_item("a:\n- |\n  no line end", "yaml", ("a",), 1)
    with pytest.raises(DocumentError, match="without a change to its neighbours"):
        editing.set_entry("{}", "json", ("a",), "\ud83d\ude00")


def test_the_parsers_are_loaded_only_when_they_are_needed() -> None:
    code = "import sys; import modicum.targets.settings.editing; print('yaml' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
