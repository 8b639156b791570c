"""The inbox of the store: what waits there is read by nothing else, and its id holds after it was accepted."""

import sys

import pytest

from modicum.memory.model import Changes, NoteDraft, NotFound, Query, SaveOutcome
from modicum.memory.people.access import Person

admitted = sys.modules["filter_oracle"].admitted


def put(store, title="Doubtful", content="a walrus in the harbour", **fields):
    return store.save_waiting(NoteDraft(title, content, project="p", **fields), "why", said_by=7).id


def test_what_waits_is_read_by_nothing_else(store):
    number = put(store, topic_key="k")

    assert store.get(number) is None
    assert store.recent().items == store.search("walrus").items == ()
    assert (store.count(), store.stats().notes) == (0, 0)
    assert store.export().notes == ()
    assert [(each.id, each.reason, each.said_by) for each in store.inbox().items] == [(number, "why", 7)]
    assert (store.count_inbox(), store.count_inbox(Query(project="q"))) == (1, 0)


def test_the_same_note_waits_once_and_a_topic_that_waits_is_not_revised(store):
    first = put(store, topic_key="k")

    assert put(store, topic_key="k") == first
    assert store.save(NoteDraft("Sure", "another", project="p", topic_key="k")).outcome is SaveOutcome.CREATED


def test_an_accepted_note_keeps_its_id_and_is_found(store):
    one, two = put(store), put(store, "Other", "a seal in the harbour")

    accepted = store.accept([one, two])

    assert [note.id for note in accepted] == [one, two]
    assert {hit.note.id for hit in store.search("harbour").items} == {one, two}
    assert (store.count(), store.count_inbox()) == (2, 0)
    assert store.session("manual-save-p").notes == 2


def test_a_note_is_changed_as_it_is_accepted_and_history_has_the_first_wording(store):
    number = put(store.with_origin("agent:codex"))

    (note,) = store.with_origin("person").accept([number], Changes(title="Sure"))

    assert (note.title, note.origin, note.revision_count) == ("Sure", "person", 2)
    assert [each.title for each in store.history(number)] == ["Sure", "Doubtful"]


def test_a_dropped_note_stays_deleted_and_can_be_restored(store):
    number = put(store)

    store.drop([number])

    assert (store.count_inbox(), store.count()) == (0, 0)
    assert store.restore(number).title == "Doubtful"


def test_restoring_a_note_that_waits_accepts_it(store):
    number = put(store)

    store.restore(number)

    assert (store.count_inbox(), store.count()) == (0, 1)


@pytest.mark.parametrize("act", ["accept", "drop"])
def test_all_or_none_is_accepted_or_dropped(store, act):
    number = put(store)
    live = store.save(NoteDraft("Live", "words")).id

    with pytest.raises(NotFound, match=f"#{live} does not wait"):
        getattr(store, act)([number, live])

    assert store.count_inbox() == 1


def test_a_note_that_is_deleted_for_good_waits_no_more(store):
    number = put(store)

    assert store.delete(number, hard=True)

    assert store.inbox().items == ()


def test_somebody_else_neither_sees_nor_accepts_a_personal_note_that_waits(store):
    number = put(store.seen_by(Person("mia")), scope="personal")
    eve = store.seen_by(Person("eve"))

    assert (eve.inbox().items, eve.count_inbox()) == ((), 0)
    with pytest.raises(NotFound):
        eve.accept([number])
    assert store.seen_by(Person("mia")).count_inbox() == 1


def test_the_inbox_is_listed_by_pages_newest_first(store, clock):
    numbers = []
    for at in range(5):
        numbers.append(put(store, f"t{at}", f"content {at}"))
        clock.pass_(minutes=1)

    first = store.inbox(Query(limit=3))
    rest = store.inbox(Query(limit=3, cursor=first.next))

    assert [each.id for each in (*first.items, *rest.items)] == numbers[::-1]
    assert rest.next == ""


def test_several_notes_are_deleted_in_one_change(store):
    one, two = (store.save(NoteDraft(f"t{at}", f"content {at}")).id for at in range(2))

    assert [note.id for note in store.delete_all([one, two])] == [one, two]
    assert store.count() == 0
    assert store.restore(one).id == one


def test_a_note_has_the_origin_of_the_door_and_a_new_wording_that_of_its_own(store):
    agent, person = store.with_origin("agent:codex"), store.with_origin("person")
    number = agent.save(NoteDraft("t", "c", topic_key="k", project="p")).id

    assert store.get(number).origin == "agent:codex"
    assert person.update(number, Changes(project="q")).origin == "agent:codex"
    assert person.update(number, Changes(content="d", project="p")).origin == "person"
    assert agent.seen_by(Person("mia")).origin == "agent:codex"
    agent.save(NoteDraft("t", "e", topic_key="k", project="p"))
    assert store.get(number).origin == "agent:codex"


def test_notes_are_found_and_counted_by_kind_of_origin_or_by_one_origin(store):
    for origin in ("agent:codex", "agent:codex-x", "agent", "person", "import:engram"):
        store.with_origin(origin).save(NoteDraft(origin, f"walrus of {origin}"))

    def said_by(origin):
        query = Query(origin=origin)
        found = {note.origin for note in store.recent(query).items}
        assert {hit.note.origin for hit in store.search("walrus", query).items} == found
        assert store.count(query) == len(found)
        assert {note.origin for note in admitted(query, store.recent().items)} == found
        return found

    assert said_by("agent") == {"agent:codex", "agent:codex-x", "agent"}
    assert said_by("Agent:Codex") == {"agent:codex"}
    assert said_by("person") == {"person"}
    assert said_by("sync") == set()


def test_disputes_are_relations_among_the_notes_of_a_page(store):
    one, two, three = (store.save(NoteDraft(f"t{at}", f"content {at}")).id for at in range(3))
    (edge,) = store.relate(one, two, "contradicts")
    store.relate(two, three)

    assert store.disputes([one, two, three]) == (edge,)
    assert store.disputes([one, three]) == store.disputes([]) == ()
    assert len(store.every_relation()) == 2


def test_the_undo_of_a_drop_and_the_log_name_the_note(store):
    number = put(store)
    store.drop([number])

    logged = store.log(1)[0]
    done = store.undo()

    assert (logged.counts, [each.title for each in logged.notes]) == ({"note": 1}, ["Doubtful"])
    assert (done.counts, [each.title for each in done.notes]) == ({"note": 1}, ["Doubtful"])
    assert store.count_inbox() == 1


def test_one_note_that_waits_is_read_with_its_reason(store):
    number = put(store)
    other = store.save(NoteDraft("Sure", "another", project="p")).id

    assert store.waiting(number) == store.inbox().items[0]
    assert store.waiting(other) is store.waiting(99) is None
