"""Many notes that leave or move in one go: the index is as it would be after one at a time."""

import apsw
import pytest

from modicum.memory.engines import sqlite_fts
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft, Query
from modicum.memory.store import Store

SECURE = "SELECT v FROM passages_fts_config WHERE k = 'secure-delete'"
HIDDEN = b"zebrafish"


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_fts, "MANY", 20)
    store = Store(SqliteDatabase(tmp_path / "memory.db"))
    store.save_all([NoteDraft(f"Kept {at}", f"a walrus of the ice {at}", project="q") for at in range(30)])
    store.save_all([NoteDraft(f"Gone {at}", f"a zebrafish of the sea {at}", project="p") for at in range(30)])
    yield store
    store.close()


def checked(store: Store) -> None:
    assert store.database.problems() == ()
    assert store.database.ask(SECURE) == [(1,)]


def test_an_undo_of_many_leaves_an_index_without_their_words(store, tmp_path):
    undone = store.undo()

    assert undone.counts["note"] == 30
    assert store.search("zebrafish", Query()).items == ()
    assert len(store.search("walrus", Query(limit=50)).items) == 30
    checked(store)
    terms = store.database.ask("SELECT block FROM passages_fts_data")
    assert not any(HIDDEN[:6] in bytes(block) for (block,) in terms)

    store.undo(undone.number)
    assert len(store.search("zebrafish", Query(limit=50)).items) == 30
    checked(store)


def test_an_undo_that_only_tries_changes_nothing_of_the_index(store):
    store.undo(dry_run=True)

    assert len(store.search("zebrafish", Query(limit=50)).items) == 30
    checked(store)


def test_a_merge_of_many_is_found_under_the_new_name(store):
    store.merge_projects(["p"], "q")

    assert len(store.search("zebrafish", Query(project="q", limit=50)).items) == 30
    assert store.search("zebrafish", Query(project="p")).items == ()
    checked(store)


def test_a_change_that_fails_half_way_leaves_the_index_secure(store, monkeypatch):
    monkeypatch.setattr(sqlite_fts, "INDEXES", ("passages_fts", "prompts_fts", "grams", "nothing_fts"))
    with pytest.raises(apsw.SQLError):
        store.undo()

    monkeypatch.undo()
    checked(store)
    store.delete(60, hard=True)
    assert len(store.search("zebrafish", Query(limit=50)).items) == 29
    checked(store)
