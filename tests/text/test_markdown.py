"""Tiers and headings: every edge of the marker grammar, and the laws on random documents."""

from itertools import pairwise, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from modicum.text.markdown import (
    Kind,
    Outline,
    Passage,
    Remark,
    Run,
    Scanner,
    Tiers,
    split_outline,
    split_tiers,
)
from modicum.text.snippets import snippet

DETAIL = "<!-- verbosity:detail -->"
EXTENDED = "<!-- verbosity:extended -->"
CORE = "<!-- verbosity:core -->"
UNCLOSED = 'unclosed verbosity marker: it counts as text (end it with "-->")'
PARSER = MarkdownIt("commonmark").enable("table")


def runs(text: str) -> list[tuple[str, str]]:
    return [(run.tier, run.text) for run in split_tiers(text).runs]


def passages(text: str) -> list[tuple[tuple[str, ...], str]]:
    return [(passage.leads, passage.text) for passage in split_outline(text).passages]


def unknown(level: str) -> str:
    return f'unknown verbosity level "{level}": its text counts as core (use core, detail or extended)'


def test_a_text_without_markers_is_core_and_unchanged() -> None:
    assert split_tiers("# A\r\n\n  x  \r") == Tiers((Run("core", "# A\r\n\n  x  \r"),), ())


def test_an_empty_text_has_no_runs_and_no_passages() -> None:
    assert split_tiers("") == Tiers((), ())
    assert split_outline("") == Outline((), ())
    assert split_outline("\ufeff\n \n") == Outline((), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"C.\n{DETAIL}\nD.\n{EXTENDED}\nE.\n", [("core", "C.\n"), ("detail", "D.\n"), ("extended", "E.\n")]),
        (f"A.\n{DETAIL}\nB.\n{CORE}\nC.\n", [("core", "A.\n"), ("detail", "B.\n"), ("core", "C.\n")]),
        (f"A.\n{DETAIL}\n{EXTENDED}\nE.", [("core", "A.\n"), ("extended", "E.")]),
        (f"A.\n{CORE}\nB.\n", [("core", "A.\nB.\n")]),
        (f"A.\n{DETAIL}", [("core", "A.\n")]),
        (f"A.\r\n{DETAIL}\r\nB.\r\n", [("core", "A.\r\n"), ("detail", "B.\r\n")]),
        (f"A.\r{DETAIL}\rB.\r", [("core", "A.\r"), ("detail", "B.\r")]),
        (f"\ufeff{DETAIL}\nB.\n", [("detail", "B.\n")]),
        (f"A.\n  {DETAIL}  \nB.\n", [("core", "A.\n"), ("detail", "B.\n")]),
        (f"A.\n      {DETAIL}\nB.\n", [("core", "A.\n"), ("detail", "B.\n")]),
        (f"- A.\n\n  {DETAIL}\n  B.\n", [("core", "- A.\n\n"), ("detail", "  B.\n")]),
        ("A.\n<!--verbosity:detail-->\nB.", [("core", "A.\n"), ("detail", "B.")]),
        ("A.\n<!--   Verbosity : DETAIL   -->\nB.", [("core", "A.\n"), ("detail", "B.")]),
        ("A.\n<!--\nverbosity:\r\n detail\n-->\nB.", [("core", "A.\n"), ("detail", "B.")]),
        ("A <!-- verbosity:\ndetail --> B.", [("core", "A "), ("detail", " B.")]),
        (f"A. {DETAIL}\nB.\n", [("core", "A. \n"), ("detail", "B.\n")]),
        (f"A {DETAIL} B {EXTENDED}\nC", [("core", "A "), ("detail", " B \n"), ("extended", "C")]),
        (f"{DETAIL} {EXTENDED}\nE.", [("extended", "E.")]),
        (f"{DETAIL} B {CORE} C", [("detail", " B "), ("core", " C")]),
        (f"A\n{DETAIL}{DETAIL}x\n", [("core", "A\n"), ("detail", "x\n")]),
        (f"# A {DETAIL}\nB", [("core", "# A \n"), ("detail", "B")]),
        (f"{DETAIL} # A\nB", [("detail", " # A\nB")]),
    ],
)
def test_a_marker_starts_a_tier_and_is_gone(text: str, expected: list[tuple[str, str]]) -> None:
    assert runs(text) == expected
    assert split_tiers(text).remarks == ()


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{DETAIL}\n```\n",
        f"~~~ md\n{DETAIL}\n```\n{DETAIL}\n~~~~\n",
        f"````\n```\n{DETAIL}\n````\n",
        f"```\n``` x\n{DETAIL}\n",
        f"```\n    ```\n{DETAIL}\n",
        f"   ```\n{DETAIL}\n",
        f"- a\n  ```\n  {DETAIL}\n\n  {DETAIL}\n  ```\n",
        f"- ~~~\n  {DETAIL}\n",
        f"1. a\n   - b\n\n\t ```\n\t {DETAIL}\n\t ```\n",
        f"> ```\n> {DETAIL}\n> ```\n",
        f"> - ```\n>\n>   {DETAIL}\n",
        f"- > a\n  > ```\n  > {DETAIL}\n",
        f"A.\n\n      {DETAIL}\nB.\n",
        f"\t{DETAIL}\n",
        f"- A.\n\n      {DETAIL}\n",
        f"# A\n    {DETAIL}\n    text {DETAIL}\n",
        f"use `{DETAIL}` here\n",
        f"use `` ` {DETAIL} `` here\n",
        f"\\`a` {DETAIL} `\n",
        "use `<!-- verbosity:` here\n",
        f"---\nhint: {DETAIL}\n---\n",
    ],
)
def test_a_marker_in_code_or_front_matter_is_text(text: str) -> None:
    assert split_tiers(text) == Tiers((Run("core", text),), ())


TABLE = "| a | b |\n|---|---|\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"{TABLE}| 1 |\n{DETAIL}\n| 2 |\n\nB.\n",
            [("core", f"{TABLE}| 1 |\n| 2 |\n"), ("detail", "\nB.\n")],
        ),
        (f"{TABLE}| 1 | {DETAIL}\n| 2 |\n# B\n", [("core", f"{TABLE}| 1 | \n| 2 |\n"), ("detail", "# B\n")]),
        (f"{TABLE}| {DETAIL} 1 |\n{CORE} B.\n", [("core", f"{TABLE}|  1 |\n B.\n")]),
        (f"| a | b |\n{DETAIL}\n|---|---|\n| 1 |\n\nB.", [("core", f"{TABLE}| 1 |\n"), ("detail", "\nB.")]),
        (
            f"- | a |\n  |---|\n  {DETAIL}\n  | 1 |\nB.",
            [("core", "- | a |\n  |---|\n  | 1 |\n"), ("detail", "B.")],
        ),
        (f"{TABLE}| 1 |\n{DETAIL}\n| 2 |\n", [("core", f"{TABLE}| 1 |\n| 2 |\n")]),
        (f"{TABLE}| 1 <!-- a comment --> |\n", [("core", f"{TABLE}| 1 <!-- a comment --> |\n")]),
    ],
)
def test_a_marker_in_a_table_keeps_it_whole_and_holds_below_it(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert runs(text) == expected
    assert all("inside a table" in remark.message for remark in split_tiers(text).remarks)


@pytest.mark.parametrize("below", ["", "B.\n", f"{TABLE}| 2 |\n", "\n| 2 |\n"])
def test_a_marker_between_a_table_and_something_else_starts_a_tier(below: str) -> None:
    expected = [("core", f"{TABLE}| 1 |\n"), *([("detail", below)] if below else [])]
    assert runs(f"{TABLE}| 1 |\n{DETAIL}\n{below}") == expected
    assert split_tiers(f"{TABLE}| 1 |\n{DETAIL}\n{below}").remarks == ()


@pytest.mark.parametrize(
    "text",
    [
        f"```\nx\n```\n{DETAIL}\nB",
        f"~~~ `a`\nx\n~~~  \n{DETAIL}\nB",
        f"``` a`b\n{DETAIL}\nB",
        f"    ```\n{DETAIL}\nB",
        f"- ```\n  x\n\n{DETAIL}\nB",
        f"> ```\n\n{DETAIL}\nB",
        f"a ` b `` c\n`{DETAIL}\nB",
        f"\\`{DETAIL}`\nB",
        f"<!-- a\n```\n-->\n{DETAIL}\nB",
        f"<!-- a -->\n{DETAIL}\nB",
        f"{'- ' * 40}```\n{DETAIL}\nB",
    ],
)
def test_a_marker_after_or_beside_code_counts(text: str) -> None:
    assert runs(text)[-1] == ("detail", "`\nB" if text.endswith("`\nB") else "B")


@pytest.mark.parametrize("level", ["bogus", "very-detailed", "", "detail please", "det--ail"])
def test_an_unknown_level_counts_as_core_and_is_remarked(level: str) -> None:
    text = f"A\n{DETAIL}\nB\n<!-- verbosity:{level} -->\nC\n"

    assert split_tiers(text) == Tiers(
        (Run("core", "A\n"), Run("detail", "B\n"), Run("core", "C\n")), (Remark(4, unknown(level)),)
    )


def test_an_unclosed_marker_is_remarked_and_stays_text() -> None:
    text = f"A\n<!-- verbosity:detail\n# B\n\nx --> y\n{DETAIL}\nC"

    assert split_outline(text) == Outline(
        (
            Passage("A\n<!-- verbosity:detail", "core", (), 1),
            Passage("x --> y", "core", ("# B",), 5),
            Passage("C", "detail", ("# B",), 7),
        ),
        (Remark(2, UNCLOSED),),
    )


def test_remarks_count_lines_through_front_matter_and_markers_of_several_lines() -> None:
    text = "---\na: b\n---\n<!--\nverbosity:x -->\n\n```\n\n```\n<!-- verbosity:y -->\n"

    assert split_tiers(text).remarks == (Remark(4, unknown("x")), Remark(10, unknown("y")))


def test_headings_lead_what_stands_below_them() -> None:
    text = f"""Intro

# One #
a
## Two
### Empty
{DETAIL}
### Three

b
{CORE}
c

Four
----
d

# Nothing below
"""

    assert split_outline(text).passages == (
        Passage("Intro", "core", (), 1),
        Passage("a", "core", ("# One #",), 4),
        Passage("b", "detail", ("# One #", "## Two", "### Three"), 10),
        Passage("c", "core", ("# One #", "## Two", "### Three"), 12),
        Passage("d", "core", ("# One #", "Four\n----"), 16),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n===\nx", [(("a\nb\n===",), "x")]),
        ("a\n\n---\nx", [((), "a\n\n---\nx")]),
        ("- a\n---\nx", [((), "- a\n---\nx")]),
        ("- a\nb\n---\nx", [((), "- a\nb\n---\nx")]),
        ("- a\n  ===\n  # b\nx", [((), "- a\n  ===\n  # b\nx")]),
        ("> a\n===\nx", [((), "> a\n===\nx")]),
        ("a | b\n--- | ---\nc | d\n---\nx", [((), "a | b\n--- | ---\nc | d\n---\nx")]),
        ("---\na: b\n---\nx\n# c\ny", [((), "---\na: b\n---\nx"), (("# c",), "y")]),
        ("---\na\n---", [((), "---\na\n---")]),
        ("---\nunclosed\n# c\ny", [((), "---\nunclosed"), (("# c",), "y")]),
        ("#a\n#\tb\n#######\n##\nx", [((), "#a"), (("#\tb",), "#######"), (("#\tb", "##"), "x")]),
        ("    # a\nx", [((), "    # a\nx")]),
        ("a\n    # b\nx", [((), "a\n    # b\nx")]),
        ("```\n# a\n```\nx", [((), "```\n# a\n```\nx")]),
        ("<!--\n# a\n-->\n# b\nx", [((), "<!--\n# a\n-->"), (("# b",), "x")]),
        (f"# a {DETAIL}\nx", [(("# a",), "x")]),
        (f"a {DETAIL} b\n===\nx", [((), "a"), ((), " b\n===\nx")]),
        (f"a\n{DETAIL}\n===\nx", [((), "a"), ((), "===\nx")]),
        (f"- a\n{DETAIL}\n    # b", [((), "- a"), ((), "    # b")]),
        ("a\n2. b\n===\nx", [(("a\n2. b\n===",), "x")]),
        ("a\n1. b\n===\nx", [((), "a\n1. b\n===\nx")]),
        ("\n \n    x\n\n", [((), "    x")]),
    ],
)
def test_only_headings_at_the_top_level_cut(text: str, expected: list[tuple[tuple[str, ...], str]]) -> None:
    assert passages(text) == expected


def test_a_heading_repeated_below_itself_is_kept_as_text() -> None:
    assert passages("## A\nx\n## A\ny\n## A\nz") == [(("## A",), "x"), ((), "## A\ny"), (("## A",), "z")]
    assert passages("# A\n## B\nx\n# A\n## B\ny") == [
        (("# A", "## B"), "x"),
        ((), "# A"),
        (("## B",), "y"),
    ]


def test_the_same_heading_elsewhere_is_a_lead_again() -> None:
    assert passages("# A\nx\n# B\ny\n# A\nz") == [(("# A",), "x"), (("# B",), "y"), (("# A",), "z")]
    assert passages("# A\n# A\nz") == [(("# A",), "z")]


def shown(outline: Outline) -> list[str]:
    """The lines of a page that shows everything: each lead once, above the first passage below it."""
    lines: list[str] = []
    above: tuple[str, ...] = ()
    for passage in outline.passages:
        same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(passage.leads, above, strict=False))])
        lines += [*passage.leads[same:], *passage.text.splitlines()]
        above = passage.leads
    return [line for line in lines if line.strip()]


def expected_lines(blocks: list[tuple[int, str]]) -> list[str]:
    """All lines of the texts (level 0), and the headings that have text below them."""
    lines: list[str] = []
    waiting: list[tuple[int, str]] = []
    for level, text in blocks:
        if level:
            waiting = [*((above, lead) for above, lead in waiting if above < level), (level, text)]
        elif text not in (CORE, DETAIL):
            lines += [lead for _, lead in waiting] + [line for line in text.splitlines() if line.strip()]
            waiting = []
    return lines


TEXTS = [
    "x{}", "x{}\ny", "- x{}\n  y", "```\n# x{}\n\n<!-- verbosity:core -->\n```", "> # x{}", "| x{} |\n|---|", "    # {}",
    "* a\n  ~~~\n  ---\n\n  # {}\n  ~~~", CORE, DETAIL,
]  # fmt: skip
BLOCKS = st.tuples(st.just(0), st.sampled_from(TEXTS)) | st.integers(1, 6).map(
    lambda n: (n, "#" * n + " h{}")
)


@given(st.lists(BLOCKS), st.sampled_from(["\n", "\r\n", "\r"]))
def test_every_line_appears_once_and_in_order(templates: list[tuple[int, str]], eol: str) -> None:
    blocks = [(level, text.replace("{}", str(number))) for number, (level, text) in enumerate(templates)]

    outline = split_outline("\n\n".join(text for _, text in blocks).replace("\n", eol))

    assert shown(outline) == expected_lines(blocks)
    assert all(
        passage.text.count("```") % 2 == passage.text.count("~~~") % 2 == 0 for passage in outline.passages
    )


@given(st.lists(BLOCKS))
def test_no_line_is_lost_below_headings_of_one_name(blocks: list[tuple[int, str]]) -> None:
    found = iter(shown(split_outline("\n\n".join(text for _, text in blocks))))

    assert all(line in found for line in expected_lines(blocks))


SHAPES = [
    "# a", "## b ##", "  ### c", "####### d", "#e", "#", "a", "b c", "  a", "===", "---", "- - -", "***", "  ---", "=",
    "", "", "", "- a", "- # a", "* b", "+ c", "1. a", "2. b", "  - c", "    - d", "   e", "    f", "      g", "> a", "> # b",
    "```", "```py", "~~~", "````", "  ```", "    ```", "``` a`b", "<!-- a -->", "<!-- a", "-->", "| a | b |\n|---|---|",
    "a | b\n--- | ---\nc | d", "\tx", "-\ty", "\t# z", "`<!-- a -->`", "> ```", "- ```", "10) x",
]  # fmt: skip


LINES = st.lists(st.sampled_from(SHAPES)).map("\n".join)


def parsed_lines(text: str) -> tuple[list[int], list[int]]:
    """Where markdown-it sees top-level headings start, and which lines it sees in fences."""
    spans = [(token.type, token.level, range(*token.map)) for token in PARSER.parse(text) if token.map]
    headings = [span[0] for kind, level, span in spans if kind == "heading_open" and level == 0]
    fenced = {number for kind, _, span in spans if kind == "fence" for number in span}
    lines = text.split("\n")
    return headings, [number for number in sorted(fenced) if lines[number].strip()]


def scanned_lines(text: str) -> tuple[list[int], list[int]]:
    scanner, headings, fenced, paragraph = Scanner(), [], [], 0
    for number, line in enumerate(text.split("\n")):
        quoted, kind = scanner.quotes(line), scanner.read(line)
        if line.strip() and (quoted or scanner.leaf.name == "FENCE"):
            fenced.append(number)
        if kind is not Kind.PARAGRAPH:
            headings += {Kind.HEADING: [number], Kind.UNDERLINE: [paragraph]}.get(kind, [])
            paragraph = number + 1
    return headings, fenced


@given(LINES)
def test_headings_and_fences_are_where_a_markdown_parser_sees_them(text: str) -> None:
    assert scanned_lines(text) == parsed_lines(text)


@given(LINES)
def test_many_lines_read_at_once_are_what_each_of_them_is(text: str) -> None:
    scanner, single, at, kinds = Scanner(), Scanner(), 0, []
    while at < len(text):
        lines = scanner.ahead(text, at, len(text))
        kinds += [scanner.read(lines)] * len(lines.splitlines())
        at += len(lines)

    assert kinds == [single.read(line) for line in text.splitlines()]


@given(st.text(alphabet="ab<!->`~#= \t\r\n\ufeff\x0b\u2028", max_size=60) | LINES)
def test_a_text_without_markers_is_one_run_byte_for_byte(text: str) -> None:
    assert "".join(run.text for run in split_tiers(text).runs) == text.removeprefix("\ufeff")


MARKED = st.lists(st.sampled_from([*SHAPES, CORE, DETAIL, "  " + DETAIL, f"a{DETAIL}b", "<!-- verbosity:x"]))


@given(MARKED.map("\n".join))
def test_neighbouring_runs_differ_in_tier_and_none_is_empty(text: str) -> None:
    found = split_tiers(text).runs

    assert all(one.tier != other.tier for one, other in pairwise(found))
    assert all(run.text for run in found)


@given(MARKED.map("\n".join))
def test_passages_hold_the_words_of_the_runs_in_order(text: str) -> None:
    words = iter(" ".join(run.text for run in split_tiers(text).runs).split())

    assert all(word in words for passage in split_outline(text).passages for word in passage.text.split())


SIZE = 500_000


@pytest.mark.parametrize(
    "text",
    [
        "x" * SIZE,
        "`" * SIZE,
        "` `` " * (SIZE // 5) + DETAIL,
        "<!-- verbosity:" * (SIZE // 15),
        "<!-- verbosity:" + " " * SIZE,
        "<!-- verbosity:" + "-" * SIZE,
        DETAIL * (SIZE // 25),
        "- " * SIZE + "x",
        "> " * SIZE + "x",
        "- " * SIZE + "x" + "\n" * SIZE,
        "---\n" + "a\n" * SIZE,
        "a\n" * SIZE + "===",
        "\\`" * (SIZE // 2) + DETAIL,
    ],
    ids=lambda text: text[:16],
)
def test_odd_texts_take_no_more_than_linear_time(text: str) -> None:
    """With anything quadratic in the code this would not end."""
    split_outline(text)
    snippet(text, 140)
