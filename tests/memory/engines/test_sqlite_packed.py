"""The texts of a passage in SQLite, packed."""

from hypothesis import given
from hypothesis import strategies as st

from modicum.memory.engines.sqlite_packed import MOST_PACKED, Unpacking, packed

LINES = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=60)
TEXTS = st.tuples(LINES, LINES, st.text(st.characters(exclude_categories=["Cs"]), max_size=3_000))


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


def test_usual_words_take_less_than_two_thirds():
    body = "the server fail becaus of a connect that was close by the client and not open when the queri was call"
    texts = ("cach of the server", "ǂp1234abcd ǂs2fb3d0ee ǂt84acbe48", body)

    assert 3 * len(packed(*texts)) < 2 * sum(map(len, texts))
