"""A context that engram has written, read back into notes."""

from hypothesis import given
from hypothesis import strategies as st

from modicum.compat.engram.context_reader import read_context
from modicum.compat.engram.context_text import ContextLimits, context_text
from modicum.memory.brief.lines import Brief, BriefNote
from modicum.memory.model import Context, Note, Prompt, Session

PLAIN = st.text("abc déé中 .,:-[]#*", min_size=1, max_size=60).filter(
    lambda text: text.strip(" *") and "**" not in text
)


def note(number: int, kind: str, title: str, content: str = "") -> Note:
    return Note(number, f"obs-{number}", "s", kind, title, content)


@given(
    pinned=st.lists(st.tuples(st.integers(1, 50), PLAIN, st.text()), max_size=2),
    notes=st.lists(st.tuples(st.integers(51, 99), PLAIN, st.text(max_size=400)), max_size=4),
    summary=st.sampled_from(("", "Done with login (all): next is the cart")),
)
def test_a_server_that_ignores_the_options_gives_the_same_lines(
    pinned: list[tuple[int, str, str]], notes: list[tuple[int, str, str]], summary: str
) -> None:
    context = Context(
        (Session("a", "shop"), Session("b", "shop", summary=summary)),
        (Prompt(1, "p", "a", "- [x] **not a note**"),),
        tuple(note(number, "decision", title, _harmless(body)) for number, title, body in notes),
        tuple(note(number, "config", title, _harmless(body)) for number, title, body in pinned),
    )
    limits = ContextLimits(pinned=2)

    compact = read_context(context_text(context, limits._replace(compact=True)))
    whole = read_context(context_text(context, limits))

    assert compact == whole
    assert [each.title.split() for each in whole.pinned] == [title.split() for _, title, _ in pinned]
    assert whole.summary == summary


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
