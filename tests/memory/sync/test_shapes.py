"""Odd shapes of shared notes cost as much as there is of them, and no chunk keeps another one from coming in."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from modicum.memory.engines.sqlite import SqliteDatabase, SqliteTransaction
from modicum.memory.store import Store
from modicum.memory.sync.chunks import canonical_json, chunk_of
from modicum.memory.sync.folder import ChunkFolder
from modicum.memory.sync.run import Sync, SyncFolder
from modicum.memory.sync.state import NOTE, SyncState, combined, merge, version

AT = "2026-11-15T17:43:25.123Z"


def note(key, number=0, text="", **registers):
    said = {"time": AT, "turn": number, "saved_at": AT, "type": "manual", "title": key, "tool_name": ""}
    return {
        "kind": "note",
        "key": key,
        "least": {"born": [AT, "s", 0]},
        "set": {name: [AT, 0, value] for name, value in registers.items()},
        "versions": [{**said, "content": text or f"words of {key}"}],
    }


def hub(size):
    edges = (canonical_json(["n000", f"n{n:03}", "relates_to"]) for n in range(1, size))
    said = {"edge": [AT, 0, [1, "", AT]]}
    return [note(f"n{n:03}") for n in range(size)] + [
        {"kind": "edge", "key": key, "set": said} for key in edges
    ]


SHAPES = {
    "chain": lambda size: [
        *(note(f"n{n:03}", n, into=[f"n{n + 1:03}"]) for n in range(size)),
        note(f"n{size:03}", size),
    ],
    "ring": lambda size: [note(f"n{n:03}", n, into=[f"n{(n + 1) % size:03}"]) for n in range(size)],
    "hub": hub,
    "wordings": lambda size: [note("n", n, f"wording {n}") for n in range(size)],
    "topic": lambda size: [note(f"n{n:03}", n, place=["project", "queue", "", ""]) for n in range(size)],
}


def written(folder: Path, records) -> None:
    ChunkFolder(folder / "memory").write(chunk_of(json.dumps(each) for each in records))


def sync_of(store: Store, folder: Path) -> Sync:
    return Sync(store, SyncFolder(ChunkFolder(folder / "memory"), folder / "memo.json"), "shop")


def statements(folder: Path, records, monkeypatch) -> int:
    written(folder, records)
    seen = []
    real = SqliteTransaction._execute
    with closing(Store(SqliteDatabase(folder / "memory.db"))) as store, monkeypatch.context() as patch:
        patch.setattr(SqliteTransaction, "_execute", lambda *each: (seen.append(each[1]), real(*each))[1])
        done = sync_of(store, folder).run()
        assert done.troubles == ()
        assert store.problems() == ()
    return len(seen)


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_as_many_cost_twice_as_many_statements(shape, tmp_path, monkeypatch):
    small, large = (statements(tmp_path / str(size), SHAPES[shape](size), monkeypatch) for size in (150, 300))

    assert large < small * 2.2


def test_a_chain_of_five_hundred_merged_notes_ends_in_one_note_with_all_wordings(tmp_path):
    written(tmp_path, SHAPES["chain"](500))
    with closing(Store(SqliteDatabase(tmp_path / "memory.db"))) as store:
        done = sync_of(store, tmp_path).run()
        (last,) = [each for each in store.export().notes if each.sync_id == "n500"]

        assert (done.troubles, done.came.notes) == ((), 501)
        assert len(store.history(last.id)) == 501
        assert sync_of(store, tmp_path).run().went.notes == 0


def test_of_a_ring_of_merged_notes_the_least_gets_the_wordings_on_every_machine(tmp_path):
    written(tmp_path, SHAPES["ring"](7))
    for machine in "ab":
        with closing(Store(SqliteDatabase(tmp_path / f"{machine}.db"))) as store:
            place = SyncFolder(ChunkFolder(tmp_path / "memory"), tmp_path / f"{machine}.json")
            Sync(store, place, "shop").run()
            number = next(each.id for each in store.export().notes if each.sync_id == "n000")
            assert len(store.history(number)) == 7


def test_a_chunk_that_cannot_be_read_is_named_and_the_others_come_in(tmp_path):
    written(tmp_path, [note("one")])
    deep = "[" * 100_000
    lines = [deep, '{"kind":"note","key":' + "9" * 5_000 + "}", canonical_json({"kind": "note", "key": 7})]
    bad = chunk_of(lines)
    ChunkFolder(tmp_path / "memory").write(bad)
    written(tmp_path, [note("two")])
    with closing(Store(SqliteDatabase(tmp_path / "memory.db"))) as store:
        done = sync_of(store, tmp_path).run()

        assert {each.chunk for each in done.troubles} == {bad.name}
        assert {each.title for each in store.recent().items} == {"one", "two"}


def test_states_that_are_combined_are_the_same_as_merged_one_after_the_other():
    states = [
        SyncState(NOTE, "n", versions=(version(AT, n % 5, AT, ("t", str(n), "c", "")),)) for n in range(9)
    ]
    whole = states[0]
    for each in states[1:]:
        whole = merge(whole, each)

    assert combined(states) == combined(states[::-1]) == (whole,)
