"""The full-text index in SQLite when the packed texts of a passage are damaged: the notes are intact, and memory goes on."""

import pytest

from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import Changes, NoteDraft, StoreProblem
from modicum.memory.people.access import Person
from modicum.memory.store import Store

DAMAGED = StoreProblem("the full-text index passages_fts is damaged: rebuild it", index_mends=True)
# Not packed, cut off, a part of them missing, letters of no stem, others than were indexed, no text, a number, nothing.
DAMAGES = {
    "no block": "x'ff00ff'",
    "cut off": "x'00ff'",
    "half": "substr(texts, 1, length(texts) / 2)",
    "longer": "CAST(texts || x'00' AS BLOB)",
    "one line": "'walrus'",
    "strange letters": "packed('a\"', '\\', 'seal' || char(0))",
    "other stems": "packed('narwhal', '', 'seal')",
    "empty": "packed('', '', '')",
    "number": "5",
    "nothing": "x''",
}


@pytest.fixture(params=DAMAGES.values(), ids=DAMAGES)
def store(request, tmp_path):
    """Three notes about walruses; the passage of the third is damaged."""
    with_damage = Store(SqliteDatabase(tmp_path / "memory.db"))
    for name in ("auk", "bear", "crab"):
        with_damage.save(NoteDraft(name, f"the walrus and the {name}", project="p"))
    damage(with_damage, request.param)
    yield with_damage
    with_damage.close()


def damage(store, texts):
    with store.database.writing() as tx:
        tx.run(f"UPDATE packed_passages SET texts = {texts} WHERE id = 3")


def found(store, text):
    return {hit.note.id for hit in store.search(text).items}


def test_a_damaged_passage_is_told_and_made_anew_from_its_note(store):
    assert store.problems() == (DAMAGED,)

    store.rebuild_index()

    assert store.problems() == ()
    assert (found(store, "walrus"), found(store, "crab")) == ({1, 2, 3}, {3})


def test_a_damaged_passage_is_told_until_its_note_is_indexed_anew(store):
    damage(store, "x'ff00ff'")

    store.database.rebuild_index()  # and the program ends here

    assert store.problems() == (DAMAGED,)
    store.rebuild_index()
    assert store.problems() == ()


@pytest.mark.parametrize("person", ["", "mia"])
def test_notes_are_read_and_found_beside_a_damaged_passage(store, person):
    mia = store.seen_by(Person(person))

    assert {1, 2} <= found(mia, "walrus")
    assert found(mia, "bear") == {2}
    assert found(mia, "crab") <= {3}
    assert mia.get(3).content == "the walrus and the crab"
    assert len(mia.recent().items) == 3


@pytest.mark.parametrize("hard", [False, True])
def test_a_note_whose_passage_is_damaged_can_be_deleted_and_is_not_found(store, hard):
    assert store.delete(3, hard=hard)

    assert found(store, "walrus") == {1, 2}
    assert found(store, "crab") == set()
    store.rebuild_index()
    assert store.problems() == ()
    assert found(store, "walrus") == {1, 2}


def test_notes_are_found_when_all_that_matched_beside_them_is_gone(store):
    for number in (1, 2, 3):
        store.delete(number, hard=number == 2)
    fourth = store.save(NoteDraft("dove", "the walrus and the dove", project="p")).id

    assert found(store, "walrus") == {fourth}
    assert found(store, '"the walrus"') == {fourth}


def test_a_note_whose_passage_is_damaged_can_be_changed_and_is_found_by_its_new_words(store):
    store.update(3, Changes(content="the walrus and the eel"))

    assert 3 in found(store, "eel")
    assert found(store, "walrus") == {1, 2, 3}
    store.rebuild_index()
    assert store.problems() == ()
    assert found(store, "crab") == {3}  # by its title


def test_a_note_whose_passage_is_damaged_moves_with_its_project(store):
    store.rename_project("p", "q")

    assert store.get(3).project == "q"
    assert {1, 2} <= found(store, "walrus")
    assert store.problems() == (DAMAGED,)
    store.rebuild_index()
    assert store.problems() == ()
    assert found(store, "walrus") == {1, 2, 3}


def test_a_deleted_note_whose_passage_was_damaged_is_restored_whole(store):
    store.delete(3)

    store.restore(3)

    assert found(store, "crab") == {3}
    assert found(store, "walrus") == {1, 2, 3}


def test_a_giant_whose_text_is_none_is_told_and_made_anew(tmp_path):
    store = Store(SqliteDatabase(tmp_path / "memory.db"))
    store.save(NoteDraft("giant", "the walrus " + "and the seal " * 20_000, project="p"))
    with store.database.writing() as tx:
        tx.run("UPDATE packed_passages SET texts = CAST(x'ff' || CAST(texts AS BLOB) AS TEXT)")
    assert store.problems() == (DAMAGED,)

    store.rebuild_index()

    assert store.problems() == ()
    assert found(store, "walrus") == {1}
