"""Halves of surrogate pairs are mended, and nothing else is touched."""

import json

from hypothesis import given
from hypothesis import strategies as st

from modicum.mcp.surrogates import repaired

HOSTILE = st.text(st.sampled_from(("\\", "u", "d", "D", "8", "c", '"', "\ud83d", "\ude00", "😀", "a", "\n")))


@given(HOSTILE)
def test_what_is_read_is_the_same_text_with_marks_for_the_halves(text: str) -> None:
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    sent = json.dumps({"text": text}).encode()

    assert json.loads(repaired(sent)) == {"text": whole}


@given(st.text(st.characters(codec="utf-8")))
def test_a_text_without_halves_is_not_touched(text: str) -> None:
    for body in (json.dumps(text).encode(), json.dumps(text, ensure_ascii=False).encode()):
        assert repaired(body) == body
