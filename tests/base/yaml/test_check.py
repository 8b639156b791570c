"""YAML at the door: what fits becomes plain data, what does not is named with its file, line and remedy."""

from collections.abc import Mapping
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from modicum.base.yaml import nodes
from modicum.base.yaml.check import (
    Checked,
    Record,
    Shape,
    YamlProblem,
    check,
    choice,
    flag,
    list_of,
    map_of,
    nearest,
    text,
    whole,
)

PACK = Record(
    {
        "id": text(required=True),
        "weight": whole(),
        "base": flag(),
        "tags": list_of(text()),
        "position": choice("before", "after"),
        "versions": map_of(text()),
    },
    ignored={"profiles"},
)
EMPTY = {"id": "", "weight": 0, "base": False, "tags": (), "position": "", "versions": {}}
ROWS = list_of(Record({"slug": text(required=True), "featured": flag()}, bare="slug"), unique="slug")


def complaints(source: str | bytes, shape: Shape = PACK) -> list[str]:
    value, problems = check(source, shape, "cap/pack.yaml")
    assert value is None
    return [str(problem).removeprefix("cap/pack.yaml:") for problem in problems]


def test_a_file_becomes_plain_data_with_a_default_for_each_absent_key() -> None:
    source = "id: cap\nweight: -5\nbase: yes\ntags: [a, 'b']\nposition: after\nversions: {node: 22.10}\n"

    assert check("id: cap", PACK, "f") == Checked({**EMPTY, "id": "cap"}, ())
    assert check(source.encode(), PACK, "f").value == {
        "id": "cap",
        "weight": -5,
        "base": True,
        "tags": ("a", "b"),
        "position": "after",
        "versions": {"node": "22.10"},
    }


def test_text_is_what_its_author_sees() -> None:
    value, _ = check("id: 1.10\ntags: [no, 0x1F, 2026-01-01, true, '~', !!str 7]", PACK, "f")

    assert value["id"] == "1.10"
    assert value["tags"] == ("no", "0x1F", "2026-01-01", "true", "~", "7")


def test_a_problem_names_the_file_and_the_line() -> None:
    assert str(YamlProblem("cap/pack.yaml", 3, "odd")) == "cap/pack.yaml:3: odd"
    assert str(YamlProblem("cap/pack.yaml", 0, "odd")) == "cap/pack.yaml: odd"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("id: cap\n\nwieght: 5", '3: unknown key "wieght" (did you mean "weight"?)'),
        (
            "id: cap\nzzz:\n  - 5",
            '2: unknown key "zzz" (known are id, weight, base, tags, position, versions)',
        ),
        ("id: cap\nweight: heavy", '2: "weight" must be a whole number, not "heavy"'),
        (
            "id: cap\nweight: '100'",
            '2: "weight" must be a whole number, not the text "100" (remove the quotes)',
        ),
        ("id: cap\nweight: 1.5", '2: "weight" must be a whole number, not "1.5"'),
        ("id: cap\nweight: [1]", '2: "weight" must be a whole number, not a list'),
        ("id: cap\nbase: maybe", '2: "base" must be true or false, not "maybe"'),
        ("id: cap\nbase: {}", '2: "base" must be true or false, not keys with values'),
        (
            'id: cap\nbase: "true"',
            '2: "base" must be true or false, not the text "true" (remove the quotes)',
        ),
        ("id: cap\ntags: cloud", '2: "tags" must be a list, not "cloud" (write [cloud])'),
        ("id: cap\ntags: {a: b}", '2: "tags" must be a list, not keys with values'),
        ("id: cap\ntags:\n- a\n-", '4: "tags" has an empty entry'),
        ("id: cap\ntags: [[a]]", '2: "tags" must be text, not a list'),
        (
            "id: cap\nposition: befor",
            '2: "position" must be before or after, not "befor" (did you mean "before"?)',
        ),
        ("id: cap\nposition: xyz", '2: "position" must be before or after, not "xyz"'),
        ("id: cap\nposition: []", '2: "position" must be before or after, not a list'),
        ("id: cap\nversions: 5", '2: "versions" must be keys with values, not "5"'),
        ("id: cap\nversions:\n  a: []", '3: "versions.a" must be text, not a list'),
        ("id: cap\nversions:\n  a: 1\n  a: 2", '4: "versions.a" is given twice (first on line 3)'),
        ("id: {a: b}", '1: "id" must be text, not keys with values'),
        ("id: ''", '1: "id" is empty'),
        ("weight: 5", '1: "id" is missing'),
        ("weight: 5\nid:", '1: "id" is missing'),
        ("", '1: "id" is missing'),
        ("# nothing\n", '1: "id" is missing'),
        ("id: a\nweight: 1\nid: b", '3: "id" is given twice (first on line 1)'),
        ("id: cap\n? [a]\n: b", "2: a key must be text, not a list"),
        ("- id: cap", "1: the file must be keys with values, not a list"),
        ("cap", '1: the file must be keys with values, not "cap"'),
        ("id: !foo cap", '1: "id" has the tag !foo (remove it)'),
        (
            "id: !!python/name:os.system cap",
            '1: "id" has the tag tag:yaml.org,2002:python/name:os.system (remove it)',
        ),
        (
            "id: &x cap\ntags: [*x]",
            "2: the alias *x is not supported (write the value out)",
        ),
        ("id: cap: x", None),
        ("id: cap\n\tbase: true", None),
        ("id: a\n---\nid: b", "2: not YAML: but found another document (one document per file)"),
        ("id: [a", None),
        (b"id: caf\xe9\n", "1: not UTF-8 text (save the file as UTF-8)"),
        (b"a: 1\nid: \0", "2: not YAML: the character U+0000 is not allowed"),
        ("a: \u00e9\nid: \ud800", "2: not UTF-8 text (save the file as UTF-8)"),
        ("x" * (nodes.MAX_BYTES + 1), " larger than 10 MB"),
    ],
)
@pytest.mark.parametrize("compiled", [True, False])
def test_each_mistake_is_named(
    source: str | bytes, expected: str | None, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml, "__with_libyaml__", compiled)
    nodes._loader.cache_clear()
    found = complaints(source)
    nodes._loader.cache_clear()

    assert len(found) == 1
    assert expected in (found[0], None)


def test_a_colon_or_a_tab_in_the_wrong_place_has_its_remedy() -> None:
    assert complaints("name: a: b") == [
        "1: not YAML: mapping values are not allowed in this context (put a value that contains a colon in quotes)"
    ]
    assert complaints("a:\n\tb: 1")[0].endswith("spaces)")


def test_all_mistakes_of_a_file_are_named_at_once() -> None:
    assert complaints("weight: x\nbaze: true\ntags: 1") == [
        '1: "weight" must be a whole number, not "x"',
        '2: unknown key "baze" (did you mean "base"?)',
        '3: "tags" must be a list, not "1" (write [1])',
        '1: "id" is missing',
    ]


def test_a_misspelt_key_is_not_also_missing() -> None:
    assert complaints("idd: cap") == ['1: unknown key "idd" (did you mean "id"?)']


def test_long_values_are_shortened_in_complaints() -> None:
    assert complaints(f"id: a\nweight: {'x y ' * 50}")[0].endswith(
        'x y x y x y x y x y x y x y x y x y x y…"'
    )


def test_ignored_keys_are_accepted_in_silence() -> None:
    assert check("id: cap\nprofiles: [a, {b: c}]", PACK, "f") == Checked({**EMPTY, "id": "cap"}, ())


def test_an_empty_value_is_an_absent_one() -> None:
    value, problems = check("id: cap\nweight:\nbase: ~\ntags: null\nversions:\n", PACK, "f")

    assert (value, problems) == ({**EMPTY, "id": "cap"}, ())


def test_empty_files_are_empty_lists() -> None:
    assert check("# soon\n", ROWS, "f") == Checked((), ())
    assert check(b"", ROWS, "f") == Checked((), ())
    assert check("\ufeff# soon", ROWS, "f") == Checked((), ())


def test_a_bare_value_stands_for_a_record() -> None:
    value, _ = check("- first\n- slug: second\n  featured: true", ROWS, "f")

    assert value == ({"slug": "first", "featured": False}, {"slug": "second", "featured": True})


def test_rows_with_the_same_id_are_named() -> None:
    assert complaints("- a\n- slug: b\n- slug: a", ROWS) == ['3: slug "a" is given twice (first on line 1)']
    assert complaints("- featured: yes\n- featured: no", ROWS) == [
        '1: "slug" is missing',
        '2: "slug" is missing',
    ]


def test_a_sparse_record_has_only_what_was_written() -> None:
    sparse = Record({"a": text(), "b": whole(), "c": flag()}, sparse=True)

    assert check("a: x\nb:", sparse, "f").value == {"a": "x"}
    assert check("", sparse, "f").value == {}


def test_records_nest_and_name_the_whole_way() -> None:
    nested = Record(
        {"install": Record({"command": text(required=True), "args": list_of(text())}, required=True)}
    )

    assert check("install: {command: x}", nested, "f").value == {"install": {"command": "x", "args": ()}}
    assert complaints("install: {comand: x}", nested) == [
        '1: unknown key "install.comand" (did you mean "command"?)'
    ]
    assert complaints("install:\n  args: [a]", nested) == ['2: "install.command" is missing']
    assert complaints("install:", nested) == ['1: "install" is missing']
    assert complaints("", nested) == ['1: "install" is missing']


def test_a_field_and_a_record_may_have_rules_of_their_own() -> None:
    def lower(value: str) -> str:
        return "" if value.islower() else "must be in lower case"

    def either(row: Mapping[str, Any]) -> str:
        return "" if row["a"] or row["b"] else "either a or b is needed"

    shape = Record({"a": text(complaint=lower), "b": whole(least=0)}, complaint=either)

    assert check("a: x", shape, "f").value == {"a": "x", "b": 0}
    assert complaints("a: X", shape) == ['1: "a" must be in lower case']
    assert complaints("{}", shape) == ["1: either a or b is needed"]
    assert complaints("b: -1", shape) == ['1: "b" must be 0 or more, not "-1"']
    assert check("b: 7", shape, "f").value == {"a": "", "b": 7}


def test_a_loose_choice_overlooks_case_and_hyphens() -> None:
    event = Record({"event": choice("sessionStart", "stop", loose=True, spellings={"halt": "stop"})})

    for spelt in ("sessionStart", "session-start", "SessionStart", "session_start"):
        assert check(f"event: {spelt}", event, "f").value == {"event": "sessionStart"}
    assert check("event: Halt", event, "f").value == {"event": "stop"}


def test_a_star_that_is_no_alias_is_text() -> None:
    assert check("id: a*b\ntags: ['*', '*x', a * b, '& *c']", PACK, "f").value["tags"] == (
        "*",
        "*x",
        "a * b",
        "& *c",
    )


def test_a_bomb_of_aliases_and_deep_nesting_are_refused_quickly() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )

    assert complaints(bomb) == ["2: the alias *a is not supported (write the value out)"]
    assert len(complaints("[" * 100_000 + "]" * 100_000)) == 1


def test_the_nearest_word_is_offered_only_if_it_is_near() -> None:
    assert nearest("wieght", ["weight", "name"]) == "weight"
    assert nearest("zzz", ["weight", "name"]) == ""


@given(st.text() | st.binary())
def test_no_file_whatsoever_raises_an_error(source: str | bytes) -> None:
    value, problems = check(source, PACK, "f")

    assert (value is None) == bool(problems)


@given(st.text(min_size=1).filter(str.strip), st.integers(-(10**14), 10**14), st.booleans())
def test_what_was_written_is_read_again(words: str, number: int, truth: bool) -> None:
    source = yaml.safe_dump({"id": words, "weight": number, "base": truth, "tags": [words]})

    assert check(source, PACK, "f").value == {
        **EMPTY,
        "id": words,
        "weight": number,
        "base": truth,
        "tags": (words,),
    }
