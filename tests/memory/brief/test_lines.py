"""Notes as single lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.memory.brief.lines import (
    BriefNote,
    line_of,
    names_of,
    public_id_in,
    sharing,
    shorten,
    visible,
    words_of,
)

WORDS = st.text(st.characters(codec="utf-8"), max_size=200)


@given(text=WORDS, width=st.integers(0, 300))
def test_a_shortened_text_is_one_visible_line_within_its_width(text: str, width: int) -> None:
    line = shorten(text, width)

    assert len(line) <= width
    assert len(line.splitlines()) <= 1
    assert line == visible(line)


@pytest.mark.parametrize(
    ("text", "width", "line"),
    [
        ("one two", 7, "one two"),
        ("one two three", 9, "one two…"),
        ("one two three", 12, "one two…"),
        ("one twothreefourfive", 12, "one twothre…"),
        ("Ünïcödé 中文 text", 9, "Ünïcödé…"),
        ("a\nb\tc\u2028d \x1b[31m", 20, "a b c d [31m"),
        ("family 👨\u200d👩\u200d👧 \u202ehidden\u200b", 40, "family 👨\u200d👩\u200d👧 hidden"),
        ("whatever", 0, ""),
    ],
)
def test_a_text_is_shortened_by_words(text: str, width: int, line: str) -> None:
    assert shorten(text, width) == line


def test_a_line_names_the_note_by_what_there_is_of_it() -> None:
    public, numbered, bare = (
        BriefNote(12, "bugfix", "Guard the header", 1 << 59),
        BriefNote(7, "", "Guard the header"),
        BriefNote(0, "bugfix", "Guard the header"),
    )
    names = names_of([public, numbered, bare])

    assert names == {12: "n-g00000", 7: "#7"}
    assert line_of(public, names[12], 140) == "- n-g00000 [bugfix] Guard the header"
    assert line_of(numbered, names[7], 18) == "- #7 Guard the…"
    assert line_of(bare, "", 140) == "- [bugfix] Guard the header"


def test_a_public_id_is_found_in_the_name_of_a_note() -> None:
    assert public_id_in("n-g00000") == 1 << 59
    assert public_id_in("#7") == public_id_in("") == 0


def test_the_words_of_a_branch_are_its_longer_ones() -> None:
    assert words_of("fix/Login-timeout_2026/of-cart") == {"login", "timeout", "cart"}


def test_notes_that_share_most_words_come_first_and_the_newest_among_equals() -> None:
    notes = [BriefNote(n, "", title) for n, title in ((9, "cart"), (8, "login page"), (7, "login timeout"))]

    assert [noted.id for noted in sharing(notes, frozenset(("login", "timeout")), 2)] == [7, 8]
    assert sharing(notes, frozenset(), 2) == ()
