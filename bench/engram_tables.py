"""What our memory costs beside engram's tables: the same notes in both, CPU of each by the median, and the files.

    .venv/bin/python bench/engram_tables.py [NOTES]

On engram's side only its statements are run, by SQLite in this process: no server of its own, nothing of its Go code.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from time import process_time

import apsw

from engram_move import fixtures
from memory import drafts, fresh, timed, vocabulary
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.model import NoteDraft, Query
from modicum.memory.store import Store

ROUNDS = 60
PART = 500
INDEXES = """
CREATE INDEX idx_obs_session ON observations (session_id);
CREATE INDEX idx_obs_type ON observations (type);
CREATE INDEX idx_obs_project ON observations (project);
CREATE INDEX idx_obs_created ON observations (created_at DESC);
CREATE INDEX idx_obs_scope ON observations (scope);
CREATE INDEX idx_obs_sync_id ON observations (sync_id);
CREATE INDEX idx_obs_topic ON observations (topic_key, project, scope, updated_at DESC);
CREATE INDEX idx_obs_deleted ON observations (deleted_at);
CREATE INDEX idx_obs_dedupe ON observations (normalized_hash, project, scope, type, title, created_at DESC);
CREATE TRIGGER obs_fts_insert AFTER INSERT ON observations BEGIN
  INSERT INTO observations_fts (rowid, title, content, tool_name, type, project, topic_key)
  VALUES (new.id, new.title, new.content, new.tool_name, new.type, new.project, new.topic_key);
END;
"""
SESSION = "INSERT OR IGNORE INTO sessions (id, project, directory) VALUES (?, ?, '')"
SAVE = """
INSERT INTO observations (sync_id, session_id, type, title, content, project, topic_key, normalized_hash)
VALUES ('obs-' || lower(hex(randomblob(8))), ?, ?, ?, ?, ?, ?, ?)
"""
SEARCH = """
SELECT o.*, fts.rank FROM observations_fts AS fts JOIN observations AS o ON o.id = fts.rowid
WHERE observations_fts MATCH ? AND o.deleted_at IS NULL ORDER BY fts.rank LIMIT 10
"""
RECENT = (
    "SELECT * FROM observations WHERE project = ? AND deleted_at IS NULL ORDER BY created_at DESC LIMIT 20"
)


def make(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000")
    connection.execute(fixtures().ENGRAM + INDEXES)
    return connection


def save(connection: apsw.Connection, batch: Sequence[NoteDraft]) -> None:
    with connection:
        for note in batch:
            content = sha256(" ".join(note.content.split()).lower().encode()).hexdigest()
            connection.execute(SESSION, (note.session_id, note.project))
            values = (note.session_id, note.type, note.title, note.content, note.project)
            connection.execute(SAVE, (*values, note.topic_key or None, content))


def ask(connection: apsw.Connection, text: str) -> None:
    connection.execute(SEARCH, (" ".join(f'"{word}"' for word in text.split()),)).fetchall()


def batches(size: int) -> Iterator[list[NoteDraft]]:
    source = islice(drafts(vocabulary()), size)
    while batch := list(islice(source, PART)):
        yield batch


def spent(work: Callable[[list[NoteDraft]], object], size: int) -> float:
    """CPU seconds of saving all notes, a part at a time."""
    seconds = 0.0
    for batch in batches(size):
        began = process_time()
        work(batch)
        seconds += process_time() - began
    return seconds


def compare(store: Store, theirs: apsw.Connection) -> Iterator[tuple[str, float, float]]:
    words = [word for word in vocabulary() if word.isascii() and word.isalpha()]
    more = drafts(vocabulary())
    works: dict[str, tuple[Callable[[int], object], Callable[[int], object]]] = {
        "save one note, ms": (lambda _: store.save(next(more)), lambda _: save(theirs, [next(more)])),
        "newest 20 of a project, ms": (
            lambda _: store.recent(Query(project="search", limit=20)),
            lambda _: theirs.execute(RECENT, ("search",)).fetchall(),
        ),
    }
    for number in (1, 3):
        asked = [" ".join(fresh(words, 5 * turn + 4).split()[:number]) for turn in range(ROUNDS)]
        works[f"search for {number} word{'s' * (number > 1)}, ms"] = (
            lambda turn, asked=asked: store.search(asked[turn], Query(limit=10)),  # type: ignore[misc]
            lambda turn, asked=asked: ask(theirs, asked[turn]),  # type: ignore[misc]
        )
    for name, (ours, other) in works.items():
        yield name, timed(ours, ROUNDS)[0], timed(other, ROUNDS)[0]


def main(size: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        database = SqliteDatabase(Path(name) / "ours.db")
        store, theirs = Store(database), make(Path(name) / "engram.db")
        seconds = spent(store.save_all, size), spent(lambda batch: save(theirs, batch), size)
        theirs.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        pages = theirs.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        sizes = database.size() / 1e6, pages.fetchall()[0][0] / 1e6
        rows = [(f"save {size:,} notes, s", *seconds), ("the file, MB", *sizes), *compare(store, theirs)]
        store.close()
    print(f"{size:,} notes, CPU{'':<17} {'modicum':>9} {'engram':>9} {'ratio':>7}")
    for what, ours, other in rows:
        print(f"{what:<34} {ours:>9.2f} {other:>9.2f} {ours / other:>7.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20_000)
