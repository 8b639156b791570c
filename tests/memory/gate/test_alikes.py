"""What a save looks at is the same among a thousand notes and among many more."""

import random

import pytest

from modicum.memory.gate import alikes
from modicum.memory.gate.sameness import keys_of
from modicum.memory.model import Note, NoteDraft
from modicum.memory.tables import notes

FACT = "The queue of the shop keeps its jobs in SQLite for thirty days"


def grown(store, size: int) -> None:
    """Fills a store with notes of the same few words, the worst case: every key is in most of them."""
    chance = random.Random(1)
    words = [*FACT.split(), *("redis", "file", "host", "import")]
    drafts = [NoteDraft("Queue", " ".join(chance.choices(words, k=30)), project="p") for _ in range(size)]
    for at in range(0, size, 500):
        store.save_all(drafts[at : at + 500])


class Counted:
    """A connection's calls, with how many rows each gave."""

    def __init__(self, monkeypatch) -> None:
        from modicum.memory.engines.sqlite import SqliteTransaction

        self.calls: list[tuple[str, int]] = []
        plain = SqliteTransaction.rows

        def rows(tx, sql, values=None):
            found = plain(tx, sql, values) if values is not None else plain(tx, sql)
            self.calls.append((sql, len(found)))
            return found

        monkeypatch.setattr(SqliteTransaction, "rows", rows)


def test_a_save_reads_as_many_rows_among_many_notes_as_among_few(make_store, monkeypatch):
    seen = []
    for name, size in (("few", 500), ("many", 3_000)):
        store = make_store(name)
        if "Sqlite" not in type(store.database).__name__:
            pytest.skip("counted on SQLite")
        grown(store, size)
        counted = Counted(monkeypatch)
        store.save(NoteDraft("Queue", FACT, project="p"))
        monkeypatch.undo()
        assert all(rows <= alikes.EACH * alikes.MOST for _, rows in counted.calls)
        seen.append(counted.calls)

    assert [sql for sql, _ in seen[0]] == [sql for sql, _ in seen[1]]
    assert sum(rows for _, rows in seen[1]) <= alikes.EACH * alikes.MOST + alikes.COMPARED + 10


def test_the_lookups_of_a_save_go_along_the_index_by_key(make_store):
    store = make_store("plan")
    if "Sqlite" not in type(store.database).__name__:
        pytest.skip("explained on SQLite")
    values = {f"key{at}": at for at in range(alikes.MOST)} | {"id": 0}
    with store.reading() as tx:
        plan = [row[-1] for row in tx.rows(f"EXPLAIN QUERY PLAN {alikes.SHARING}", values)]

    assert not [step for step in plan if step.startswith("SCAN note_keys")]
    assert sum("SEARCH note_keys USING PRIMARY KEY (key=?)" in step for step in plan) == alikes.MOST


def test_keys_go_with_their_note(store):
    saved = store.save(NoteDraft("Queue", FACT, project="p"))
    with store.reading() as tx:
        assert 1 < len(tx.rows("SELECT key FROM note_keys")) <= alikes.MOST

    store.delete(saved.id)
    with store.reading() as tx:
        assert tx.rows("SELECT key FROM note_keys") == []
    store.restore(saved.id)
    store.delete(saved.id, hard=True)
    with store.reading() as tx:
        assert tx.rows("SELECT key FROM note_keys") == []


def test_notes_for_others_have_other_keys():
    note = Note(1, "obs-1", "s", "manual", "t", FACT, project="p")
    body = notes.entry_of(note).passage.body

    others = (
        note._replace(project="q"),
        note._replace(scope="personal", owner="mia"),
        note._replace(namespace="n"),
    )
    assert all(not set(keys_of(note, body)) & set(keys_of(each, body)) for each in others)
