"""Front matter of instruction files, as lenient as the tools are."""

import pytest

from modicum.targets.loaders.front_matter import front_matter_end, globs_in, is_read_at_start
from modicum.targets.loaders.model import ReadCondition

ALWAYS = (ReadCondition("alwaysApply", ("true",)), ReadCondition("globs", ("**",)), ReadCondition("regex"))


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\na: b\n---\nbody", "body"),
        ("\ufeff---\r\na: b\r\n---\r\nbody", "body"),
        ("---\n---\nbody", "body"),
        ("--- \na\n---", ""),
        ("---\nno end", "---\nno end"),
        (" ---\na\n---\n", " ---\na\n---\n"),
        ("body\n---\na\n---\n", "body\n---\na\n---\n"),
        ("", ""),
    ],
)
def test_front_matter_stands_between_two_bars_at_the_start(text: str, body: str) -> None:
    assert text[front_matter_end(text) :] == body


@pytest.mark.parametrize(
    ("head", "is_read"),
    [
        ("name: x", True),
        ("alwaysApply: true\nglobs: src/**", True),
        ("alwaysApply: false", False),
        ("globs: **", True),
        ("globs: [ '**', \"**\" ]", True),
        ("globs:\n- a\n- b\nname: x", False),
        ("globs:\n  - '**'\n\n- a", True),
        ("globs: []", True),
        ("regex: x", False),
        (" globs: a", True),
    ],
)
def test_the_first_key_that_is_there_decides(head: str, is_read: bool) -> None:
    assert is_read_at_start(f"---\n{head}\n---\nglobs: a\n", ALWAYS) == is_read


def test_a_file_may_need_the_key() -> None:
    needed = (ReadCondition("alwaysApply", ("true",), absent=False),)

    assert not is_read_at_start("rule", needed)
    assert is_read_at_start("---\nalwaysApply: true\n---\nrule", needed)


def test_globs_are_read_in_the_words_of_any_tool() -> None:
    heads = (
        "globs: **/*.ts, src/*.js",
        'applyTo: "**/*.sql"',
        "paths:\n  - a/**\n  - b/**",
        "description: x",
    )

    assert [globs_in(f"---\n{head}\n---\nrule\n") for head in heads] == [
        ("**/*.ts", "src/*.js"),
        ("**/*.sql",),
        ("a/**", "b/**"),
        (),
    ]
    assert globs_in("globs: none\n") == ()
