"""Lists of notes in which one looks around."""

import pytest

from modicum.app.workbench.found import NoteState, find_notes, parse_state
from modicum.base.errors import WrongUsage
from modicum.memory.model import NoteDraft, Query, Refused


def test_a_hit_has_its_words_marked_and_its_reasons(store) -> None:
    store.save(
        NoteDraft("Rounding", "First a sentence. Taxes are rounded once. Then another.", project="shop")
    )
    store.save(NoteDraft("Other", "Nothing of the kind.", project="shop"))

    found = find_notes(store, "rounded taxes", Query(project="shop"))

    (hit,) = [each for each in found.items if each.note.title == "Rounding"]
    assert [piece.text for piece in hit.line if piece.is_marked] == ["Taxes", "rounded"]
    assert "".join(piece.text for piece in hit.line) == "… Taxes are rounded once. …"
    assert hit.reasons


def test_without_a_question_the_newest_come_first_page_by_page(store) -> None:
    store.save_all([NoteDraft(f"note {n}", f"text {n}", project="shop") for n in range(5)])

    first = find_notes(store, " ", Query(limit=3))
    rest = find_notes(store, " ", Query(limit=3, cursor=first.next))

    assert [each.note.title for each in (*first.items, *rest.items)] == [f"note {n}" for n in (4, 3, 2, 1, 0)]
    assert (first.total, rest.next, first.items[0].reasons) == (5, "", ())


def titles(found) -> list[str]:
    return [each.note.title for each in found.items]


def test_a_list_is_about_one_state_and_has_all_words_of_the_question(store) -> None:
    one, two, three = (store.save(NoteDraft(f"Note {n}", f"text {n}", project="shop")).id for n in (1, 2, 3))
    store.pin(one)
    store.delete(two)
    store.delete(three)
    store.save_waiting(NoteDraft("Doubts", "Some Text", project="shop"), "why")

    assert titles(find_notes(store, "", Query(), NoteState.PINNED)) == ["Note 1"]
    assert titles(find_notes(store, "some TEXT", Query(), NoteState.INBOX)) == ["Doubts"]
    assert titles(find_notes(store, "some other", Query(), NoteState.INBOX)) == []
    assert titles(find_notes(store, "", Query(project="api"), NoteState.DELETED)) == []
    first = find_notes(store, "text", Query(limit=1), NoteState.DELETED)
    rest = find_notes(store, "text", Query(limit=1, cursor=first.next), NoteState.DELETED)
    assert (titles(first), titles(rest), first.total, rest.next) == (["Note 3"], ["Note 2"], 2, "")
    assert [piece.text for piece in first.items[0].line if piece.is_marked] == ["text"]


def test_an_unknown_state_or_place_is_refused(store) -> None:
    with pytest.raises(Refused, match='no state "gone"'):
        parse_state("gone")
    with pytest.raises(WrongUsage, match="cursor"):
        find_notes(store, "", Query(cursor="x"), parse_state(" Pinned "))
