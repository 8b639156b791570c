"""A note with everything around it."""

import pytest

from modicum.app.workbench.whole_note import MOST_COMPARED, note_around
from modicum.memory.model import Changes, NoteDraft, NotFound


def test_the_history_of_a_note_is_shown_as_differences(store) -> None:
    number = store.save(NoteDraft("Title", "one\ntwo\n", "decision")).id
    store.update(number, Changes(content="one\r\n2"))
    store.update(number, Changes(title="New title"))

    around = note_around(store, number)

    assert [each.number for each in around.changes] == [3, 2]
    assert around.changes[0].lines[1:3] == ("-decision: Title", "+decision: New title")
    assert around.changes[1].lines[-2:] == ("-two", "+2")


def test_wordings_that_are_too_long_are_not_compared(store) -> None:
    number = store.save(NoteDraft("Title", "x " * MOST_COMPARED)).id
    store.update(number, Changes(content="short"))

    assert note_around(store, number).changes[0].lines == ("@@ 39,999 characters became 5 @@",)


def test_relations_have_the_titles_of_the_other_notes(store) -> None:
    one, other, gone = (store.save(NoteDraft(title, title)).id for title in ("one", "other", "gone"))
    store.relate(one, other, "supersedes")
    store.relate(gone, one, "contradicts")
    store.delete(gone)

    links = note_around(store, one).links

    assert [
        (each.relation.type, each.other.title if each.other else "", each.is_outgoing) for each in links
    ] == [
        ("supersedes", "other", True),
        ("contradicts", "", False),
    ]


def test_a_note_that_is_gone_is_an_error(store) -> None:
    with pytest.raises(NotFound):
        note_around(store, 1)


def test_a_deleted_note_and_one_that_waits_are_shown_with_their_history(store) -> None:
    gone = store.save(NoteDraft("Title", "one")).id
    store.update(gone, Changes(content="two"))
    store.delete(gone)
    waits = store.save_waiting(NoteDraft("Doubts", "text"), "too short").id

    assert [each.number for each in note_around(store, gone).changes] == [2]
    assert note_around(store, gone).waiting is None
    assert note_around(store, waits).waiting.reason == "too short"
