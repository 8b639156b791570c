"""Pairs of notes to look at, and the types of notes, on every database."""

from modicum.memory.model import NoteDraft
from modicum.memory.people.access import Person
from modicum.memory.tables import pairs


def test_types_are_counted_by_project(store) -> None:
    store.save_all([NoteDraft(f"t{n}", f"c{n}", "bugfix" if n else "decision", "shop") for n in range(3)])
    gone = store.save(NoteDraft("x", "y", "pattern", "api")).id
    assert store.types() == {"bugfix": 2, "decision": 1, "pattern": 1}

    store.delete(gone)

    assert store.types("Shop") == {"bugfix": 2, "decision": 1}
    assert store.types("api") == {}
    assert store.seen_by(Person("anna", projects=("api",))).types() == {}


def test_notes_that_contradict_each_other_are_found_while_both_are_there(store) -> None:
    one, two, three = (store.save(NoteDraft(f"t{n}", f"c{n}", project="shop")).id for n in range(3))
    (edge,) = store.relate(one, two, "contradicts")
    store.relate(two, three, "relates_to")

    (pair,) = store.contradicting("shop")

    assert (pair.newer.id, pair.older.id, pair.relation) == (two, one, edge.id)
    assert store.contradicting("api") == ()
    assert store.seen_by(Person("anna", projects=("api",))).contradicting() == ()
    store.delete(one)
    assert store.contradicting() == ()


def test_the_same_text_twice_is_found_in_one_project_and_for_the_same_people(store, clock) -> None:
    def save(text: str, project: str = "shop", scope: str = "project") -> int:
        clock.pass_(days=1)
        return store.save(NoteDraft("title", text, project=project, scope=scope)).id

    older, newer = save("The same  text"), save("the same text")
    save("the same text", "api")
    save("the same other text"), save("the same other text", scope="personal")

    assert [(pair.newer.id, pair.older.id) for pair in store.same_text("shop")] == [(newer, older)]
    assert [(pair.newer.id, pair.older.id) for pair in store.same_text()] == [(newer, older)]
    assert store.unrelated([(newer, older)]) == [(newer, older)]
    with store.reading() as tx:
        assert pairs.same_text(tx, "shop", 10, newest=4) == ()
        assert len(pairs.same_text(tx, "shop", 10, newest=5)) == 1
    store.relate(older, newer)
    assert store.same_text() == ()
    assert store.unrelated([(newer, older)]) == []
    assert store.unrelated([]) == []
