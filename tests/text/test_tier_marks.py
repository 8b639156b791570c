"""A text without tiers gets markers, and nothing else of it changes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.text.markdown import split_tiers
from modicum.text.tier_marks import ChosenTier, tiered

TEXT = "## Git\n\n- Never force-push.\n- Keep commits small.\n\n<!-- a -->\nText.\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_markers_stand_where_the_tier_changes(end: str) -> None:
    text, choices = tiered(TEXT.replace("\n", end))

    assert text == TEXT.replace("- Keep", "<!-- verbosity:detail -->\n- Keep").replace("\n", end)
    assert choices == (
        ChosenTier(3, "core", "it forbids something"),
        ChosenTier(4, "detail", "advice or how-to, without a must"),
        ChosenTier(7, "detail", "a description"),
    )


def test_a_text_with_tiers_or_of_core_only_stays_as_it_is() -> None:
    marked = "Never a.\n<!-- verbosity:extended -->\nmore\n"

    assert tiered(marked) == (marked, ())
    assert tiered("Never a.\n") == ("Never a.\n", ())
    assert tiered("") == ("", ())


PIECES = [
    "# A\n",
    "\n",
    "- Never a.\n",
    "- b\n",
    "```\nx\n",
    "```\n",
    "Text is here.\n",
    "1. one\n",
    "| a |\n|---|\n",
    "> q\n",
]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_without_its_markers_the_text_is_the_same(text: str) -> None:
    made, choices = tiered(text)

    assert re.sub(r"<!-- verbosity:\w+ -->\n", "", made) == text
    assert "".join(run.text for run in split_tiers(made).runs) == text
    assert bool(choices) == (made != text)
