"""Lists of notes in which one looks around."""

from modicum.app.browse.found import find_notes
from modicum.memory.model import NoteDraft, Query


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
