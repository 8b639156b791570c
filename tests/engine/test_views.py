"""Words of readers and limits in any unit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.engine.page import Detail
from modicum.engine.tokens import count
from modicum.engine.views import budget, parse_detail


@pytest.mark.parametrize(
    ("word", "detail"),
    [
        ("minimal", Detail.SUMMARY),
        ("Concise", Detail.SUMMARY),
        (" standard ", Detail.STANDARD),
        ("detailed", Detail.FULL),
    ],
)
def test_older_words_for_a_detail_are_understood(word: str, detail: Detail) -> None:
    assert parse_detail(word) is detail


def test_an_unknown_word_is_answered_with_the_good_ones() -> None:
    with pytest.raises(ValueError, match=r'unknown detail "huge": use one of minimal, .*standard, full'):
        parse_detail("huge")


units = st.sampled_from(["bytes", "chars", "o200k_base", "approx"])


@given(st.text(max_size=60), st.dictionaries(units, st.integers(0, 60), max_size=3))
def test_a_budget_is_kept_exactly_when_every_limit_is(text: str, limits: dict[str, int]) -> None:
    both = budget(list(limits.items()))
    kept = all(count(text, unit) <= most for unit, most in limits.items())

    assert (both.limit is None or both.measure(text) <= both.limit) == kept


@given(st.text(max_size=60), st.sampled_from(["\n", "\r\n"]))
def test_without_limits_the_bytes_of_what_is_written_are_counted(text: str, line_end: str) -> None:
    written = f"<{text}>".replace("\n", line_end) if text else ""

    assert budget((), "<>", line_end).measure(text) == count(written, "bytes")
