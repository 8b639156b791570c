"""What an undo takes back, decided without a database."""

from hypothesis import given
from hypothesis import strategies as st

from modicum.memory.model import Note
from modicum.memory.undo.model import BatchRow, NamedNote, undone
from modicum.memory.undo.plan import changed_since

ROW = BatchRow("note", "3", "{}")


def test_a_batch_is_undone_until_its_undo_is_undone():
    assert undone({}) == {}
    assert undone({2: 1}) == {1: 2}
    assert undone({2: 1, 3: 2}) == {2: 3}
    assert undone({2: 1, 3: 2, 4: 1}) == {2: 3, 1: 4}


def test_what_a_later_batch_changed_stays():
    assert changed_since([ROW], {("note", "3"): [5]}, {}) == {("note", "3")}
    assert changed_since([ROW], {("note", "4"): [5]}, {}) == set()


def test_a_later_batch_that_was_taken_back_changed_nothing():
    later = {("note", "3"): [6, 5]}

    assert changed_since([ROW], later, {6: 5}) == set()
    assert changed_since([ROW], {("note", "3"): [5, 6, 7]}, {6: 5, 7: 6}) == {("note", "3")}


def test_an_undo_of_what_came_earlier_is_a_change():
    assert changed_since([ROW], {("note", "3"): [6]}, {6: 2}) == {("note", "3")}


def test_a_revision_stays_with_its_note():
    row = BatchRow("revision", "3/1")

    assert row.unit == ("note", "3")
    assert changed_since([row, ROW], {("revision", "3/1"): [5]}, {}) == {("note", "3")}


@given(st.integers(1, 9))
def test_as_many_undos_of_undos_as_you_like_leave_one_batch_or_none_undone(times):
    undoes = {number + 1: number for number in range(1, times + 1)}

    assert (1 in undone(undoes)) == (times % 2 == 1)


def test_a_note_of_a_batch_has_the_public_id_of_the_note():
    assert (
        NamedNote(3, "Queue", "obs-3").public_id == Note(3, "obs-3", "s", "manual", "Queue", "text").public_id
    )
