"""The events of an agent's session, as they are kept in memory."""

import pytest

from modicum.app.session.events import end_session
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft
from modicum.memory.store import Store


@pytest.fixture
def store(tmp_path):
    store = Store(SqliteDatabase(tmp_path / "memory.db"))
    yield store
    store.close()


def note_summaries(store: Store, *saved: tuple[str, str]) -> None:
    """Saves summaries as notes, the oldest first: the text of each, and its session or ""."""
    for text, session in saved:
        store.save(NoteDraft(f"Summary: {text}", text, "session_summary", "shop", session))


@pytest.mark.parametrize(
    ("saved", "expected"),
    [
        ([("its own", "a"), ("of nobody", ""), ("of another", "b")], "its own"),
        ([("its first", "a"), ("its last", "a")], "its last"),
        ([("of nobody", ""), ("of another", "b")], "of nobody"),
        ([("of nobody", ""), *((f"of another {number}", "b") for number in range(20))], "of nobody"),
        ([("of another", "b")], ""),
        ([], ""),
    ],
)
def test_a_session_ends_with_its_own_summary_or_else_with_one_of_no_session(store, saved, expected) -> None:
    for name in ("a", "b"):
        store.start_session(name, project="shop")
    note_summaries(store, *saved)

    ended = end_session(store, "a")

    assert ended is not None
    assert ended.summary == expected


def test_a_summary_of_no_session_counts_only_in_its_project_and_since_the_start(tmp_path) -> None:
    now = [0.0]
    store = Store(SqliteDatabase(tmp_path / "memory.db"), clock=lambda: now[0])
    note_summaries(store, ("too early", ""))
    now[0] = 60.0
    store.start_session("a", project="shop")
    store.save(NoteDraft("Summary", "elsewhere", "session_summary", "bank"))

    ended = end_session(store, "a")
    store.close()

    assert ended is not None
    assert ended.summary == ""
