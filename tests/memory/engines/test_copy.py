"""A store moves from one database to another, whole, and once however often it is started."""

import pytest

from modicum.memory.engines.copy import BATCH, TABLES, migrate, total
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import Changes, NoteDraft, Query, Refused
from modicum.memory.people import tokens
from modicum.memory.people.access import Person
from modicum.memory.store import Store
from modicum.memory.sync.folder import ChunkFolder
from modicum.memory.sync.model import Counts, Synced
from modicum.memory.sync.run import Sync, SyncFolder


@pytest.fixture
def filled(store, clock):
    mia = store.seen_by(Person("mia"))
    for at in range(5):
        clock.pass_(minutes=1)
        mia.save(
            NoteDraft(
                f"walrus {at}", f"sea {at}", "decision", "shop", f"s{at % 2}", ("project", "personal")[at % 2]
            )
        )
    store.save(NoteDraft("mine", "nobody's own", scope="personal"))
    store.save(NoteDraft("x\ny", "第二条 é 🦭 \x7f", author="A\\B'\"", topic_key="k"))
    mia.update(1, Changes(content="sea again"))
    mia.relate(1, 2, "depends_on", note="n")
    mia.pin(3)
    store.delete(4)
    store.add_prompt("why?", session_id="s0", project="shop")
    store.put_progress("shop", '{"a": 1}')
    store.end_session("s1", "done")
    tokens.new_token(store.database, "mia", now="2026", projects=["shop"])
    return store


@pytest.fixture
def empty(tmp_path, clock):
    return Store(SqliteDatabase(tmp_path / "moved.db"), clock=clock)


def test_everything_moves_and_is_the_same(filled, empty, make_store):
    heard = []
    done = migrate(filled.database, empty.database, tell=heard.append)
    back = make_store("back")
    again = migrate(empty.database, back.database)

    assert [table.name for table in done] == [table.name for table in TABLES]
    assert sum(each.came for each in done) * 3 == sum(heard) == total(filled.database)
    assert [each.checksum for each in done] == [each.checksum for each in again]
    for other in (empty, back):
        assert other.export()._replace(exported_at="") == filled.export()._replace(exported_at="")
        assert other.stats() == filled.stats()
        assert tokens.tokens(other.database) == tokens.tokens(filled.database)
        assert other.seen_by(Person("mia")).audit() == filled.seen_by(Person("mia")).audit()
        assert other.search("walrus sea").items == filled.search("walrus sea").items
        assert other.sessions().items == filled.sessions().items
        assert other.problems() == ()
        assert other.save(NoteDraft("new", "one")).id == filled.stats().notes + 2


def test_what_sync_knows_moves_too(filled, empty, make_store, tmp_path):
    def sync(store, memo):
        return Sync(store, SyncFolder(ChunkFolder(tmp_path / "shared"), tmp_path / memo), "shop").run()

    sync(filled, "source.json")
    changed = filled.seen_by(Person("mia")).save(NoteDraft("seal", "new since", project="shop")).id
    migrate(filled.database, empty.database)
    back = make_store("back")
    done = migrate(empty.database, back.database)

    assert {each.name for each in done if each.came} >= {
        "sync_homes",
        "sync_states",
        "sync_changes",
        "sync_chunks",
    }
    assert sync(back, "target.json").went.notes == 1
    # The source would have said the same: it takes it in, and has nothing to add.
    assert sync(filled, "source.json").went == Counts()
    assert sync(back, "target.json")._replace(machine="") == Synced()
    assert filled.get(changed) == back.get(changed)


def test_started_again_it_goes_on(filled, empty):
    def stop(_):
        raise InterruptedError

    for _ in TABLES:
        with pytest.raises(InterruptedError):
            migrate(filled.database, empty.database, tell=stop)
        assert empty.database.problems() == ()
    done = migrate(filled.database, empty.database)
    more = migrate(filled.database, empty.database)

    assert empty.export()._replace(exported_at="") == filled.export()._replace(exported_at="")
    assert sum(each.came for each in more) == 0
    assert [each.checksum for each in more] == [each.checksum for each in done]


def test_it_is_more_than_a_batch(store, empty, monkeypatch):
    monkeypatch.setattr("modicum.memory.engines.copy.BATCH", 3)
    store.save_all(
        [NoteDraft(f"n{i}", f"walrus {i}", project=f"p{i % 3}", session_id=f"s{i % 4}") for i in range(10)]
    )
    migrate(store.database, empty.database)

    assert BATCH > 3
    assert empty.recent(Query(limit=50)).items == store.recent(Query(limit=50)).items


def test_a_target_with_other_notes_is_left_as_it_is(filled, empty):
    empty.save(NoteDraft("mine", "stays"))
    before = empty.export()

    with pytest.raises(Refused, match=r"other .* than the source.*empty database"):
        migrate(filled.database, empty.database)
    assert empty.export().notes == before.notes


def test_what_changes_meanwhile_is_noticed(filled, empty):
    migrate(filled.database, empty.database)
    filled.update(1, Changes(title="changed"))

    with pytest.raises(Refused, match=r"differ|other note_keys"):
        migrate(filled.database, empty.database)


def test_what_nobody_owned_gets_an_owner(filled, empty):
    migrate(filled.database, empty.database, owner="ben")
    migrate(filled.database, empty.database, owner="ben")
    ben, mia = (empty.seen_by(Person(name)) for name in ("ben", "mia"))

    assert [hit.note.title for hit in ben.search("nobody's own").items] == ["mine"]
    assert mia.search("nobody's own").total == 0
    assert [len(each.prompts().items) for each in (ben, mia)] == [1, 0]
    assert {each.owner for each in mia.recent().items} == {"mia", ""}
