"""A text is cut between what a reader sees as characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.memory.brief.lines import shorten
from modicum.text.graphemes import cluster_ends, cut
from modicum.text.snippets import snippet

CLUSTERS = st.sampled_from(
    ["a", "é", "e\u0301", "👍🏽", "🇩🇪", "👨\u200d👩\u200d👧", "각", "❤\ufe0f", "क्षि", "中", "x"]
)


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("thumbs 👍🏽", 8, "thumbs "),
        ("🇩🇪🇫🇷", 3, "🇩🇪"),
        ("🇩🇪🇫🇷", 1, ""),
        ("cafe\u0301", 4, "caf"),
        ("family 👨\u200d👩\u200d👧!", 9, "family "),
        ("plain", 3, "pla"),
        ("plain", -1, ""),
        ("é", 1, "é"),
    ],
)
def test_a_text_is_cut_before_the_cluster_that_does_not_fit(text, most, kept):
    assert cut(text, most) == kept


@given(st.lists(CLUSTERS, min_size=1, max_size=20), st.integers(0, 60))
def test_no_cluster_is_cut_in_half_wherever_a_line_ends(parts, width):
    text = "".join(parts)
    whole = {0, len(text), *cluster_ends(text)}

    assert len(cut(text, width)) in whole
    for shortened in (shorten(text, width), snippet(text, width)):
        assert len(shortened) <= width
        assert text.startswith(shortened.removesuffix("…"))
        assert len(shortened.removesuffix("…")) in whole
