"""What looks like junk is clear, and nothing that somebody wrote for others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.memory.gate.standing import LOW, NORMAL, NOTHING, OUTPUT, doubt_about, standing_of
from modicum.memory.model import Note

LOG = "2026-11-19 10:00:01 start\n10:00:02 ready\n[ERROR] gone\n"
TRACE = (
    'Traceback (most recent call last):\n  File "a.py", line 1\n    x()\n  File "b.py", line 2\nerror: gone'
)


@pytest.mark.parametrize(
    "text", [LOG, TRACE, "\x1b[32mok\x1b[0m a\n\x1b[32mok\x1b[0m b\n\x1b[1mdone", "✓ a\n✓ b\n✗ c"]
)
def test_the_output_of_a_program_is_told(text):
    assert doubt_about(text) == OUTPUT


@pytest.mark.parametrize(
    "text", ["All 412 tests pass now.", "wip", "Done!", "Fixed typo", "tests: all green again"]
)
def test_words_that_name_nothing_are_told(text):
    assert doubt_about(text) == NOTHING


@pytest.mark.parametrize(
    "text",
    [
        "The pool is 24.",
        "Fixed the login: the cookie had no path.",
        f"The importer dies at night.\n{LOG.splitlines()[0]}\nbecause the disk is full\nand nobody looks.",
        "",
        "…",
        "测试通过",
        "done " * 2_000,
    ],
)
def test_what_says_something_is_not(text):
    assert doubt_about(text) == ""


@given(st.text(max_size=300))
def test_any_text_has_an_answer(text):
    assert doubt_about(text) in ("", OUTPUT, NOTHING)


@pytest.mark.parametrize(
    ("origin", "kind", "standing"),
    [
        ("agent:codex", "discovery", LOW),
        ("agent", "session_summary", NORMAL),
        ("person", "discovery", NORMAL),
        ("hook:codex", "passive", NORMAL),
        ("import:engram", "discovery", NORMAL),
    ],
)
def test_only_what_an_agent_saves_gets_a_low_standing(origin, kind, standing):
    assert standing_of(Note(1, "obs-1", "s", kind, "t", LOG, origin=origin)) == standing
