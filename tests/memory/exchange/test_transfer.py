"""What is exported comes back the same, and once."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.base.errors import Remedy
from modicum.memory.exchange.archive import from_document, to_document
from modicum.memory.model import Archive, Imported, NoteDraft, Query, Refused, Unusable


def with_origin(archive, origin):
    return archive._replace(notes=tuple(note._replace(origin=origin) for note in archive.notes))


def test_an_export_comes_back_the_same(filled, make_store):
    archive = filled.export()
    other = make_store("other")

    done = other.take_in(from_document(json.loads(json.dumps(to_document(archive)))))

    assert done == Imported(2, 4, 1, 1, 1, 1)
    assert other.export() == with_origin(archive, "import")
    assert other.stats() == filled.stats()
    assert [hit.note.id for hit in other.search("walrus").items] == [
        hit.note.id for hit in filled.search("walrus").items
    ]
    assert other.problems() == ()


def test_an_import_that_stops_half_way_says_what_came_in_and_is_taken_back(filled, make_store, monkeypatch):
    archive, other = filled.export(), make_store("other")
    other.save(NoteDraft("Mine", "was here before", project="shop"))
    before = other.export().notes
    monkeypatch.setattr("modicum.memory.exchange.transfer.BATCH", 2)

    def full(_: int) -> None:
        raise Unusable("memory.db: the disk is full", remedy="free some space")

    with pytest.raises(Unusable) as stopped:
        other.take_in(archive, tell=full)

    assert stopped.value.message == "after 2 of 4 notes no more came in: memory.db: the disk is full"
    assert stopped.value.remedy == Remedy("import.undo", first="free some space")
    assert len(other.export().notes) == 3
    other.undo(kind="import")
    assert other.export().notes == before
    assert other.take_in(archive).notes == 4


def test_a_second_import_changes_nothing(filled, make_store):
    archive = filled.export()
    other = make_store("other")
    other.take_in(archive)

    heard = []
    assert other.take_in(archive, tell=heard.append) == Imported()
    assert filled.take_in(archive) == Imported()
    assert filled.export() == archive
    assert other.export() == with_origin(archive, "import")
    assert heard == [4]


def test_ids_that_are_taken_are_given_anew_and_relations_follow(filled, make_store):
    other = make_store("other")
    mine = other.save(NoteDraft("mine", "stays")).id
    other.take_in(filled.export())

    moved = next(each for each in other.export().notes if each.title == "t1")
    assert other.get(mine).title == "mine"
    assert moved.id not in (0, mine)
    assert [r.from_id for r in other.relations(moved.id)] == [moved.id]
    assert [r.number for r in other.history(moved.id)] == [2, 1]


ENGRAM = {
    "version": "0.1.0",
    "exported_at": "2026-04-07 10:05:00",
    "sessions": [
        {"id": "s1", "project": "Demo", "directory": "/d", "started_at": "2026-04-07 10:00:00", "summary": "Added JWT"}
    ],
    "observations": [
        {
            "id": 7, "sync_id": "obs-1", "session_id": "s1", "type": "bugfix", "title": "Fixed nil token",
            "content": "guard, token ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1", "project": "Demo--x", "scope": "",
            "topic_key": "Auth Model", "revision_count": 0, "duplicate_count": 3,
            "created_at": "2026-04-07 10:01:00", "updated_at": "2026-04-07 10:02:00", "deleted_at": None,
        },
        {
            "id": 8, "session_id": "gone", "type": "manual", "title": "", "content": "", "scope": "personal",
            "revision_count": 1, "duplicate_count": 1, "created_at": "2026-04-07 10:01:00",
            "updated_at": "2026-04-07 10:01:00", "deleted_at": "2026-04-07 10:03:00",
        },
    ],
    "prompts": [{"id": 1, "session_id": "s1", "content": "why?", "project": None, "created_at": "2026-04-07 10:01:00"}],
}  # fmt: skip


def test_an_export_of_engram_is_taken_over_once(store):
    assert store.take_in(from_document(ENGRAM)) == Imported(1, 2, 1)
    assert store.take_in(from_document(ENGRAM)) == Imported()

    note = store.get(7)
    assert (note.project, note.scope, note.topic_key) == ("demo-x", "project", "auth-model")
    assert (note.content, note.revision_count, note.duplicate_count) == ("guard, token [REDACTED]", 1, 3)
    assert (note.created_at, note.updated_at) == ("2026-04-07T10:01:00.000Z", "2026-04-07T10:02:00.000Z")
    assert store.get(8, deleted=True).deleted_at == "2026-04-07T10:03:00.000Z"
    assert store.session("gone").started_at == "2026-04-07T10:01:00.000Z"
    assert store.session("s1").summary == "Added JWT"
    assert store.prompts().items[0].content == "why?"
    assert store.save(NoteDraft("next", "one")).id == 9


def test_empty_lists_of_engram_are_null():
    assert from_document({"sessions": None, "observations": [], "prompts": None}) == Archive()


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "no export"),
        ({}, "no export"),
        ({"items": []}, "no export"),
        ({"format": "modicum", "version": 99}, "newer modicum"),
        ({"sessions": {}}, "no list"),
        ({"sessions": ["x"]}, "sessions, item 1"),
        ({"observations": [{"id": "seven"}]}, "notes, item 1"),
        ({"observations": [{"id": 1, "session_id": 5}]}, "notes, item 1"),
        ({"prompts": [{"content": "x", "session_id": "s", "created_at": "soon"}]}, "is no time"),
        ({"sessions": [{}]}, "sessions, item 1"),
    ],
)
def test_what_is_no_export_is_refused_with_its_place(document, message):
    with pytest.raises(Refused, match=message):
        from_document(document)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "title", "session_id", "created_at", "content", "started_at"]),
            inner,
            max_size=4,
        )
    ),
)


@settings(max_examples=200)
@given(
    st.dictionaries(st.sampled_from(["sessions", "observations", "prompts", "relations", "version"]), JSON)
)
def test_any_document_is_read_or_refused(document):
    with suppress(Refused):
        assert isinstance(from_document(document), Archive)


def test_an_import_can_be_large(make_store, store):
    store.save_all([NoteDraft(f"t{i}", f"walrus {i}") for i in range(450)])
    other = make_store("other")
    heard = []

    assert other.take_in(store.export(), tell=heard.append).notes == 450
    assert heard == [200, 400, 450]
    assert other.count(Query()) == 450
