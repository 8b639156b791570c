"""The texts of a passage in SQLite, packed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.memory.engines.sqlite_packed import MOST_PACKED, Unpacking, is_whole, packed

NO_STEM = '"\\\0'  # letters that none has
LINES = st.text(st.characters(exclude_characters=f"\n{NO_STEM}", exclude_categories=["Cs"]), max_size=60)
BODIES = st.text(st.characters(exclude_characters=NO_STEM, exclude_categories=["Cs"]), max_size=3_000)
TEXTS = st.tuples(LINES, LINES, BODIES)
LOST = ("", "", "")


def texts_of(unpacking, blob):
    return tuple(unpacking.part(blob, name) for name in ("title", "marks", "body"))


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_what_was_packed_comes_back_whole(passages):
    unpacking = Unpacking()

    blobs = [packed(*texts) for texts in passages]

    assert [texts_of(unpacking, blob) for blob in (*blobs, *reversed(blobs))] == [
        *passages,
        *reversed(passages),
    ]


def test_a_giant_comes_back_whole():
    giant = ("title", "marks", "giant " * MOST_PACKED)

    assert texts_of(Unpacking(), packed(*giant)) == giant


@given(st.binary(max_size=400) | st.text(max_size=400))
def test_what_was_never_packed_is_read_as_something_or_as_lost(value):
    texts = texts_of(Unpacking(), value)

    kind, kept = ("text", value.encode()) if isinstance(value, str) else ("blob", value)
    assert set(NO_STEM).isdisjoint("".join(texts))
    assert is_whole(kept, kind) is (texts != LOST)


@given(TEXTS, st.data())
def test_what_is_not_there_whole_is_lost(texts, data):
    blob = packed(*texts)
    part = blob[: data.draw(st.integers(0, len(blob) - 1))]

    assert is_whole(blob, "blob") is (texts != LOST)
    for damaged in (part, blob + b"\0"):
        assert texts_of(Unpacking(), damaged) == LOST
        assert not is_whole(damaged, "blob")


@pytest.mark.parametrize("letter", NO_STEM)
def test_letters_of_no_stem_are_damage(letter):
    for giant in ("", "giant " * MOST_PACKED):
        assert texts_of(Unpacking(), packed("a", "b", f"{giant}{letter}")) == LOST


def test_a_text_that_is_none_is_lost_and_a_number_too():
    assert not is_whole("title\nmarks\nbody é".encode("latin-1"), "text")
    assert texts_of(Unpacking(), 5) == LOST


def test_usual_words_take_less_than_two_thirds():
    body = "the server fail becaus of a connect that was close by the client and not open when the queri was call"
    texts = ("cach of the server", "ǂp1234abcd ǂs2fb3d0ee ǂt84acbe48", body)

    assert 3 * len(packed(*texts)) < 2 * sum(map(len, texts))
