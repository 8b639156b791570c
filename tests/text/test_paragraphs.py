"""A passage is cut into paragraphs that together are the passage again."""

from hypothesis import given
from hypothesis import strategies as st

from modicum.text.paragraphs import (
    CODE,
    COMMENT,
    HEADING,
    ITEM,
    PROSE,
    RULE,
    STEPS,
    TABLE,
    Paragraph,
    parts_of,
    split_paragraphs,
    whole_lines,
)

TEXT = """Before a release:

- one
- two
  goes on
* three

1. first
2. second
   more

```sh title
make
```

    indented

| a | b |
|---|---|
| 1 | 2 |

> quoted

<!-- note -->

<details>x</details>

---

## again"""


def test_each_kind_is_cut_apart() -> None:
    assert [(each.kind, each.line, each.blank) for each in split_paragraphs(TEXT)] == [
        (PROSE, 0, True),
        (ITEM, 2, False),
        (ITEM, 3, False),
        (ITEM, 5, True),
        (STEPS, 7, True),
        (CODE, 11, True),
        (CODE, 15, True),
        (TABLE, 17, True),
        (PROSE, 21, True),
        (COMMENT, 23, True),
        (PROSE, 25, True),
        (RULE, 27, True),
        (HEADING, 29, False),
    ]


def test_a_paragraph_that_ends_in_a_colon_introduces_what_follows() -> None:
    first, second, *_ = split_paragraphs(TEXT)

    assert first.is_lead
    assert not second.is_lead
    assert Paragraph(PROSE, "**Never:**", 0).is_lead


def test_the_language_of_code_is_known() -> None:
    assert split_paragraphs("```Bash x\nmake\n```")[0].language == "bash"


def test_lines_that_are_sentences_are_cut_apart_and_other_lines_are_not() -> None:
    assert [
        each.text for each in split_paragraphs("Never guess.\nAsk first!\n\nA sentence in two\nlines.")
    ] == [
        "Never guess.",
        "Ask first!",
        "A sentence in two\nlines.",
    ]


def test_the_definition_of_a_link_belongs_to_what_is_there() -> None:
    assert [each.text for each in split_paragraphs("[x]: http://y\n\nText [x].")] == [
        "[x]: http://y",
        "Text [x].",
    ]
    assert [each.text for each in split_paragraphs("[x]: http://y")] == ["[x]: http://y"]


def test_steps_and_rows_are_parts() -> None:
    by_kind = {each.kind: each for each in split_paragraphs(TEXT)}

    assert [*parts_of(by_kind[STEPS])] == [(7, "1. first\n"), (8, "2. second\n   more")]
    assert [line for line, _ in parts_of(by_kind[TABLE])] == [17, 18, 19]
    assert [*parts_of(by_kind[COMMENT])] == [(23, "<!-- note -->")]


def test_lines_keep_their_ends() -> None:
    assert whole_lines("a\r\nb\rc\n\nd\u2028e") == ["a\r\n", "b\r", "c\n", "\n", "d\u2028e"]
    assert whole_lines("") == []


@given(
    st.lists(st.sampled_from([*TEXT.split("\n"), "", "  - inner", "***", "Never. Guess.", "[a]: b"])).map(
        "\n".join
    )
)
def test_no_line_is_lost(text: str) -> None:
    found = [
        line.rstrip() for each in split_paragraphs(text) for line in each.text.split("\n") if line.strip()
    ]

    assert found == [line.rstrip() for line in text.split("\n") if line.strip()]
