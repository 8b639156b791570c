"""A turn of a conversation says whose it is and when it was, however it was written down."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.search.speakers import HEAD, day, label, speakers, without_date, without_label

DATE = "1:56 pm on 8 May, 2023"


@pytest.mark.parametrize(
    ("title", "text", "name"),
    [
        ("", "Caroline: I went there.", "Caroline"),
        ("turn 7", "**Mary Ann**: yes", "Mary Ann"),
        ("turn 7", "**Mary Ann:** yes", "Mary Ann"),
        ("D1:3", f"[{DATE}] Caroline: yes", "Caroline"),
        ("", f"Caroline ({DATE}): yes", "Caroline"),
        ("Caroline", "I went there.", "Caroline"),
        (f"Caroline ({DATE})", "I went there.", "Caroline"),
        ("Caroline, in May", "I went there.", "Caroline"),
        ("李雷", "你好", "李雷"),
        ("", "see http://example.org: it is there", ""),
        ("", "const x: number", ""),
        ("Why the queue was moved to another host", "Because.", ""),
        ("", "", ""),
    ],
)
def test_the_label_of_a_turn(title, text, name):
    assert label(title, text) == name


def test_a_speaker_speaks_again_and_again():
    assert speakers(["Ann", "Ben", "Ann", "", "", "", "Ann", "Ben"]) == {"Ann"}


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        ((f"Caroline ({DATE})", "yes"), "2023-05-08"),
        (("", f"[{DATE}] Caroline: yes"), "2023-05-08"),
        (("in May 2023", "on 8 May"), ""),
        (("", "x" * HEAD + DATE), ""),
    ],
)
def test_the_day_of_a_turn(texts, found):
    assert day(*texts) == found


def test_a_label_ends_where_the_text_begins():
    assert without_label(f"[{DATE}] **Ann**: yes: no") == "yes: no"
    assert without_label("nobody speaks") == "nobody speaks"


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        (f"Ann ({DATE})", ("Ann ", f"({DATE})")),
        ("Ann (again)", ("Ann (again)", "")),
        ("(" * HEAD + f"({DATE})", ("(" * HEAD + f"({DATE})", "")),
        ("Ann", ("Ann", "")),
    ],
)
def test_a_date_in_brackets_is_no_title(title, parts):
    assert without_date(title) == parts


@given(st.text(max_size=400), st.text(max_size=400))
def test_any_text_is_looked_at(title, text):
    assert len(label(title, text)) <= HEAD
    assert text.endswith(without_label(text))
    assert sum(map(len, without_date(title))) == len(title)
