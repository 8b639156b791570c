"""A long text by pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.engine.tokens import measure
from modicum.text.pieces import cut

TOKENS = measure("o200k_base")


def pieces(text: str, room: int, count=len) -> list[str]:
    found, start = [], 0
    while start < len(text):
        end = cut(text, start, room, count)
        assert end > start
        found.append(text[start:end])
        start = end
    return found


@given(st.text(alphabet=st.sampled_from("ab \n\r中😀."), max_size=300), st.integers(4, 60))
def test_the_pieces_are_within_their_room_and_together_the_text(text: str, room: int) -> None:
    for count in (len, TOKENS, lambda piece: len(piece.encode())):
        found = pieces(text, room, count)
        assert "".join(found) == text
        assert all(count(piece) <= room for piece in found)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("aaa bbb\n\nccc ddd", "aaa bbb\n\n"),
        ("aaa bbb\nccc ddd", "aaa bbb\n"),
        ("aaaa bbbb cccc", "aaaa bbbb "),
        ("aaaaaaaaaaaaaaa", "aaaaaaaaaaaa"),
        ("a\n\nbbbbbbbbbbbb", "a\n\nbbbbbbbbb"),
        ("aaaaaaaaaaa\r\nb", "aaaaaaaaaaa"),
    ],
)
def test_a_piece_ends_at_a_good_place(text: str, first: str) -> None:
    assert pieces(text, 12)[0] == first


def test_a_text_that_fits_is_one_piece_and_where_nothing_fits_there_is_none() -> None:
    assert pieces("a b", 3) == ["a b"]
    assert cut("abc", 1, 0, len) == 1
    assert cut("中", 0, 2, lambda piece: len(piece.encode())) == 0


def test_a_better_place_that_counts_more_is_not_taken() -> None:
    def count(piece: str) -> int:
        return 99 if piece.endswith(" ") else len(piece)

    assert cut("aaaa bbbb", 0, 7, count) == 7


def test_a_huge_text_is_not_measured_whole() -> None:
    measured: list[int] = []

    def count(piece: str) -> int:
        measured.append(len(piece))
        return len(piece) // 4

    assert cut("word " * 1_000_000, 0, 100, count) == 400
    assert max(measured) <= 800
