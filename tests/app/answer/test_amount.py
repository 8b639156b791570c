"""How much a reader asks for, in the words of every door."""

import pytest

from modicum.app.answer.amount import Amount, parse_amount, whole_number
from modicum.base.errors import ModicumError
from modicum.engine.page import Detail


def test_an_amount_is_read_from_words() -> None:
    assert parse_amount() == Amount()
    assert parse_amount(detail="concise", max_tokens="7", max_bytes="9", tokenizer="cl100k_base") == Amount(
        Detail.SUMMARY, (("cl100k_base", 7), ("bytes", 9))
    )
    assert (Amount().unit, Amount().limit) == ("o200k_base", None)
    assert parse_amount(limit="3", cursor=" c ", usual=Detail.FULL) == Amount(Detail.FULL, (), 3, "c")


@pytest.mark.parametrize("word", ["-1", "1.5", "many", "٣", "", "9" * 30])
def test_what_is_no_whole_number_is_refused(word: str) -> None:
    with pytest.raises(ModicumError):
        whole_number("limit", word)


def test_a_budget_says_how_many_items_may_fit() -> None:
    assert Amount().items(10) == 10
    assert Amount(limits=(("o200k_base", 4000),), most_items=3).items(10) == 3
    assert Amount(limits=(("o200k_base", 4000),)).items(10) == 250
    assert Amount(limits=(("o200k_base", 4000), ("bytes", 4800))).items(10) == 100
