"""Edit, merge and delete notes that one looks at."""

import pytest

from modicum.app.workbench import changes
from modicum.app.workbench.changes import change_note, delete_notes, merge_notes, merged_draft
from modicum.memory.model import Changes, Forbidden, NoteDraft, NotFound, Refused
from modicum.memory.people.access import Person


def save(store, title: str, content: str, project: str = "shop") -> int:
    return store.save(NoteDraft(title, content, project=project)).id


def test_a_note_that_somebody_else_has_changed_is_not_overwritten(store) -> None:
    number = save(store, "a", "one")
    change_note(store, number, Changes(content="two"), seen_revision=1)

    with pytest.raises(Refused, match="changed in the meantime"):
        change_note(store, number, Changes(content="three"), seen_revision=1)

    assert store.get(number).content == "two"


@pytest.mark.parametrize(
    ("one", "other", "merged"),
    [
        ("a\n\nb", "B\r\n\r\nc", "a\n\nb\n\nc"),
        ("Look at the body.", "Look at the body. It has a status.", "Look at the body. It has a status."),
        ("a b c", "a b", "a b c"),
        ("漢字", "漢字", "漢字"),
    ],
)
def test_the_proposal_says_everything_once(store, one: str, other: str, merged: str) -> None:
    keep, gone = (store.get(save(store, text, text)) for text in (one, other + " "))

    assert merged_draft(keep, gone).content == merged


def test_of_two_merged_notes_one_is_left_that_supersedes_the_other(store) -> None:
    keep, other = save(store, "a", "one"), save(store, "b", "two")

    note = merge_notes(store, keep, other, Changes(title="ab", content="one two"), seen=(1, 1))

    assert (note.id, note.title, note.content) == (keep, "ab", "one two")
    assert store.get(other) is None
    assert [(each.type, each.to_id) for each in store.relations(keep)] == [("supersedes", other)]
    assert [each.content for each in store.history(keep)] == ["one two", "one"]


def test_a_merge_that_was_stopped_half_way_lost_nothing_and_can_be_repeated(store, monkeypatch) -> None:
    keep, other = save(store, "a", "one"), save(store, "b", "two")
    changed = Changes(title="ab", content="one two")
    monkeypatch.setattr(type(store), "delete", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        merge_notes(store, keep, other, changed, seen=(1, 1))
    monkeypatch.undo()

    assert store.get(other).content == "two"
    merge_notes(store, keep, other, changed, seen=(2, 1))
    assert store.get(other) is None


def test_a_merge_wants_two_notes_as_they_were_seen(store) -> None:
    keep, other = save(store, "a", "one"), save(store, "b", "two")

    for numbers, seen in (((keep, keep), (1, 1)), ((keep, other), (1, 2)), ((keep, 99), (1, 1))):
        with pytest.raises((Refused, NotFound)):
            merge_notes(store, *numbers, Changes(content="x"), seen=seen)

    assert store.get(keep).content == "one"


def test_several_notes_are_deleted_by_numbers_and_public_ids_and_come_back_at_once(store) -> None:
    numbers = [save(store, f"note {n}", f"text {n}") for n in range(3)]
    together = store.in_one_batch("delete")

    gone = delete_notes(together, [numbers[0], store.get(numbers[1]).public_id, f"#{numbers[0]}", 99])

    assert [note.id for note in gone] == numbers[:2]
    store.undo(together.joined_number)
    assert store.count() == 3


def test_a_merge_goes_back_at_once(store) -> None:
    keep, other = save(store, "a", "one"), save(store, "b", "two")
    together = store.in_one_batch("merge")
    merge_notes(together, keep, other, Changes(title="ab", content="one two"), seen=(1, 1))

    store.undo(together.joined_number)

    assert [(store.get(number).title, store.get(number).content) for number in (keep, other)] == [
        ("a", "one"),
        ("b", "two"),
    ]
    assert store.relations(keep) == ()


def test_nothing_or_too_much_is_refused(store) -> None:
    for numbers in ([], range(1, changes.MOST_AT_ONCE + 2)):
        with pytest.raises(Refused, match="were chosen"):
            delete_notes(store, numbers)
    with pytest.raises(NotFound, match="gone already"):
        delete_notes(store, [7])


def test_who_may_not_change_one_of_them_deletes_none(store) -> None:
    numbers = [save(store, "mine", "mine", "shop"), save(store, "theirs", "theirs", "api")]
    anna = store.seen_by(Person("anna", projects=("shop",), reads=("api",)))

    with pytest.raises(Forbidden):
        delete_notes(anna, numbers)
    with pytest.raises(Forbidden):
        merge_notes(anna, *numbers, Changes(content="x"), seen=(1, 1))

    assert [store.get(number).content for number in numbers] == ["mine", "theirs"]
