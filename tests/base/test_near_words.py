"""The word that was meant: by its beginning, else by the fewest slips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.base.near_words import LONGEST, nearest, slips_between

TOOLS = ("claude-ai", "claude-code", "codex", "copilot", "cursor")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("cod", "codex"),
        ("CUR", "cursor"),
        ("claude", "claude-ai"),  # the shortest that begins so
        ("codx", "codex"),
        ("cusror", "cursor"),  # swapped letters are one slip
        ("copilott", "copilot"),
        ("c", ""),  # one letter begins too many
        ("", ""),
        ("zzzz", ""),
        ("codex" + "x" * 1_000, ""),
        ("中文", ""),
    ],
)
def test_the_nearest_word_is_what_was_meant(typed: str, meant: str) -> None:
    assert nearest(typed, TOOLS) == meant


def test_a_word_of_slips_alone_is_not_near() -> None:
    assert nearest("x", ["y"]) == ""
    assert nearest("ab", []) == ""


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [("", "", 0), ("ab", "ba", 1), ("abc", "ac", 1), ("abc", "axc", 1), ("", "abc", 3)],
)
def test_slips_are_counted(one: str, other: str, slips: int) -> None:
    assert slips_between(one, other) == slips


def test_a_changed_letter_may_count_more() -> None:
    assert slips_between("abc", "axc", 2) == 2


@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_slips_are_the_same_from_either_side(one: str, other: str) -> None:
    assert slips_between(one, other) == slips_between(other, one)
    assert (slips_between(one, other) == 0) is (one == other)


@given(st.text(max_size=2 * LONGEST), st.lists(st.text(max_size=10), max_size=5))
def test_what_is_near_is_a_known_word(typed: str, known: list[str]) -> None:
    assert nearest(typed, known) in (*known, "")
