"""A quick look sees what the store sees."""

from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modicum.memory.brief.lines import Brief, BriefNote
from modicum.memory.brief.query import read_brief
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft, Query
from modicum.memory.names import public_number
from modicum.memory.projects.keys import FolderKeys
from modicum.memory.store import Store

NOTES = st.lists(
    st.tuples(
        st.sampled_from(("shop", "other")),
        st.sampled_from(("project", "global")),
        st.booleans(),
        st.booleans(),
    ),
    max_size=12,
)

SHOP = FolderKeys("shop", named="shop")


@given(notes=NOTES, limit=st.integers(0, 6))
@settings(max_examples=15)
def test_it_sees_what_the_store_sees(
    tmp_path_factory: pytest.TempPathFactory, notes: list[tuple[str, str, bool, bool]], limit: int
) -> None:
    path = tmp_path_factory.mktemp("read_brief") / "memory.db"
    store = Store(SqliteDatabase(path))
    for at, (project, scope, pinned, deleted) in enumerate(notes):
        number = store.save(NoteDraft(f"Title {at}", f"Text {at}", "decision", project, scope=scope)).id
        if pinned:
            store.pin(number)
        if deleted:
            store.delete(number)
    pins = [
        note
        for note in store.pinned(Query(limit=50)).items
        if note.project == "shop" or note.scope == "global"
    ][:limit]
    recent = store.recent(Query(project="shop", limit=limit)).items
    total = store.count(Query(project="shop"))
    store.close()

    found = read_brief(str(path), SHOP, limit=limit)

    known = {note.id for note in pins}
    assert found.pinned == tuple(
        BriefNote(
            note.id, note.type, note.title, public_number(note.sync_id), note.origin, "", note.created_at
        )
        for note in pins
    )
    assert found.notes == tuple(
        BriefNote(
            note.id, note.type, note.title, public_number(note.sync_id), note.origin, "", note.created_at
        )
        for note in recent
        if note.id not in known
    )
    assert found.total == total


def test_the_latest_summary_is_found_and_an_old_one_is_not_sought_forever(tmp_path: Path) -> None:
    store = Store(SqliteDatabase(tmp_path / "memory.db"))
    store.start_session("old", project="shop")
    store.end_session("old", "Long ago.")
    for number in range(3):
        store.start_session(f"new-{number}", project="shop")
    store.start_session("elsewhere", project="other")
    store.end_session("elsewhere", "Not here.")
    store.close()

    assert read_brief(str(tmp_path / "memory.db"), SHOP, limit=1).summary == "Long ago."


def test_what_waits_in_the_inbox_is_counted_for_its_project_and_its_readers(tmp_path: Path) -> None:
    store = Store(SqliteDatabase(tmp_path / "memory.db"))
    for title, project in (("One", "shop"), ("Two", "shop"), ("Far", "attic")):
        store.save_waiting(NoteDraft(title, title, project=project), "in doubt")
    store.accept([1])
    store.close()

    assert read_brief(str(tmp_path / "memory.db"), SHOP, limit=8).waiting == 1
    assert read_brief(str(tmp_path / "memory.db"), SHOP, limit=8, person="mia").waiting == 1


def test_where_there_is_no_memory_nothing_is_seen_and_nothing_is_made(tmp_path: Path) -> None:
    assert read_brief(str(tmp_path / "memory.db"), SHOP, limit=8) == Brief()
    assert list(tmp_path.iterdir()) == []


def test_it_reads_while_somebody_writes(tmp_path: Path) -> None:
    store = Store(SqliteDatabase(tmp_path / "memory.db"))
    store.save(NoteDraft("Title", "Text", "decision", "shop"))
    writer = apsw.Connection(str(tmp_path / "memory.db"))
    writer.execute("BEGIN IMMEDIATE; DELETE FROM progress")

    assert len(read_brief(str(tmp_path / "memory.db"), SHOP, limit=8).notes) == 1
    writer.execute("ROLLBACK")
    writer.close()
    store.close()
