"""A snippet is the beginning of a text, cut at the end of a word or of a whole character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.text.snippets import snippet


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("", 5, ""),
        ("abc", 0, ""),
        ("abc", -1, ""),
        ("abc", 1, "…"),
        ("abc", 3, "abc"),
        ("  a\n\tb\u2028c  ", 9, "a b c"),
        ("hello world", 11, "hello world"),
        ("hello world", 10, "hello…"),
        ("hello world", 6, "hello…"),
        ("hello world", 5, "hell…"),
        ("hello, big world", 12, "hello, big…"),
        (" " * 1000 + "hello world", 8, "hello…"),
        ("知识就是力量", 4, "知识就…"),
        ("see 知识就是力量", 7, "see 知识…"),
        ("e\u0301e\u0301e\u0301", 4, "e\u0301…"),
        ("👩‍👩‍👧👩‍👩‍👧", 9, "👩‍👩‍👧…"),
        ("👩‍👩‍👧👩‍👩‍👧", 5, "…"),
        ("👍🏽👍🏽", 3, "👍🏽…"),
        ("🇩🇪🇫🇷🇮🇹", 4, "🇩🇪…"),
        ("🇩🇪🇫🇷🇮🇹", 5, "🇩🇪🇫🇷…"),
        ("a🇩🇪🇫🇷", 3, "a…"),
        ("1️⃣2️⃣3️⃣", 5, "1️⃣…"),
        ("❤️❤️", 3, "❤️…"),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", 5, "\u1112\u1161\u11ab…"),
        ("क्षिक्षि", 6, "क्षि…"),
        ("\u0600123", 2, "…"),
        ("x\ud800\udfff y", 3, "x\ud800…"),
    ],
)
def test_a_snippet_ends_between_words_or_whole_characters(text: str, width: int, expected: str) -> None:
    assert snippet(text, width) == expected


@given(st.text(), st.integers(0, 40))
def test_a_snippet_is_one_line_within_its_width(text: str, width: int) -> None:
    folded, short = " ".join(text.split()), snippet(text, width)

    assert len(short) <= width
    assert short == (folded if len(folded) <= width else short)
    assert short == folded or not width or folded.startswith(short.removesuffix("…"))
    assert short == " ".join(short.split())
