"""What waits for a person: the inbox, and an audit's findings."""

import pytest

from modicum.app.workbench import waiting
from modicum.app.workbench.waiting import accept_notes, audit_findings, drop_notes, open_inbox
from modicum.memory.model import Changes, NoteDraft, NotFound


@pytest.fixture
def doubts(store) -> list[int]:
    known = store.save(NoteDraft("Queue", "The queue keeps the order.", project="shop")).id
    drafts = [NoteDraft(f"Doubt {n}", f"text {n}", project="shop") for n in range(3)]
    return [store.save_waiting(draft, "said already", said_by=known).id for draft in drafts]


def test_the_inbox_names_the_notes_that_say_it_already(store, doubts) -> None:
    inbox = open_inbox(store, "shop")

    assert [each.id for each in inbox.items] == doubts[::-1]
    assert (inbox.total, set(inbox.names.values())) == (3, {store.get(1).public_id})
    assert open_inbox(store, "api").items == ()


def test_notes_are_accepted_changed_and_dropped_and_each_goes_back(store, doubts) -> None:
    taken, changed, gone = (store.in_one_batch(kind) for kind in ("accept", "accept", "drop"))
    accept_notes(taken, [doubts[0]], Changes())
    accept_notes(changed, [f"#{doubts[1]}"], Changes(title="Sure", content="better"))
    assert drop_notes(gone, [doubts[2]]) == 1

    assert [store.get(number).title for number in doubts[:2]] == ["Doubt 0", "Sure"]
    assert open_inbox(store, "shop").total == 0
    for batch in (gone, changed, taken):
        store.undo(batch.joined_number)
    assert [each.note.title for each in open_inbox(store, "shop").items] == ["Doubt 2", "Doubt 1", "Doubt 0"]


def test_if_one_does_not_wait_any_more_none_is_accepted(store, doubts) -> None:
    drop_notes(store, [doubts[0]])

    with pytest.raises(NotFound, match="does not wait"):
        accept_notes(store, doubts, Changes())

    assert open_inbox(store, "shop").total == 2


def test_an_audit_looks_at_few_notes_only(store, doubts, monkeypatch) -> None:
    store.save(NoteDraft("Again", "The queue keeps the order.", project="shop"))

    assert "duplicate" in [each.kind for each in audit_findings(store, "shop")]
    monkeypatch.setattr(waiting, "MOST_AUDITED", 1)
    assert audit_findings(store, "shop") is None
    assert audit_findings(store, "api") == ()
