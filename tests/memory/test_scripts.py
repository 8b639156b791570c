"""What a script saves is kept and found; it is neither pinned nor told to a session unasked, whatever way it goes."""

import sys

import pytest

from modicum.app.answer.amount import Amount
from modicum.app.memory.recall import recall
from modicum.app.session.events import end_session
from modicum.memory.model import Archive, Changes, Forbidden, Note, NoteDraft, Query, Session
from modicum.memory.origins import LEADING, SCRIPT

shared = sys.modules["serving"]
clock, engine, open_store, store = shared.clock, shared.engine, shared.open_store, shared.store
OWN = NoteDraft("Walrus", "The walrus counts in cents.", project="shop")


@pytest.fixture
def script(store):
    return store.with_origin("script")


@pytest.fixture
def person(store):
    return store.with_origin("person")


@pytest.fixture
def agent(store):
    return store.with_origin("agent:codex")


def told(store) -> list[str]:
    brief = store.recalled("shop", 50)
    return [each.title for each in (*brief.pinned, *brief.notes)]


def test_it_is_kept_and_found_and_not_told(store, script, agent):
    script.save(OWN)
    agent.save(OWN._replace(title="Otter", content="The otter holds stones."))

    assert [hit.note.origin for hit in store.search("walrus", Query(project="shop")).items][:1] == ["script"]
    assert [each.title for each in store.recent(Query(project="shop", origin="script")).items] == ["Walrus"]
    assert told(store) == ["Otter"]


def test_a_thousand_of_them_hide_nobody_elses(store, script, agent, clock):
    agent.save(OWN._replace(title="Otter", content="The otter holds stones."))
    clock.seconds += 60
    script.save_all([OWN._replace(title=f"Walrus {n}", content=f"text {n}") for n in range(1000)])

    assert told(store) == ["Otter"]
    shown = recall(store, Query(project="shop", limit=30), Amount())
    assert "Otter" not in str(shown.sections)  # by time, for whoever asks


def test_recall_lists_them_behind_the_others(store, script, agent, clock):
    agent.save(OWN._replace(title="Otter", content="The otter holds stones."))
    clock.seconds += 60
    script.save(OWN)
    text = str(recall(store, Query(project="shop"), Amount()).sections)

    assert 0 < text.index("Otter") < text.index("Walrus")


def test_a_prompt_gets_them_last(store, script, agent):
    script.save(OWN._replace(title="Walrus cents", content="walrus cents walrus cents"))
    agent.save(
        OWN._replace(title="Otter", content="An otter is no walrus, and has no cents in any of its pockets.")
    )
    found = store.notes_for_prompt("how does the walrus count cents", Query(project="shop"))

    assert [each.title for each in found] == ["Otter", "Walrus cents"]


def test_a_script_pins_nothing_and_only_a_person_pins_its_notes(store, script, agent, person):
    number, other = script.save(OWN).id, agent.save(OWN._replace(title="Otter", content="Stones.")).id
    for who, which in ((script, number), (script, other), (agent, number)):
        with pytest.raises(Forbidden):
            who.pin(which)
    assert told(store) == ["Otter"]

    person.pin(number)

    assert (store.get(number).origin, store.get(number).pinned) == ("person", 1)
    assert told(store) == ["Walrus", "Otter"]


def test_what_a_script_rewrites_loses_its_pin(store, script, person):
    first = person.save(OWN._replace(topic_key="walrus")).id
    second = person.save(OWN._replace(title="Otter", content="Stones.")).id
    person.pin(first)
    person.pin(second)
    script.save(OWN._replace(content="The walrus lies.", topic_key="walrus"))
    script.update(second, Changes(content="The otter lies."))

    assert [(store.get(n).origin, store.get(n).pinned) for n in (first, second)] == [("script", 0)] * 2
    assert told(store) == []
    assert [note.title for note in store.pinned(Query(project="shop")).items] == []


def test_a_pin_that_came_another_way_leads_nothing(store, script):
    number = script.save(OWN).id
    with store.database.writing() as tx:
        tx.unlimited.run("UPDATE notes SET pinned = 1 WHERE id = :id", {"id": number})

    assert told(store) == []
    assert store.pinned(Query(project="shop")).items == ()


def test_what_somebody_else_says_too_is_no_longer_a_scripts_word(store, script, agent):
    number = script.save(OWN).id
    script.save(OWN)
    assert store.get(number).origin == "script"
    agent.save(OWN)

    assert (store.get(number).origin, told(store)) == ("agent:codex", ["Walrus"])


def test_what_a_script_imports_is_a_scripts(store, script):
    note = Note(0, "note-1", "s", "decision", "Walrus", "Cents.", project="shop", pinned=1, origin="person")
    session = Session("s", "shop", started_at="2026-04-07T09:00:00Z", summary="The walrus says so.")
    script.take_in(Archive(notes=(note,), sessions=(session,)), origin="import:engram")

    kept = store.recent(Query(project="shop")).items[0]
    assert (kept.origin, kept.pinned) == ("script", 0)
    assert (told(store), store.recalled("shop", 9).summary) == ([], "")
    assert store.session("s").summary == "The walrus says so."


def test_a_summary_that_a_script_tells_is_kept_and_starts_no_session(store, script, agent):
    store.start_session("one", project="shop")
    store.start_session("two", project="shop")
    agent.end_session("one", "The otter was counted.")
    script.end_session("two", "The walrus says so.")
    script.end_session("one")

    assert store.session("two").summary == "The walrus says so."
    assert store.recalled("shop", 9).summary == "The otter was counted."
    script.end_session("one", "The walrus was counted.")
    assert store.recalled("shop", 9).summary == ""


def test_a_note_of_a_script_becomes_no_summary_of_a_session(store, script):
    store.start_session("one", project="shop")
    script.save(NoteDraft("Walrus", "The walrus says so.", "session_summary", "shop", "one"))
    hook = store.with_origin("hook:codex")
    end_session(hook, "one")

    assert store.session("one").summary == ""
    assert store.recalled("shop", 9).summary == ""


def test_the_index_of_what_leads_has_the_words_of_the_condition():
    from modicum.memory.engines.schema import tables

    assert f"origin <> '{SCRIPT}'" == LEADING
    for name in ("sqlite", "postgres"):
        assert "CREATE INDEX leading_of_project" in tables(name)
        assert f"WHERE deleted_at = '' AND {LEADING};" in tables(name)


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_session_start_reads_only_the_index_of_what_leads(store):
    from modicum.memory.brief.query import RECENT

    plan = store.database.ask(f"EXPLAIN QUERY PLAN {RECENT}", {"project": "shop", "limit": 9})

    assert "leading_of_project" in str(plan)
