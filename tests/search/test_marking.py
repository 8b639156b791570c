"""Which words of a text are marked for a question."""

import pytest

from modicum.search.marking import MarkedPiece, asked_words, marked


def words(text: str, question: str) -> list[str]:
    return [piece.text for piece in marked(text, asked_words(question)) if piece.is_marked]


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("Taxes are rounded once", "rounding taxes", ["Taxes", "rounded"]),
        ("The payment provider", "pay", ["pay"]),
        ("The payment provider", "pa", []),
        ("Réunion à Paris", "reunion", ["Réunion"]),
        ("Größenwahn", "größ", ["Größ"]),
        ("结算页面的优惠券", "优惠券", ["优惠券"]),
        ("优惠券和优惠券", "优惠券", ["优惠券", "优惠券"]),
        ("order 42 of 420", "42", ["42"]),
        ("nothing here", "", []),
        ("", "word", []),
    ],
)
def test_words_that_were_asked_for_are_marked(text: str, question: str, expected: list[str]) -> None:
    assert words(text, question) == expected


def test_the_pieces_are_the_text() -> None:
    text = "A tax, taxed\nfor 税金 and (tax)"
    pieces = marked(text, asked_words("tax 税金"))

    assert "".join(piece.text for piece in pieces) == text
    assert pieces[-1] == MarkedPiece(")")
    assert marked("tax", asked_words("tax")) == (MarkedPiece("tax", is_marked=True),)
