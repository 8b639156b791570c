"""Measures what a save costs beside a bare insert into the same tables and indexes, and how many writers get through.

    .venv/bin/python -m compileall -q src && .venv/bin/python bench/save.py [NOTES ...]

For each number of notes (1,000 and 100,000 unless told otherwise) a store with so many is made. Then new notes are saved as
an agent's tool saves them, and notes of the same kind are inserted by the same statements with everything computed before,
in turn, a batch of each, so that a busy machine slows both. Times are CPU time of the process. Behind that: rows and steps
of the lookups of a save, and 16 programs that save at once for five seconds.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from modicum.app.memory.notes import save
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.find.index import audience_of, marks_of
from modicum.memory.gate import alikes
from modicum.memory.model import NoteDraft
from modicum.memory.names import public_number
from modicum.memory.store import Store
from modicum.memory.tables import audit, notes
from modicum.memory.tables.audit import of_note

ROUNDS, EACH, BATCH = 10, 30, 500
WRITERS, SECONDS = 16, 5
WORDS = [
    f"{a}{b}{c}"
    for a in "bdfgklmn"
    for b in ("an", "er", "il", "os", "ul")
    for c in ("ta", "ko", "vi", "re", "mo", "du")
]


def draft(chance: random.Random) -> NoteDraft:
    words = [chance.choice(WORDS) for _ in range(55)]
    return NoteDraft(" ".join(words[:5]).capitalize(), f"{' '.join(words)}.", "decision", project="bench")


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--writer"]:
        return write(Path(arguments[1]), int(arguments[2]))
    sizes = [int(each.replace(",", "")) for each in arguments] or [1_000, 100_000]
    print(f"{'notes':>9}{'a save':>10}{'bare':>10}{'times':>8}{'lookups':>9}{'writers: a second':>19}")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "memory.db"
            store, chance = Store(SqliteDatabase(path)).with_origin("agent:bench"), random.Random(size)
            for _ in range(size // BATCH):
                store.save_all([draft(chance) for _ in range(BATCH)])
            ours, bare = measure(store, chance)
            found = rows_looked_at(store, chance)
            store.close()
            rate = at_once(path)
            print(
                f"{size:>9,}{ours:>7.2f} ms{bare:>7.2f} ms{ours / bare:>8.2f}{found:>9}{rate:>19.0f}",
                flush=True,
            )
    return 0


def measure(store: Store, chance: random.Random) -> tuple[float, float]:
    """CPU milliseconds of a save and of a bare insert, the median of the rounds."""
    ours, bare = [], []
    for _ in range(ROUNDS):
        drafts = [draft(chance) for _ in range(EACH)]
        start = time.process_time()
        for each in drafts:
            save(store, each)
        ours.append((time.process_time() - start) * 1_000 / EACH)
        rows = [values_of(store, draft(chance)) for _ in range(EACH)]
        start = time.process_time()
        for note, passage, keys in rows:
            insert(store, note, passage, keys)
        bare.append((time.process_time() - start) * 1_000 / EACH)
    return sorted(ours)[ROUNDS // 2], sorted(bare)[ROUNDS // 2]


def values_of(store: Store, given: NoteDraft) -> tuple[dict, dict, tuple[int, ...]]:
    """All that goes into the tables, computed before."""
    entry, now = notes.prepare(given, origin=store.origin), "2026-11-19T12:00:00.000Z"
    note = entry.note._replace(last_seen_at=now, created_at=now, updated_at=now)
    row = {**note._asdict(), **entry.beside, "public_id": public_number(note.sync_id)}
    passage = {**entry.passage._asdict(), "audience": audience_of(note), "marks": marks_of(note)}
    return row, passage, entry.keys


def insert(store: Store, row: dict, passage: dict, keys: tuple[int, ...]) -> None:
    with store._writing("save") as tx:
        ((number,),) = tx.rows(notes.ADD, row)
        tx.run(notes.ADD_PASSAGE, {**passage, "id": number})
        alikes.add(tx, number, keys)
        noted = notes.Note(**{name: row[name] for name in notes.FIELDS})
        audit.record(tx, store.who, row["created_at"], of_note("saved", noted._replace(id=number)))


def rows_looked_at(store: Store, chance: random.Random) -> int:
    """The most rows that the lookups for likeness gave, for any of some saves."""
    most = 0
    for _ in range(EACH):
        entry = notes.prepare(draft(chance))
        keys = (*entry.keys, *[alikes.NONE] * alikes.MOST)[: alikes.MOST]
        with store.reading() as tx:
            most = max(
                most,
                len(tx.rows(alikes.SHARING, {f"key{at}": key for at, key in enumerate(keys)} | {"id": 0})),
            )
    return most


def write(path: Path, seed: int) -> int:
    """Saves for some seconds, and prints how many."""
    store, chance, count = Store(SqliteDatabase(path)).with_origin("agent:bench"), random.Random(seed), 0
    save(store, draft(chance))
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        save(store, draft(chance))
        count += 1
    print(count)
    return 0


def at_once(path: Path) -> float:
    command = [sys.executable, __file__, "--writer", str(path)]
    programs = [
        subprocess.Popen([*command, str(seed)], stdout=subprocess.PIPE, text=True, env={**os.environ})
        for seed in range(WRITERS)
    ]
    return sum(int(each.communicate()[0]) for each in programs) / SECONDS


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
