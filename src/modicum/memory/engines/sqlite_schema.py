"""The tables, by numbered steps. A step that was released is never edited: add another one."""

from collections.abc import Callable

import apsw

from modicum.memory.engines.sqlite_sync import share

TABLES = """
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL DEFAULT '',
  directory TEXT NOT NULL DEFAULT '',
  namespace TEXT NOT NULL DEFAULT '',
  started_at TEXT NOT NULL,
  ended_at TEXT NOT NULL DEFAULT '',
  summary TEXT NOT NULL DEFAULT '',
  notes INTEGER NOT NULL DEFAULT 0,
  active_at TEXT NOT NULL
);
CREATE INDEX sessions_recent ON sessions (active_at, id);
CREATE INDEX sessions_of_project ON sessions (project, active_at, id);
CREATE INDEX sessions_of_namespace ON sessions (namespace, active_at, id);
CREATE INDEX sessions_of_folder ON sessions (project, directory);

CREATE TABLE notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sync_id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  tool_name TEXT NOT NULL DEFAULT '',
  author TEXT NOT NULL DEFAULT '',
  project TEXT NOT NULL DEFAULT '',
  scope TEXT NOT NULL DEFAULT 'project',
  topic_key TEXT NOT NULL DEFAULT '',
  namespace TEXT NOT NULL DEFAULT '',
  pinned INTEGER NOT NULL DEFAULT 0,
  revision_count INTEGER NOT NULL DEFAULT 1,
  duplicate_count INTEGER NOT NULL DEFAULT 1,
  last_seen_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT NOT NULL DEFAULT '',
  hash TEXT NOT NULL,
  position INTEGER NOT NULL,
  content TEXT NOT NULL
);
CREATE INDEX recent ON notes (created_at, id) WHERE deleted_at = '';
CREATE INDEX recent_of_project ON notes (project, created_at, id) WHERE deleted_at = '';
CREATE INDEX recent_of_scope ON notes (scope, created_at, id) WHERE deleted_at = '';
CREATE INDEX recent_of_type ON notes (type, created_at, id) WHERE deleted_at = '';
CREATE INDEX recent_of_project_scope ON notes (project, scope, created_at, id) WHERE deleted_at = '';
CREATE INDEX recent_of_project_type ON notes (project, type, created_at, id) WHERE deleted_at = '';
CREATE INDEX recent_of_namespace ON notes (namespace, created_at, id) WHERE deleted_at = '';
CREATE INDEX of_session ON notes (session_id, created_at, id) WHERE deleted_at = '';
CREATE INDEX updated ON notes (updated_at, id) WHERE deleted_at = '';
CREATE INDEX updated_of_project ON notes (project, updated_at, id) WHERE deleted_at = '';
CREATE INDEX pinned ON notes (pinned, created_at, id) WHERE deleted_at = '' AND pinned = 1;
CREATE INDEX of_topic ON notes (topic_key, project, scope, namespace, updated_at, id)
  WHERE deleted_at = '' AND topic_key <> '';
CREATE INDEX of_hash ON notes (hash, project, scope, type, namespace, created_at) WHERE deleted_at = '';
CREATE INDEX positions ON notes (session_id, position);

CREATE TABLE revisions (
  note_id INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  saved_at TEXT NOT NULL,
  PRIMARY KEY (note_id, number)
);

CREATE TABLE prompts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sync_id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  content TEXT NOT NULL,
  project TEXT NOT NULL DEFAULT '',
  namespace TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL
);
CREATE INDEX prompts_recent ON prompts (created_at, id);
CREATE INDEX prompts_of_project ON prompts (project, created_at, id);
CREATE INDEX prompts_of_namespace ON prompts (namespace, created_at, id);
CREATE INDEX prompts_of_session ON prompts (session_id, created_at, id);

CREATE TABLE relations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  from_id INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
  to_id INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  UNIQUE (from_id, to_id, type)
);
CREATE INDEX relations_back ON relations (to_id);

CREATE TABLE progress (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project TEXT NOT NULL,
  namespace TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL,
  revision_count INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (project, namespace)
);

CREATE TABLE tallies (
  kind TEXT NOT NULL,
  project TEXT NOT NULL,
  scope TEXT NOT NULL DEFAULT '',
  type TEXT NOT NULL DEFAULT '',
  namespace TEXT NOT NULL DEFAULT '',
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, project, scope, type, namespace)
) WITHOUT ROWID;

CREATE TABLE totals (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO totals (name, value) VALUES ('changes', 0), ('passages', 0), ('words', 0);

CREATE TABLE passages (
  id INTEGER PRIMARY KEY REFERENCES notes (id) ON DELETE CASCADE,
  session_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  title TEXT NOT NULL,
  marks TEXT NOT NULL,
  length INTEGER NOT NULL,
  traits INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX passages_of_session ON passages (session_id, position);
"""

# Stems go in as they are: what the tokenizer would fold is folded already. Soft-deleted ones are taken out.
INDEXES = """
CREATE VIRTUAL TABLE passages_fts USING fts5(
  title, body, marks, content='passages', content_rowid='id', tokenize='unicode61 remove_diacritics 0'
);
INSERT INTO passages_fts (passages_fts, rank) VALUES ('rank', 'bm25(2.0, 1.0, 0.0)');
CREATE VIRTUAL TABLE passages_terms USING fts5vocab('passages_fts', 'row');
CREATE VIRTUAL TABLE grams USING fts5(
  title, content, content='notes', content_rowid='id', tokenize='trigram', detail='none', columnsize=0
);
CREATE VIRTUAL TABLE prompts_fts USING fts5(
  content, content='prompts', content_rowid='id', tokenize='porter unicode61'
);
"""

TRIGGERS = """
CREATE TRIGGER passages_added AFTER INSERT ON passages BEGIN
  INSERT INTO passages_fts (rowid, title, body, marks) VALUES (new.id, new.title, new.body, new.marks);
  UPDATE totals SET value = value + CASE name WHEN 'passages' THEN 1 ELSE new.length END
    WHERE name IN ('passages', 'words');
END;
CREATE TRIGGER passages_removed AFTER DELETE ON passages BEGIN
  INSERT INTO passages_fts (passages_fts, rowid, title, body, marks)
    VALUES ('delete', old.id, old.title, old.body, old.marks);
  UPDATE totals SET value = value - CASE name WHEN 'passages' THEN 1 ELSE old.length END
    WHERE name IN ('passages', 'words');
END;
CREATE TRIGGER passages_marked AFTER UPDATE OF marks ON passages BEGIN
  INSERT INTO passages_fts (passages_fts, rowid, title, body, marks)
    VALUES ('delete', old.id, old.title, old.body, old.marks);
  INSERT INTO passages_fts (rowid, title, body, marks) VALUES (new.id, new.title, new.body, new.marks);
END;

CREATE TRIGGER notes_added AFTER INSERT ON notes WHEN new.deleted_at = '' BEGIN
  INSERT INTO grams (rowid, title, content) VALUES (new.id, new.title, new.content);
  INSERT INTO tallies (kind, project, scope, type, namespace, count)
    VALUES ('note', new.project, new.scope, new.type, new.namespace, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
  UPDATE sessions SET notes = notes + 1, active_at = coalesce(
    (SELECT max(created_at) FROM notes WHERE session_id = new.session_id AND deleted_at = ''), started_at
  ) WHERE id = new.session_id;
END;
CREATE TRIGGER notes_removed AFTER DELETE ON notes WHEN old.deleted_at = '' BEGIN
  INSERT INTO grams (grams, rowid, title, content) VALUES ('delete', old.id, old.title, old.content);
  UPDATE tallies SET count = count - 1 WHERE kind = 'note' AND project = old.project AND scope = old.scope
    AND type = old.type AND namespace = old.namespace;
  UPDATE sessions SET notes = notes - 1, active_at = coalesce(
    (SELECT max(created_at) FROM notes WHERE session_id = old.session_id AND deleted_at = ''), started_at
  ) WHERE id = old.session_id;
END;
CREATE TRIGGER notes_reworded AFTER UPDATE OF title, content ON notes
WHEN old.deleted_at = '' AND new.deleted_at = '' BEGIN
  INSERT INTO grams (grams, rowid, title, content) VALUES ('delete', old.id, old.title, old.content);
  INSERT INTO grams (rowid, title, content) VALUES (new.id, new.title, new.content);
END;
CREATE TRIGGER notes_moved AFTER UPDATE OF project, scope, type, namespace ON notes
WHEN old.deleted_at = '' AND new.deleted_at = '' BEGIN
  UPDATE tallies SET count = count - 1 WHERE kind = 'note' AND project = old.project AND scope = old.scope
    AND type = old.type AND namespace = old.namespace;
  INSERT INTO tallies (kind, project, scope, type, namespace, count)
    VALUES ('note', new.project, new.scope, new.type, new.namespace, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER notes_hidden AFTER UPDATE OF deleted_at ON notes
WHEN old.deleted_at = '' AND new.deleted_at <> '' BEGIN
  INSERT INTO grams (grams, rowid, title, content) VALUES ('delete', old.id, old.title, old.content);
  UPDATE tallies SET count = count - 1 WHERE kind = 'note' AND project = old.project AND scope = old.scope
    AND type = old.type AND namespace = old.namespace;
  UPDATE sessions SET notes = notes - 1, active_at = coalesce(
    (SELECT max(created_at) FROM notes WHERE session_id = old.session_id AND deleted_at = ''), started_at
  ) WHERE id = old.session_id;
END;
CREATE TRIGGER notes_restored AFTER UPDATE OF deleted_at ON notes
WHEN old.deleted_at <> '' AND new.deleted_at = '' BEGIN
  INSERT INTO grams (rowid, title, content) VALUES (new.id, new.title, new.content);
  INSERT INTO tallies (kind, project, scope, type, namespace, count)
    VALUES ('note', new.project, new.scope, new.type, new.namespace, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
  UPDATE sessions SET notes = notes + 1, active_at = coalesce(
    (SELECT max(created_at) FROM notes WHERE session_id = new.session_id AND deleted_at = ''), started_at
  ) WHERE id = new.session_id;
END;

CREATE TRIGGER sessions_added AFTER INSERT ON sessions BEGIN
  INSERT INTO tallies (kind, project, count) VALUES ('session', new.project, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER sessions_removed AFTER DELETE ON sessions BEGIN
  UPDATE tallies SET count = count - 1 WHERE kind = 'session' AND project = old.project;
END;
CREATE TRIGGER sessions_moved AFTER UPDATE OF project ON sessions WHEN old.project <> new.project BEGIN
  UPDATE tallies SET count = count - 1 WHERE kind = 'session' AND project = old.project;
  INSERT INTO tallies (kind, project, count) VALUES ('session', new.project, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER prompts_added AFTER INSERT ON prompts BEGIN
  INSERT INTO prompts_fts (rowid, content) VALUES (new.id, new.content);
  INSERT INTO tallies (kind, project, count) VALUES ('prompt', new.project, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER prompts_removed AFTER DELETE ON prompts BEGIN
  INSERT INTO prompts_fts (prompts_fts, rowid, content) VALUES ('delete', old.id, old.content);
  UPDATE tallies SET count = count - 1 WHERE kind = 'prompt' AND project = old.project;
END;
CREATE TRIGGER prompts_moved AFTER UPDATE OF project ON prompts WHEN old.project <> new.project BEGIN
  UPDATE tallies SET count = count - 1 WHERE kind = 'prompt' AND project = old.project;
  INSERT INTO tallies (kind, project, count) VALUES ('prompt', new.project, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
"""

# Of a giant, the beginning: whoever mistypes a word seldom means one from behind that.
VOCABULARY = """
CREATE TABLE vocabulary (stem TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO vocabulary (stem) SELECT term FROM passages_terms WHERE term NOT LIKE 'ǂ%';
CREATE TRIGGER passages_learnt AFTER INSERT ON passages BEGIN
  INSERT OR IGNORE INTO vocabulary (stem)
    SELECT value FROM json_each('[' || replace(json_quote(new.title || ' ' || substr(new.body, 1, 100000)), ' ', '","') || ']');
END;
"""


def _create(connection: apsw.Connection) -> None:
    connection.execute(TABLES)
    connection.execute(INDEXES)
    connection.execute(TRIGGERS)


def _add_people(connection: apsw.Connection) -> None:
    from modicum.memory.engines.sqlite_people import add_people

    add_people(connection)


def _add_vocabulary(connection: apsw.Connection) -> None:
    connection.execute(VOCABULARY)


STEPS: tuple[Callable[[apsw.Connection], None], ...] = (_create, _add_people, share, _add_vocabulary)
LATEST = len(STEPS)


def migrate(connection: apsw.Connection, version: int) -> None:
    """Bring the tables from a version to the latest, within the caller's transaction."""
    for step in STEPS[version:]:
        step(connection)
    connection.execute(f"PRAGMA user_version = {LATEST}")
