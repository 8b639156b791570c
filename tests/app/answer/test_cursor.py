"""Cursors: written, read, and refused where they are not ours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.app.answer.cursor import Cursor, mark, read_cursor, write_cursor
from modicum.base.errors import ModicumError

NUMBERS = st.integers(0, 10**9 - 1)
MARKS = st.just("") | st.text().map(mark)


@given(
    NUMBERS,
    NUMBERS,
    NUMBERS,
    MARKS,
    MARKS,
    st.from_regex(r"([\w-]{2,60})?", fullmatch=True, alphabet=st.characters(codec="ascii")),
)
def test_a_cursor_can_be_written_and_read(
    shown: int, done: int, size: int, last: str, stamp: str, start: str
) -> None:
    cursor = Cursor(shown, done, size, last, stamp, start)

    assert read_cursor(write_cursor(cursor)) == cursor


def test_a_cursor_is_a_short_word() -> None:
    assert len(write_cursor(Cursor(200, 12, 20, mark("note:7"), mark("q"), ""))) < 24


@pytest.mark.parametrize(
    "word",
    ["x", "é", "1.2.3", "1.2.3.a.b.c", "-1.2.3._._._", "1.2.3._._.", "1" * 400, "0.0.0._._." + "a" * 1001],
)
def test_what_is_no_cursor_is_refused(word: str) -> None:
    with pytest.raises(ModicumError, match="no cursor"):
        read_cursor(word)


def test_a_cursor_of_another_list_is_refused() -> None:
    word = write_cursor(Cursor(1, 1, 0, mark("a"), mark("one question")))

    assert read_cursor(word, mark("one question")).shown == 1
    with pytest.raises(ModicumError, match="another list"):
        read_cursor(word, mark("another question"))
