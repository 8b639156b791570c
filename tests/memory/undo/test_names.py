"""What a batch is called in the log: its notes and projects, also those that an undo removed."""

import json

import pytest

from modicum.memory.model import Changes, NoteDraft
from modicum.memory.people.access import Person


@pytest.fixture
def pair(store) -> tuple[int, int]:
    return tuple(store.save(NoteDraft(title, f"a {title}", project="p")).id for title in ("Seal", "Otter"))


CHANGES = {
    "save": lambda s, one, two: s.save(NoteDraft("Heron", "a heron", project="p")),
    "update": lambda s, one, two: s.update(one, Changes(title="Heron")),
    "delete": lambda s, one, two: s.delete(one),
    "relate": lambda s, one, two: s.relate(one, two),
    "prompt": lambda s, one, two: s.add_prompt("why a seal?", project="p"),
    "progress": lambda s, one, two: s.put_progress("p", json.dumps({"next": "seal"})),
    "start session": lambda s, one, two: s.start_session("fresh", project="p"),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_batch_has_its_project_before_and_after_an_undo(store, pair, kind: str) -> None:
    CHANGES[kind](store, *pair)
    done = store.undo()
    again = store.undo(done.number)

    assert done.projects == again.projects == ("p",)
    assert [each.projects for each in store.log(3)] == [("p",)] * 3
    store.undo(again.number)
    assert [each.projects for each in store.log(4)] == [("p",)] * 4


def test_a_batch_of_several_projects_has_all_of_them_and_one_of_none_has_none(store) -> None:
    store.save_all([NoteDraft(f"{name}", f"a {name}", project=name) for name in ("q", "p", "")])
    store.save(NoteDraft("Seal", "a seal"))

    assert [each.projects for each in store.log()] == [(), ("p", "q")]


def test_a_relation_that_was_taken_away_is_of_the_project_of_its_note(store, pair) -> None:
    store.unrelate(store.relate(*pair)[0].id)

    assert store.log(1)[0].projects == ("p",)


def test_an_undone_save_says_what_it_was(store) -> None:
    number = store.save(NoteDraft("Seal", "a seal", project="p")).id
    name = store.get(number).public_id
    undo = store.undo()
    undone, saved = store.log()

    assert [(each.public_id, each.title, each.is_gone) for each in saved.notes] == [(name, "Seal", True)]
    assert undone.notes == saved.notes
    store.undo(undo.number)
    assert [(each.title, each.is_gone) for each in store.log()[-1].notes] == [("Seal", False)]


def test_what_was_deleted_for_good_has_no_name(store) -> None:
    store.delete(store.save(NoteDraft("Seal", "a seal", project="p")).id, hard=True)

    assert [each.notes for each in store.log()] == [(), ()]
    assert store.log()[0].projects == ()


def test_a_person_with_limits_is_told_no_names_of_what_is_gone(store) -> None:
    mia = store.seen_by(Person("mia"))
    mia.save(NoteDraft("Seal", "a seal", project="p"))
    assert [(each.projects, each.notes[0].title) for each in mia.log()] == [(("p",), "Seal")]
    assert mia.undo().projects == ("p",)

    assert [(each.projects, each.notes) for each in mia.log()] == [((), ())] * 2
    assert store.seen_by(Person("ben")).log() == ()
