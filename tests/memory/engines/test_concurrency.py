"""Many processes write at once, and some are killed: what was acknowledged is there."""

import signal
import subprocess
import sys
import time

import pytest

from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import Query
from modicum.memory.store import Store

WRITER = """
import sys
from modicum.memory.model import NoteDraft
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store
path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = Store(SqliteDatabase(path))
for i in range(count):
    saved = store.save(NoteDraft(f"{name} {i}", f"walrus of {name} number {i}", project="p", session_id=name))
    sys.stdout.write(f"{saved.id} {name} {i}\\n")
    sys.stdout.flush()
"""


def writer(path, name, count):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("fresh", [True, False])
def test_sixteen_processes_write_and_nothing_is_refused_or_lost(tmp_path, fresh):
    path = tmp_path / "memory.db"
    if not fresh:
        SqliteDatabase(path).close()
    processes = [writer(path, f"w{n}", 15) for n in range(16)]
    told = [process.communicate(timeout=60) for process in processes]

    assert [error for _, error in told if error] == []
    ids = [line.split()[0] for out, _ in told for line in out.splitlines()]
    assert len(set(ids)) == len(ids) == 240
    store = Store(SqliteDatabase(path))
    assert store.stats()[:2] == (16, 240)
    assert {session.notes for session in store.sessions(Query(limit=50)).items} == {15}
    assert store.problems() == ()


def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path):
    path = tmp_path / "memory.db"
    SqliteDatabase(path).close()
    acknowledged = []
    for attempt in range(6):
        pair = [writer(path, f"k{attempt}{n}", 10_000) for n in range(2)]
        first = [process.stdout.readline() for process in pair]
        time.sleep(0.05 * attempt)
        for process in pair:
            process.send_signal(signal.SIGKILL)
        for process, line in zip(pair, first, strict=True):
            rest = process.communicate(timeout=30)[0].splitlines(keepends=True)
            acknowledged += [each.split() for each in (line, *rest) if each.endswith("\n")]

    store = Store(SqliteDatabase(path))
    assert len(acknowledged) > 12
    assert store.problems() == ()
    for number, name, i in acknowledged:
        assert store.get(int(number)).title == f"{name} {i}"
    assert store.stats().notes == store.search("walrus").total
    for number, name, i in acknowledged[:: max(1, len(acknowledged) // 20)]:
        hits = store.search(f'"{name} number {i}"', Query(limit=3)).items
        assert int(number) in [hit.note.id for hit in hits]
