"""What odd shapes of shared notes cost a sync, at doubling sizes: taking them in on a machine that has nothing.

.venv/bin/python bench/sync_shapes.py [notes]
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store
from modicum.memory.sync.chunks import canonical_json, chunk_of
from modicum.memory.sync.folder import ChunkFolder
from modicum.memory.sync.run import Sync, SyncFolder

AT = "2026-11-15T17:43:25.123Z"
DOUBLINGS = 4


def note(key: str, number: int, text: str = "", **registers: list[Any]) -> dict[str, Any]:
    version = {"time": AT, "turn": number, "saved_at": AT, "type": "manual", "title": key, "tool_name": ""}
    said = {name: [AT, 0, value] for name, value in registers.items()}
    versions = [{**version, "content": text or f"words of {key}"}]
    return {"kind": "note", "key": key, "least": {"born": [AT, "s", 0]}, "set": said, "versions": versions}


def edge(one: str, other: str) -> dict[str, Any]:
    return {
        "kind": "edge",
        "key": canonical_json([one, other, "relates_to"]),
        "set": {"edge": [AT, 0, [1, "", AT]]},
    }


def plain(size: int) -> list[dict[str, Any]]:
    return [note(f"n{n:06}", 0) for n in range(size)]


def chain(size: int) -> list[dict[str, Any]]:
    """Each note is part of the next one."""
    return [note(f"n{n:06}", n, into=[f"n{n + 1:06}"]) for n in range(size)] + [note(f"n{size:06}", size)]


def ring(size: int) -> list[dict[str, Any]]:
    return [note(f"n{n:06}", n, into=[f"n{(n + 1) % size:06}"]) for n in range(size)]


def hub(size: int) -> list[dict[str, Any]]:
    """One note leads to all others."""
    return plain(size) + [edge("n000000", f"n{n:06}") for n in range(1, size)]


def wordings(size: int) -> list[dict[str, Any]]:
    """One note in as many lines as it has wordings."""
    return [note("n", n, f"wording {n}") for n in range(size)]


def topic(size: int) -> list[dict[str, Any]]:
    """All notes are of one topic, so that they become one."""
    return [note(f"n{n:06}", n, place=["project", "queue", "", ""]) for n in range(size)]


SHAPES: dict[str, Callable[[int], list[dict[str, Any]]]] = {
    "plain notes": plain,
    "a chain of merged notes": chain,
    "a ring of merged notes": ring,
    "one note with relations to all": hub,
    "one note with so many wordings": wordings,
    "notes of one topic": topic,
}


def seconds(records: list[dict[str, Any]]) -> float:
    with tempfile.TemporaryDirectory() as name:
        folder = ChunkFolder(Path(name, "project", ".modicum", "memory"))
        folder.write(chunk_of(json.dumps(each) for each in records))
        store = Store(SqliteDatabase(Path(name, "memory.db")))
        start = time.perf_counter()
        done = Sync(store, SyncFolder(folder, Path(name, "memo.json")), "shop").run()
        took = time.perf_counter() - start
        assert not done.troubles, done.troubles[:1]
        store.close()
        return took


def main(least: int) -> None:
    sizes = [least * 2**n for n in range(DOUBLINGS)]
    print(f"| seconds at | {' | '.join(f'{size:,}' for size in sizes)} | last doubling |")
    print("| --- " * (len(sizes) + 2) + "|")
    for name, make in SHAPES.items():
        took = [seconds(make(size)) for size in sizes]
        print(
            f"| {name} | {' | '.join(f'{each:.2f}' for each in took)} | × {took[-1] / took[-2]:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
