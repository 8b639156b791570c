"""Tests which sentences of a Markdown text count as instructions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.text.directives import Sentence, directives, forbids, is_directive, sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "Use pnpm.",
        "**Never** commit `.env` files.",
        "Tests: run them before every push.",
        "If you touch the API, update the docs.",
        "No default exports",
        "Please, always ask first.",
        "[ ] Keep functions short",
        "⚠️ Do NOT edit generated files",
        "Direct pushes to main are strictly forbidden.",
        "Migrations should be reversible.",
        "When in doubt: ask.",
        "Only use named exports.",
        "Encrypt passwords with the vault.",
        "Each bug gets a test that fails without the fix.",
        "All visible text goes to `strings.xml`.",
        "One commit per logical change.",
        "A module may depend only on the `api` package.",
        "Benchmark changes of the ranking.",
    ],
)
def test_instructions_count(sentence: str) -> None:
    assert is_directive(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "We use pnpm.",
        "Build is slow",
        "Test: 40 seconds",
        "Use of the cache",
        "The API lives in `src/api`.",
        "Should I commit?",
        "`make must`",
        "*",
        "",
        "No longer in use",
        "Label sizes come from the profile.",
        "Test messages are synthetic.",
        "Go, controller-runtime.",
        "Each package has its own README.",
    ],
)
def test_descriptions_and_questions_do_not(sentence: str) -> None:
    assert not is_directive(sentence)


@pytest.mark.parametrize(
    "sentence", ["Never push.", "Don’t guess", "No globals", "Globals are banned.", "Avoid mocks"]
)
def test_a_prohibition_forbids(sentence: str) -> None:
    assert forbids(sentence)


@pytest.mark.parametrize("sentence", ["Do not forget to test.", "Run `never`", "Note the order"])
def test_a_command_does_not_forbid(sentence: str) -> None:
    assert not forbids(sentence)


TEXT = """---
description: Use nothing
---
# Use headings

First line of prose, e.g. Markdown. Run the
tests; don't skip `a. B`. Done.

<!-- Use comments -->

```
Use code
```

    Use indented code

> - Quote it!

| rule | why |
| --- | --- |
| Use tabs | |
"""


def test_sentences_have_their_lines_and_no_headings_code_or_comments() -> None:
    assert list(sentences(TEXT)) == [
        Sentence("First line of prose, e.g. Markdown.", 6),
        Sentence("Run the tests;", 6),
        Sentence("don't skip `a. B`.", 7),
        Sentence("Done.", 7),
        Sentence("Quote it!", 17),
        Sentence("rule", 19),
        Sentence("why", 19),
        Sentence("Use tabs", 21),
    ]


def test_directives_are_the_sentences_that_instruct() -> None:
    assert [each.line for each in directives(TEXT)] == [6, 7, 17, 21]


@given(
    st.lists(
        st.sampled_from(
            ["Use tabs.", "Never push!", "It is so.", "`x. Y`", "\n\n", "\n- item ", " ", "e.g. ", ";"]
        )
    )
)
def test_no_word_is_lost_or_made(parts: list[str]) -> None:
    text = "\n".join(line.strip() for line in " ".join(parts).split("\n"))
    found = " ".join(each.text for each in sentences(text))
    kept = [word for word in text.split() if word.strip("-")]
    assert [word for word in found.split() if word.strip("-")] == kept
