"""What belongs to no project is brought into one, and nothing is torn from its session or taken from another project."""

import pytest

from modicum.memory.model import Forbidden, NoteDraft, Query
from modicum.memory.people.access import Person
from modicum.memory.tables.rescue import (
    DEPENDENT_OWNED,
    MISSING,
    NOTE,
    OWNED,
    SESSION_OWNED,
    Lost,
    LostItem,
    NotMoved,
    SessionHome,
    decide,
)


@pytest.fixture
def lost(store):
    store.start_session("old")
    note = store.save(NoteDraft("T", "findable words", session_id="old")).id
    return Lost(notes=(note,), prompts=(store.add_prompt("why?", session_id="old").id,))


def moved(done):
    return [(item.kind, item.id) for item in done.moved]


def test_what_is_in_a_session_takes_the_session_along(store, lost):
    done = store.rescue(lost, "Target")

    assert moved(done) == [("session", "old"), ("note", 1), ("prompt", 1)]
    assert (store.session("old").project, store.prompts().items[0].project) == ("target", "target")
    note = store.get(1)
    assert (note.project, note.revision_count) == ("target", 1)
    assert [hit.note for hit in store.search("findable", Query(project="target")).items] == [note]
    assert [(p.name, p.notes, p.sessions, p.prompts) for p in store.projects()] == [("target", 1, 1, 1)]
    assert store.problems() == ()


def test_a_second_time_everything_is_there_already(store, lost):
    store.rescue(lost, "target")

    again = store.rescue(lost._replace(sessions=("old", "old")), "target")
    assert (again.moved, again.there, again.left) == ((), 3, ())


def test_nothing_is_taken_from_another_project_and_nothing_torn_from_its_session(store, lost):
    other = store.save(NoteDraft("U", "of another", project="other", session_id="old")).id
    store.start_session("theirs", project="other")
    inside = store.save(NoteDraft("V", "in their session", session_id="theirs")).id

    done = store.rescue(Lost(("old", "theirs", "gone"), (*lost.notes, other, inside, 99)), "target")

    assert done.moved == ()
    assert [(left.item.kind, left.item.id, left.reason, left.owner) for left in done.left] == [
        ("session", "old", DEPENDENT_OWNED, "other"),
        ("session", "theirs", OWNED, "other"),
        ("session", "gone", MISSING, ""),
        ("note", 1, DEPENDENT_OWNED, "other"),
        ("note", other, OWNED, "other"),
        ("note", inside, SESSION_OWNED, "other"),
        ("note", 99, MISSING, ""),
    ]
    assert store.session("old").project == ""


def test_a_note_joins_the_session_that_is_there_already():
    lone = LostItem(NOTE, 1, "s", "")

    assert decide([lone], {"s": SessionHome("p")}, "p").moved == (lone,)
    assert decide([lone], {"s": SessionHome("q")}, "p").left == (NotMoved(lone, SESSION_OWNED, "q"),)


def test_what_is_deleted_is_missing(store, lost):
    store.delete(1)

    (left,) = store.rescue(Lost(notes=(1,)), "target").left
    assert left.reason == MISSING


def test_only_who_may_write_to_both_brings_it_in(store, lost):
    mia = store.seen_by(Person("mia", projects=("target",)))

    with pytest.raises(Forbidden, match="may not write to what has no project"):
        mia.rescue(lost, "target")
    with pytest.raises(Forbidden, match="may not write to project"):
        mia.rescue(lost, "other")
    ben = store.seen_by(Person("ben"))
    assert moved(ben.rescue(lost, "target")) == [
        ("session", "old"),
        ("note", 1),
    ]  # the prompt is not his
    assert {(entry.action, entry.kind, entry.item) for entry in ben.audit(Query(project="target")).items} == {
        ("rescued", "session", "old"),
        ("rescued", "note", ben.names([1])[1]),
    }


def test_what_was_saved_outside_of_any_session_takes_none_along(store):
    first, second = (store.save(NoteDraft(name, f"about {name}")).id for name in ("shop", "blog"))

    assert moved(store.rescue(Lost(notes=(first,)), "shop")) == [("note", first)]
    assert moved(store.rescue(Lost(notes=(second,)), "blog")) == [("note", second)]
    assert store.session("manual-save").project == ""


def test_what_somebody_may_not_see_holds_a_note_back_and_is_not_named(store):
    store.start_session("theirs", project="hidden")
    inside = store.save(NoteDraft("V", "in their session", session_id="theirs")).id
    beside = store.save(NoteDraft("W", "beside their note", session_id="mixed")).id
    store.save(NoteDraft("X", "their note", project="hidden", session_id="mixed"))
    mia = store.seen_by(Person("mia", projects=("", "target")))

    done = mia.rescue(Lost(notes=(inside, beside)), "target")

    assert done.moved == ()
    assert [(left.reason, left.owner) for left in done.left] == [(SESSION_OWNED, ""), (DEPENDENT_OWNED, "")]
    assert (store.get(inside).project, store.get(beside).project) == ("", "")


def test_nobody_else_reads_of_the_rescue_of_what_is_personal(store):
    eve, ben = store.seen_by(Person("eve")), store.seen_by(Person("ben"))
    note = eve.save(NoteDraft("P", "a private thing", scope="personal", session_id="own")).id
    prompt = eve.add_prompt("why?", session_id="own").id

    eve.rescue(Lost(notes=(note,), prompts=(prompt,)), "target")

    told = [[entry.kind for entry in who.audit(Query(project="target")).items] for who in (eve, ben)]
    assert told == [["prompt", "note", "session"], ["session"]]
