"""What a sync costs: the first one, one without news, one with one change, and taking everything in elsewhere.

.venv/bin/python bench/sync.py [notes]
"""

import sys
import tempfile
import time
from pathlib import Path

from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import Changes, NoteDraft
from modicum.memory.origins import PERSON
from modicum.memory.store import Store
from modicum.memory.sync.folder import ChunkFolder
from modicum.memory.sync.model import Synced
from modicum.memory.sync.run import Sync, SyncFolder


def timed(what: str, sync: Sync) -> Synced:
    start = time.perf_counter()
    done = sync.run()
    seconds = time.perf_counter() - start
    print(f"{what:<36}{seconds * 1000:10.1f} ms   {done.came.notes:>7} came {done.went.notes:>7} went")
    return done


def main(number: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        chunks = folder / "project" / ".modicum" / "memory"
        stores = [Store(SqliteDatabase(folder / each / "memory.db")) for each in "ab"]
        stores[0].origin = PERSON  # as every door says; a sync would write notes without one anew
        here, there = (
            Sync(store, SyncFolder(ChunkFolder(chunks), folder / f"{n}.json"), "shop")
            for n, store in enumerate(stores)
        )
        words = "queue token lock parser retry cache index panic schema worker".split()  # noqa: SIM905
        for start in range(0, number, 500):
            stores[0].save_all(
                [NoteDraft(f"Note {n}", " ".join(words[(n + k) % 10] for k in range(40)) + f" {n}", project="shop")
                 for n in range(start, min(start + 500, number))]
            )  # fmt: skip
        timed("first", here)
        timed("nothing new", here)
        stores[0].update(1, Changes(content="changed"))
        timed("one change", here)
        timed("everything, on another machine", there)
        timed("nothing new there", there)
        sizes = [path.stat().st_size for path in chunks.iterdir()]
        print(f"\n{len(sizes)} chunks, {sum(sizes):,} bytes, the largest {max(sizes):,}")
        for store in stores:
            store.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
