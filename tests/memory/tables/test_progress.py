"""Progress is one document; compaction deletes only what it was meant to, and says what it stands for."""

import json

import pytest

from modicum.memory.model import NoteDraft, Query, Refused
from modicum.memory.times import stamp


def test_progress_is_replaced_and_counted(store):
    assert store.progress("shop") is None
    store.put_progress("Shop", '{"done": 1}')
    second = store.put_progress("shop", '{"done": 2}')

    assert store.progress("SHOP") == second
    assert (second.content, second.revision_count) == ('{"done": 2}', 2)


def test_namespaces_have_their_own_progress(store):
    for name in ("agent/a", "agent/b"):
        store.put_progress("shop", json.dumps(name), name)

    assert json.loads(store.progress("shop", "agent/a").content) == "agent/a"
    assert store.progress("shop") is None


def test_progress_is_json_of_any_size(store):
    document = json.dumps({"steps": ["x" * 1000] * 50})
    assert store.put_progress("shop", document).content == document
    with pytest.raises(Refused, match="valid JSON"):
        store.put_progress("shop", "not json")
    with pytest.raises(Refused, match="needs a project"):
        store.put_progress(" ", "{}")


@pytest.mark.parametrize(
    "secret",
    [
        "a <private>SECRET</private> b",
        "open <private>SECRET",
        "AKIAIOSFODNN7QTRWBZA",
        "-----BEGIN PRIVATE KEY-----SECRET",
    ],
)
def test_secrets_leave_progress_valid(store, secret):
    document = {"a": [secret, 1, None], secret: {"b": True}, "password": 'correct1horse2battery"x'}

    kept = store.put_progress("shop", json.dumps(document)).content

    assert json.loads(kept)
    for word in ("SECRET", "AKIA", "battery"):
        assert word not in kept


@pytest.fixture
def aged(store, clock):
    old = [store.save(NoteDraft(f"old {i}", f"content {i}", project="p")).id for i in range(3)]
    clock.pass_(days=40)
    young = store.save(NoteDraft("young", "content", project="p")).id
    return store, old, young, stamp(clock() - 30 * 86_400)


def test_stale_notes_come_oldest_first(aged):
    store, old, _, cutoff = aged
    store.pin(old[1])

    assert [each.id for each in store.stale(Query(project="p", until=cutoff, limit=9))] == [old[0], old[2]]
    assert [each.id for each in store.stale(Query(until=cutoff, limit=1))] == [old[0]]
    assert store.stale(Query(project="other", until=cutoff)) == ()


def test_compaction_puts_a_summary_in_the_place_of_notes(aged):
    store, old, young, cutoff = aged
    store.delete(old[2])

    done = store.compact([*old, young], Query(project="p", until=cutoff), title="Sum", content="all of it")

    summary = store.get(done.summary_id)
    assert (done.deleted, done.skipped) == ((old[0], old[1]), (old[2], young))
    assert (done.before, done.after) == (3, 2)
    assert (summary.type, summary.project, summary.title) == ("compaction_summary", "p", "Sum")
    assert {(r.to_id, r.type) for r in store.relations(summary.id)} == {
        (n, "compacted_from") for n in old[:2]
    }
    assert store.restore(old[0]).title == "old 0"


def test_compaction_of_another_project_touches_nothing(aged):
    store, old, _, cutoff = aged

    done = store.compact(old, Query(project="other", until=cutoff), title="Sum", content="all")

    assert (done.deleted, done.skipped, done.summary_id) == ((), tuple(old), 0)


def test_a_compaction_must_make_sense(aged):
    store, old, *_ = aged

    with pytest.raises(Refused, match="nothing to compact"):
        store.compact([], Query())
    with pytest.raises(Refused, match="too many"):
        store.compact(range(201), Query())
    with pytest.raises(Refused, match="needs a title"):
        store.compact(old, Query(), content="x")
    with pytest.raises(Refused, match="needs a text"):
        store.compact(old, Query(), title="x")
    assert store.compact(old, Query()).summary_id == 0


def test_a_summary_that_cannot_be_saved_deletes_nothing(aged, monkeypatch):
    from modicum.memory.tables import compaction

    store, old, *_ = aged
    monkeypatch.setattr(compaction, "ADD_RELATION", "broken")

    with pytest.raises(Exception, match="broken"):
        store.compact(old, Query(), title="Sum", content="all")
    assert store.stats().notes == 4
