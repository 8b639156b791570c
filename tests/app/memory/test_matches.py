"""The words of a text that a question asked for."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.app.memory.matches import matched_spans


@pytest.mark.parametrize(
    ("text", "question", "found"),
    [
        ("Readers must not block writers.", "why do readers block?", ["Readers", "block"]),
        ("blocking, blocked", "block", ["blocking", "blocked"]),
        ("the and of", "the and of", []),
        ("Ärger im Büro", "arger buro", ["Ärger", "Büro"]),
        ("數據庫很快", "數據庫", ["數據庫"]),
        ("snake_case here", "snake", ["snake_case"]),
        ("", "x", []),
        ("x", "", []),
    ],
)
def test_matches_are_found_by_stem(text: str, question: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in matched_spans(text, question)] == found


@given(st.text("ab 數據庫_.", max_size=40), st.text("ab 數據庫", max_size=20))
def test_spans_are_in_order_and_apart(text: str, question: str) -> None:
    spans = matched_spans(text, question)

    assert all(start < end for start, end in spans)
    assert all(one[1] < other[0] for one, other in pairwise(spans))
