"""Notes as single lines, and engram's context read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modicum.compat.engram.text import ContextLimits, context_text
from modicum.memory.brief.lines import (
    Brief,
    BriefNote,
    line_of,
    read_context,
    sharing,
    shorten,
    visible,
    words_of,
)
from modicum.memory.model import Context, Note, Prompt, Session

WORDS = st.text(st.characters(codec="utf-8"), max_size=200)
PLAIN = st.text("abc déé中 .,:-[]#*", min_size=1, max_size=60).filter(
    lambda text: text.strip(" *") and "**" not in text
)


def note(number: int, kind: str, title: str, content: str = "") -> Note:
    return Note(number, f"obs-{number}", "s", kind, title, content)


@given(text=WORDS, width=st.integers(0, 300))
def test_a_shortened_text_is_one_visible_line_within_its_width(text: str, width: int) -> None:
    line = shorten(text, width)

    assert len(line) <= width
    assert len(line.splitlines()) <= 1
    assert line == visible(line)


@pytest.mark.parametrize(
    ("text", "width", "line"),
    [
        ("one two", 7, "one two"),
        ("one two three", 9, "one two…"),
        ("one two three", 12, "one two…"),
        ("one twothreefourfive", 12, "one twothre…"),
        ("Ünïcödé 中文 text", 9, "Ünïcödé…"),
        ("a\nb\tc\u2028d \x1b[31m", 20, "a b c d [31m"),
        ("family 👨\u200d👩\u200d👧 \u202ehidden\u200b", 40, "family 👨\u200d👩\u200d👧 hidden"),
        ("whatever", 0, ""),
    ],
)
def test_a_text_is_shortened_by_words(text: str, width: int, line: str) -> None:
    assert shorten(text, width) == line


def test_a_line_names_the_note_by_what_there_is_of_it() -> None:
    assert line_of(BriefNote(12, "bugfix", "Guard the header"), 140) == "- #12 [bugfix] Guard the header"
    assert line_of(BriefNote(0, "bugfix", "Guard the header"), 140) == "- [bugfix] Guard the header"
    assert line_of(BriefNote(7, "", "Guard the header"), 18) == "- #7 Guard the…"


def test_the_words_of_a_branch_are_its_longer_ones() -> None:
    assert words_of("fix/Login-timeout_2026/of-cart") == {"login", "timeout", "cart"}


def test_notes_that_share_most_words_come_first_and_the_newest_among_equals() -> None:
    notes = [BriefNote(n, "", title) for n, title in ((9, "cart"), (8, "login page"), (7, "login timeout"))]

    assert [noted.id for noted in sharing(notes, frozenset(("login", "timeout")), 2)] == [7, 8]
    assert sharing(notes, frozenset(), 2) == ()


@given(
    pinned=st.lists(st.tuples(st.integers(1, 50), PLAIN, st.text()), max_size=2),
    notes=st.lists(st.tuples(st.integers(51, 99), PLAIN, st.text(max_size=400)), max_size=4),
    summary=st.sampled_from(("", "Done with login (all): next is the cart")),
)
def test_a_server_that_ignores_the_options_gives_the_same_lines_without_ids(
    pinned: list[tuple[int, str, str]], notes: list[tuple[int, str, str]], summary: str
) -> None:
    context = Context(
        (Session("a", "shop"), Session("b", "shop", summary=summary)),
        (Prompt(1, "p", "a", "- [x] **not a note**"),),
        tuple(note(number, "decision", title, _harmless(body)) for number, title, body in notes),
        tuple(note(number, "config", title, _harmless(body)) for number, title, body in pinned),
    )
    knobs = ContextLimits(pinned=2)

    ours = read_context(context_text(context, knobs._replace(compact=True, ids=True)))
    theirs = read_context(context_text(context, knobs))

    assert [each._replace(id=0) for each in ours.pinned] == list(theirs.pinned)
    assert [each._replace(id=0) for each in ours.notes if each.title] == list(theirs.notes)
    assert [each.id for each in ours.notes] == [number for number, *_ in notes]
    assert ours.summary == theirs.summary == summary


def _harmless(body: str) -> str:
    """A body that does not look like the heading or the bullet of another note: nothing tells those apart."""
    return " ".join(body.replace("#", "").replace("- [", "").splitlines())


def test_a_body_with_lists_and_headings_does_not_end_its_section() -> None:
    body = "**What**: guard\n### Details\n- [ ] a task\n- # no number [x] **bold**\n"
    context = Context((), (), (note(1, "bugfix", "Guard it", body), note(2, "config", "Set it", "x" * 400)))

    assert read_context(context_text(context)).notes == (
        BriefNote(0, "bugfix", "Guard it"),
        BriefNote(0, "config", "Set it"),
    )


def test_a_context_of_something_else_tells_of_nothing() -> None:
    assert read_context("") == read_context("no context\n- [a] **b**\n") == Brief()
