"""Which notes of the inbox are meant."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from modicum.app.memory.inbox import all_in_inbox, named_in_inbox
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft
from modicum.memory.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = Store(SqliteDatabase(tmp_path / "memory.db"))
    for number in range(1, 6):
        found.save_waiting(NoteDraft(f"Note {number}", f"Text {number}", project="shop"), "why")
    found.save_waiting(NoteDraft("Elsewhere", "Text", project="docs"), "why")
    yield found
    found.close()


@pytest.mark.parametrize("batch", [1, 2, 5, 500])
def test_all_that_wait_are_all_however_many_are_read_at_once(store: Store, batch: int) -> None:
    assert [note.id for note in all_in_inbox(store, "shop", batch=batch)] == [5, 4, 3, 2, 1]


def test_a_note_that_is_named_twice_is_meant_once(store: Store) -> None:
    assert [note.id for note in named_in_inbox(store, ["2", "1", "#2"])] == [2, 1]
