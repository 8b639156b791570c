"""Databases as other programs make them, with the tables that those have. Used by tests and by bench/engram_move.py."""

import gzip
import hashlib
import json
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

ENGRAM = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT NOT NULL, directory TEXT NOT NULL,
  started_at TEXT NOT NULL DEFAULT (datetime('now')), ended_at TEXT, summary TEXT);
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, sync_id TEXT, session_id TEXT NOT NULL,
  type TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL, tool_name TEXT, project TEXT,
  scope TEXT NOT NULL DEFAULT 'project', topic_key TEXT, normalized_hash TEXT,
  revision_count INTEGER NOT NULL DEFAULT 1, duplicate_count INTEGER NOT NULL DEFAULT 1, last_seen_at TEXT,
  created_at TEXT NOT NULL DEFAULT (datetime('now')), updated_at TEXT NOT NULL DEFAULT (datetime('now')),
  deleted_at TEXT, FOREIGN KEY (session_id) REFERENCES sessions (id));
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, sync_id TEXT, session_id TEXT NOT NULL,
  content TEXT NOT NULL, project TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now')),
  FOREIGN KEY (session_id) REFERENCES sessions (id));
CREATE TABLE sync_chunks (chunk_id TEXT PRIMARY KEY, imported_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE VIRTUAL TABLE observations_fts USING fts5 (title, content, tool_name, type, project, topic_key,
  content='observations', content_rowid='id');
"""

# Later versions of engram have these, too.
ENGRAM_RELATIONS = """
CREATE TABLE memory_relations (id INTEGER PRIMARY KEY AUTOINCREMENT, sync_id TEXT UNIQUE, source_id TEXT, target_id TEXT,
  relation TEXT, judgment_status TEXT, reason TEXT, created_at TEXT, updated_at TEXT);
"""

HOOFY = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT, directory TEXT, started_at TEXT, ended_at TEXT, summary TEXT);
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, type TEXT, title TEXT, content TEXT,
  tool_name TEXT, project TEXT, scope TEXT DEFAULT 'project', topic_key TEXT, namespace TEXT, normalized_hash TEXT,
  revision_count INTEGER DEFAULT 1, duplicate_count INTEGER DEFAULT 1, last_seen_at TEXT, created_at TEXT,
  updated_at TEXT, deleted_at TEXT);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, session_id TEXT, content TEXT, project TEXT, namespace TEXT,
  created_at TEXT);
CREATE TABLE relations (id INTEGER PRIMARY KEY, from_id INTEGER REFERENCES observations (id) ON DELETE CASCADE,
  to_id INTEGER REFERENCES observations (id) ON DELETE CASCADE, type TEXT DEFAULT 'relates_to', note TEXT,
  created_at TEXT, UNIQUE (from_id, to_id, type));
"""

CLAUDE_MEM = """
CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL);
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL,
  memory_session_id TEXT UNIQUE, project TEXT NOT NULL, platform_source TEXT NOT NULL DEFAULT 'claude', user_prompt TEXT,
  started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, completed_at TEXT, completed_at_epoch INTEGER,
  status TEXT NOT NULL DEFAULT 'active', worker_port INTEGER, prompt_counter INTEGER DEFAULT 0, custom_title TEXT);
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
  text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT,
  files_modified TEXT, prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0, created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL);
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
  request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT,
  notes TEXT, prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0, created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, session_db_id INTEGER, content_session_id TEXT NOT NULL,
  prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
"""


def make(path: Path, schema: str, **tables: list[dict[str, Any]]) -> Path:
    """A database with these rows, closed."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(schema)
    for table, rows in tables.items():
        for row in rows:
            names = ", ".join(row)
            marks = ", ".join("?" for _ in row)
            connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(row.values()))
    connection.commit()
    connection.close()
    return path


def hash_of(content: str) -> str:
    return hashlib.sha256(" ".join(content.split()).lower().encode()).hexdigest()


def engram_rows(number: int, seed: int = 1) -> dict[str, list[dict[str, Any]]]:
    """Notes of several projects with topics, duplicates, deletions, prompts and relations."""
    random = Random(seed)
    words = [
        "queue",
        "token",
        "lock",
        "parser",
        "retry",
        "cache",
        "index",
        "panic",
        "schema",
        "worker",
        "日本語",
        "naïve",
    ]

    def at(second: int) -> str:
        days, rest = divmod(second * 37, 86_400)
        return f"2026-{1 + days // 28 % 12:02}-{1 + days % 28:02} {rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"

    sessions = [
        {"id": f"s-{n}", "project": f"project-{n % 7}", "directory": f"/src/{n % 7}", "started_at": at(n * 100),
         "ended_at": at(n * 100 + 90) if n % 3 else None, "summary": f"Summary {n}" if n % 2 else None}
        for n in range(max(1, number // 100))
    ]  # fmt: skip
    notes, prompts, relations = [], [], []
    for n in range(1, number + 1):
        session = sessions[n % len(sessions)]
        content = f"{n}: " + " ".join(random.choices(words, k=random.randint(3, 60)))
        notes.append({
            "id": n, "sync_id": f"obs-{random.getrandbits(64):016x}", "session_id": session["id"],
            "type": random.choice(["bugfix", "decision", "manual"]), "title": f"Note {n} {random.choice(words)}",
            "content": content, "tool_name": None if n % 4 else "bash", "project": session["project"],
            "scope": "personal" if n % 19 == 0 else "project", "topic_key": f"topic/{n}" if n % 3 == 0 else None,
            "normalized_hash": hash_of(content), "revision_count": 1 + n % 4, "duplicate_count": 1 + n % 2,
            "last_seen_at": at(n + 5), "created_at": at(n), "updated_at": at(n + 5),
            "deleted_at": at(n + 9) if n % 11 == 0 else None,
        })  # fmt: skip
        if n % 5 == 0:
            prompts.append({"id": n // 5, "sync_id": f"prompt-{random.getrandbits(64):016x}", "session_id": session["id"],
                            "content": f"why {n}?", "project": session["project"], "created_at": at(n)})  # fmt: skip
        if n % 4 == 0:
            other = notes[random.randrange(n - 1)]
            relations.append({"sync_id": f"rel-{n}", "source_id": notes[-1]["sync_id"], "target_id": other["sync_id"],
                              "relation": "related", "judgment_status": "accepted", "reason": f"reason {n}",
                              "created_at": at(n), "updated_at": at(n)})  # fmt: skip
    return {
        "sessions": sessions,
        "observations": notes,
        "user_prompts": prompts,
        "memory_relations": relations,
    }


def engram_import(path: Path, document: dict[str, Any]) -> sqlite3.Connection:
    """What engram does with an export: sessions that are not there, and every note and prompt, into its own tables."""
    connection = sqlite3.connect(path)
    connection.executescript("PRAGMA foreign_keys = ON;" + ENGRAM)
    for session in document["sessions"] or ():
        connection.execute(
            "INSERT OR IGNORE INTO sessions (id, project, directory, started_at, ended_at, summary) VALUES (?, ?, ?, ?, ?, ?)",
            [
                session.get(name)
                for name in ("id", "project", "directory", "started_at", "ended_at", "summary")
            ],
        )
    fields = ("sync_id", "session_id", "type", "title", "content", "tool_name", "project", "scope", "topic_key",
              "revision_count", "duplicate_count", "last_seen_at", "created_at", "updated_at", "deleted_at")  # fmt: skip
    for note in document["observations"] or ():
        values = [note.get(name) for name in fields]
        marks = ", ".join("?" for _ in fields)
        connection.execute(f"INSERT INTO observations ({', '.join(fields)}) VALUES ({marks})", values)
    for prompt in document["prompts"] or ():
        connection.execute(
            "INSERT INTO user_prompts (sync_id, session_id, content, project, created_at) VALUES (?, ?, ?, ?, ?)",
            [prompt.get(name) for name in ("sync_id", "session_id", "content", "project", "created_at")],
        )
    connection.commit()
    return connection


def engram_chunk(folder: Path, document: dict[str, Any]) -> Path:
    """A chunk of engram's: one compressed document under the beginning of its hash."""
    data = json.dumps(document, separators=(",", ":")).encode()
    path = folder / "chunks" / f"{hashlib.sha256(data).hexdigest()[:8]}.jsonl.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data))
    return path
