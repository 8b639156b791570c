-- The rest of the schema in SQLite, after shared.sql: notes, what hangs on them, the full-text indexes, the triggers.

-- Notes. What is read of every note stands before its text, which may fill pages of its own.
CREATE TABLE notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sync_id TEXT NOT NULL UNIQUE,
  public_id INTEGER NOT NULL,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  tool_name TEXT NOT NULL DEFAULT '',
  author TEXT NOT NULL DEFAULT '',
  owner TEXT NOT NULL DEFAULT '',
  origin TEXT NOT NULL DEFAULT '',
  pinned_by TEXT NOT NULL DEFAULT '',
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
  hash INTEGER NOT NULL,
  standing INTEGER NOT NULL,
  position INTEGER NOT NULL,
  content TEXT NOT NULL
);
CREATE INDEX recent ON notes (created_at) WHERE deleted_at = '';
CREATE INDEX recent_of_project ON notes (project, created_at, id, type) WHERE deleted_at = '';
CREATE INDEX leading_of_project ON notes (project, created_at) WHERE deleted_at = '' AND origin <> 'script';
CREATE INDEX recent_of_scope ON notes (scope, created_at) WHERE deleted_at = '' AND scope <> 'project';
CREATE INDEX recent_of_type ON notes (type, created_at) WHERE deleted_at = '';
CREATE INDEX recent_of_project_scope ON notes (project, scope, created_at)
  WHERE deleted_at = '' AND scope <> 'project';
CREATE INDEX recent_of_namespace ON notes (namespace, created_at) WHERE deleted_at = '' AND namespace <> '';
CREATE INDEX of_session ON notes (session_id, created_at) WHERE deleted_at = '';
CREATE INDEX pinned ON notes (pinned, created_at) WHERE deleted_at = '' AND pinned = 1;
CREATE INDEX of_topic ON notes (topic_key, project, scope, namespace, updated_at)
  WHERE deleted_at = '' AND topic_key <> '';
CREATE INDEX of_origin ON notes (project, origin) WHERE deleted_at = '' AND origin <> '';
CREATE INDEX deleted ON notes (deleted_at) WHERE deleted_at <> '';
CREATE INDEX of_hash ON notes (hash, project) WHERE deleted_at = '';
CREATE INDEX positions ON notes (session_id, position);
CREATE INDEX of_public_id ON notes (public_id);

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

-- The inbox: notes that wait for a person, each with the reason. They are deleted until one accepts them, so that nothing reads them.
-- INT and not INTEGER: a column that is the rowid counts as none, and a person's connection refuses to read a table without columns.
CREATE TABLE waiting (
  note_id INT PRIMARY KEY REFERENCES notes (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  said_by INTEGER NOT NULL DEFAULT 0
);

-- Keys by which a new note is compared with few that are there: hashes of its title and of words in a row.
CREATE TABLE note_keys (
  key BIGINT NOT NULL,
  note_id INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
  PRIMARY KEY (key, note_id)
) WITHOUT ROWID;
CREATE INDEX keys_of_note ON note_keys (note_id);

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

-- What a note means: signed bytes that a sentence model made. A note without a row here waits for its turn, or there is no
-- model. A vector goes with what it was made of.
CREATE TABLE vectors (
  id INTEGER PRIMARY KEY REFERENCES notes (id) ON DELETE CASCADE,
  model TEXT NOT NULL,
  vector BLOB NOT NULL
);
CREATE TRIGGER vector_outdated AFTER UPDATE OF title, content, author, deleted_at ON notes
WHEN old.title <> new.title OR old.content <> new.content OR old.author <> new.author OR new.deleted_at <> '' BEGIN
  DELETE FROM vectors WHERE id = old.id;
END;

CREATE TABLE prompts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sync_id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  content TEXT NOT NULL,
  owner TEXT NOT NULL DEFAULT '',
  project TEXT NOT NULL DEFAULT '',
  namespace TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL
);
CREATE INDEX prompts_recent ON prompts (created_at, id);
CREATE INDEX prompts_of_project ON prompts (project, created_at, id);
CREATE INDEX prompts_of_namespace ON prompts (namespace, created_at, id);
CREATE INDEX prompts_of_session ON prompts (session_id, created_at, id);

-- What a row was before a batch changed it, as JSON, its text apart: NULL if the text stayed. A row that the batch has made
-- has only its key. The triggers that write here are made from the columns of the tables (sqlite_batches.py).
CREATE TABLE batch_rows (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  batch INTEGER NOT NULL,
  before TEXT,
  content TEXT,
  PRIMARY KEY (kind, key, batch)
) WITHOUT ROWID;
CREATE INDEX batch_rows_of_batch ON batch_rows (batch);

-- How many there are of each kind. What only its owner may see is counted apart.
CREATE TABLE tallies (
  kind TEXT NOT NULL,
  project TEXT NOT NULL,
  owner TEXT NOT NULL DEFAULT '',
  scope TEXT NOT NULL DEFAULT '',
  type TEXT NOT NULL DEFAULT '',
  namespace TEXT NOT NULL DEFAULT '',
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, project, owner, scope, type, namespace)
) WITHOUT ROWID;

CREATE TABLE totals (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO totals (name, value) VALUES ('changes', 0);

-- The stems of a note, and whom it is for: a scope, or "@" and its owner. Passages are read and written through the view; the
-- texts are packed by functions of ours (sqlite_packed.py).
CREATE TABLE packed_passages (
  id INTEGER PRIMARY KEY REFERENCES notes (id) ON DELETE CASCADE,
  project TEXT NOT NULL,
  audience TEXT NOT NULL,
  length INTEGER NOT NULL,
  traits INTEGER NOT NULL,
  telling INTEGER NOT NULL,
  texts BLOB NOT NULL
);
-- For whoever may not see everything: whom each hit is for, and how long it is, without reading its text.
CREATE INDEX passages_seen ON packed_passages (id, audience, project, length);
CREATE VIEW passages AS SELECT id, project, audience, unpacked(texts, 'title') AS title, unpacked(texts, 'marks') AS marks,
  length, traits, telling, unpacked(texts, 'body') AS body FROM packed_passages;

-- How many passages there are for whom, and how many words they have.
CREATE TABLE passage_totals (
  project TEXT NOT NULL,
  audience TEXT NOT NULL,
  passages INTEGER NOT NULL,
  words INTEGER NOT NULL,
  PRIMARY KEY (project, audience)
) WITHOUT ROWID;

-- In how many passages each stem is, and for whom. The index knows its words only together with all their places.
CREATE TABLE vocabulary (
  stem TEXT NOT NULL,
  project TEXT NOT NULL,
  audience TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (stem, project, audience)
) WITHOUT ROWID;

-- Each stem once, with a number for the index of parts of words.
CREATE TABLE stems (
  id INTEGER PRIMARY KEY,
  stem TEXT NOT NULL UNIQUE
);

-- The full-text indexes. Stems go in as they are: what the tokenizer would fold is folded already.
-- Soft-deleted notes are taken out. With secure-delete no word of them stays in the file.
CREATE VIRTUAL TABLE passages_fts USING fts5(
  title, body, marks, content='passages', content_rowid='id', tokenize='unicode61 remove_diacritics 0'
);
CREATE VIRTUAL TABLE passages_terms USING fts5vocab('passages_fts', 'row');
CREATE VIRTUAL TABLE grams USING fts5(
  stem, content='stems', content_rowid='id', tokenize='trigram', detail='none', columnsize=0
);
-- Of a giant prompt the first part is indexed, as in PostgreSQL; the prompt itself is kept once.
CREATE VIEW indexed_prompts AS SELECT id, substr(content, 1, 100000) AS content FROM prompts;
CREATE VIRTUAL TABLE prompts_fts USING fts5(
  content, content='indexed_prompts', content_rowid='id', tokenize='porter unicode61'
);
INSERT INTO passages_fts (passages_fts, rank) VALUES ('rank', 'bm25(2.0, 1.0, 0.0)'), ('secure-delete', 1);
INSERT INTO grams (grams, rank) VALUES ('secure-delete', 1);
INSERT INTO prompts_fts (prompts_fts, rank) VALUES ('secure-delete', 1);

-- Passages: the index, the totals and the vocabulary follow them. A stem has no letter that JSON would escape.
-- Of a giant, the vocabulary has the beginning: whoever mistypes a word seldom means one from behind that.
CREATE TRIGGER passages_added INSTEAD OF INSERT ON passages BEGIN
  INSERT INTO packed_passages (id, project, audience, length, traits, telling, texts) VALUES (
    new.id, new.project, new.audience, new.length, new.traits, new.telling, packed(new.title, new.marks, new.body)
  );
  INSERT INTO passages_fts (rowid, title, body, marks) VALUES (new.id, new.title, new.body, new.marks);
  INSERT INTO passage_totals (project, audience, passages, words) VALUES (new.project, new.audience, 1, new.length)
    ON CONFLICT DO UPDATE SET passages = passages + 1, words = words + excluded.words;
  INSERT INTO vocabulary (stem, project, audience, count)
    SELECT DISTINCT value, new.project, new.audience, 1 FROM json_each(
      '["' || replace(new.title || ' ' || substr(new.body, 1, 100000), ' ', '","') || '"]'
    ) WHERE value <> ''
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER passages_removed INSTEAD OF DELETE ON passages BEGIN
  DELETE FROM packed_passages WHERE id = old.id;
END;
CREATE TRIGGER passages_moved INSTEAD OF UPDATE ON passages BEGIN
  DELETE FROM packed_passages WHERE id = old.id;
  INSERT INTO passages (id, project, audience, title, marks, length, traits, telling, body) VALUES (
    new.id, new.project, new.audience, new.title, new.marks, new.length, new.traits, new.telling, new.body
  );
END;
-- Also where a note is removed and its passage with it.
CREATE TRIGGER packed_passages_removed AFTER DELETE ON packed_passages BEGIN
  INSERT INTO passages_fts (passages_fts, rowid, title, body, marks) VALUES (
    'delete', old.id, unpacked(old.texts, 'title'), unpacked(old.texts, 'body'), unpacked(old.texts, 'marks')
  );
  UPDATE passage_totals SET passages = passages - 1, words = words - old.length
    WHERE project = old.project AND audience = old.audience;
  DELETE FROM vocabulary WHERE project = old.project AND audience = old.audience AND count = 1
    AND stem IN (SELECT value FROM json_each('["' || replace(
      unpacked(old.texts, 'title') || ' ' || substr(unpacked(old.texts, 'body'), 1, 100000), ' ', '","'
    ) || '"]'));
  UPDATE vocabulary SET count = count - 1 WHERE project = old.project AND audience = old.audience
    AND stem IN (SELECT value FROM json_each('["' || replace(
      unpacked(old.texts, 'title') || ' ' || substr(unpacked(old.texts, 'body'), 1, 100000), ' ', '","'
    ) || '"]'));
END;
CREATE TRIGGER vocabulary_added AFTER INSERT ON vocabulary BEGIN
  INSERT OR IGNORE INTO stems (stem) VALUES (new.stem);
END;
CREATE TRIGGER vocabulary_removed AFTER DELETE ON vocabulary BEGIN
  DELETE FROM stems WHERE stem = old.stem AND NOT EXISTS (SELECT 1 FROM vocabulary WHERE stem = old.stem);
END;
CREATE TRIGGER stems_added AFTER INSERT ON stems BEGIN
  INSERT INTO grams (rowid, stem) VALUES (new.id, new.stem);
END;
CREATE TRIGGER stems_removed AFTER DELETE ON stems BEGIN
  INSERT INTO grams (grams, rowid, stem) VALUES ('delete', old.id, old.stem);
END;

-- Notes: the tallies and the session follow them.
CREATE TRIGGER notes_added AFTER INSERT ON notes WHEN new.deleted_at = '' BEGIN
  INSERT INTO tallies (kind, project, owner, scope, type, namespace, count)
    VALUES ('note', new.project, CASE new.scope WHEN 'personal' THEN new.owner ELSE '' END, new.scope, new.type, new.namespace, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
  UPDATE sessions SET notes = notes + 1, active_at = coalesce(
    (SELECT max(created_at) FROM notes WHERE session_id = new.session_id AND deleted_at = ''), started_at
  ) WHERE id = new.session_id;
END;
CREATE TRIGGER notes_removed AFTER DELETE ON notes WHEN old.deleted_at = '' BEGIN
  UPDATE tallies SET count = count - 1 WHERE kind = 'note' AND project = old.project
    AND owner = CASE old.scope WHEN 'personal' THEN old.owner ELSE '' END
    AND scope = old.scope AND type = old.type AND namespace = old.namespace;
  UPDATE sessions SET notes = notes - 1, active_at = coalesce(
    (SELECT max(created_at) FROM notes WHERE session_id = old.session_id AND deleted_at = ''), started_at
  ) WHERE id = old.session_id;
END;
CREATE TRIGGER notes_moved AFTER UPDATE OF project, scope, type, namespace, owner ON notes
WHEN old.deleted_at = '' AND new.deleted_at = '' BEGIN
  UPDATE tallies SET count = count - 1 WHERE kind = 'note' AND project = old.project
    AND owner = CASE old.scope WHEN 'personal' THEN old.owner ELSE '' END
    AND scope = old.scope AND type = old.type AND namespace = old.namespace;
  INSERT INTO tallies (kind, project, owner, scope, type, namespace, count)
    VALUES ('note', new.project, CASE new.scope WHEN 'personal' THEN new.owner ELSE '' END, new.scope, new.type, new.namespace, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER notes_hidden AFTER UPDATE OF deleted_at ON notes
WHEN old.deleted_at = '' AND new.deleted_at <> '' BEGIN
  UPDATE tallies SET count = count - 1 WHERE kind = 'note' AND project = old.project
    AND owner = CASE old.scope WHEN 'personal' THEN old.owner ELSE '' END
    AND scope = old.scope AND type = old.type AND namespace = old.namespace;
  UPDATE sessions SET notes = notes - 1, active_at = coalesce(
    (SELECT max(created_at) FROM notes WHERE session_id = old.session_id AND deleted_at = ''), started_at
  ) WHERE id = old.session_id;
END;
CREATE TRIGGER notes_restored AFTER UPDATE OF deleted_at ON notes
WHEN old.deleted_at <> '' AND new.deleted_at = '' BEGIN
  INSERT INTO tallies (kind, project, owner, scope, type, namespace, count)
    VALUES ('note', new.project, CASE new.scope WHEN 'personal' THEN new.owner ELSE '' END, new.scope, new.type, new.namespace, 1)
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
  INSERT INTO prompts_fts (rowid, content) VALUES (new.id, substr(new.content, 1, 100000));
  INSERT INTO tallies (kind, project, owner, count) VALUES ('prompt', new.project, new.owner, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER prompts_removed AFTER DELETE ON prompts BEGIN
  INSERT INTO prompts_fts (prompts_fts, rowid, content) VALUES ('delete', old.id, substr(old.content, 1, 100000));
  UPDATE tallies SET count = count - 1 WHERE kind = 'prompt' AND project = old.project AND owner = old.owner;
END;
CREATE TRIGGER prompts_moved AFTER UPDATE OF project ON prompts WHEN old.project <> new.project BEGIN
  UPDATE tallies SET count = count - 1 WHERE kind = 'prompt' AND project = old.project AND owner = old.owner;
  INSERT INTO tallies (kind, project, owner, count) VALUES ('prompt', new.project, new.owner, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- Sync: a change is marked in the projects that take part. A memory that is not shared pays for one look into an empty table.
CREATE TRIGGER sync_note_added AFTER INSERT ON notes BEGIN
  INSERT INTO sync_changes (home, kind, key)
    SELECT project, 'note', new.sync_id FROM sync_homes WHERE project IN (new.project)
    ON CONFLICT (home, kind, key) DO NOTHING;
END;
CREATE TRIGGER sync_note_changed AFTER UPDATE ON notes BEGIN
  INSERT INTO sync_changes (home, kind, key)
    SELECT project, 'note', new.sync_id FROM sync_homes WHERE project IN (old.project, new.project)
    ON CONFLICT (home, kind, key) DO NOTHING;
END;
CREATE TRIGGER sync_note_removed AFTER DELETE ON notes BEGIN
  INSERT INTO sync_changes (home, kind, key)
    SELECT project, 'note', old.sync_id FROM sync_homes WHERE project IN (old.project)
    ON CONFLICT (home, kind, key) DO NOTHING;
END;
CREATE TRIGGER sync_session_added AFTER INSERT ON sessions BEGIN
  INSERT INTO sync_changes (home, kind, key)
    SELECT project, 'session', new.id FROM sync_homes WHERE project IN (new.project)
    ON CONFLICT (home, kind, key) DO NOTHING;
END;
CREATE TRIGGER sync_session_changed AFTER UPDATE OF project, namespace, started_at, ended_at, summary ON sessions BEGIN
  INSERT INTO sync_changes (home, kind, key)
    SELECT project, 'session', new.id FROM sync_homes WHERE project IN (old.project, new.project)
    ON CONFLICT (home, kind, key) DO NOTHING;
END;
CREATE TRIGGER sync_session_removed AFTER DELETE ON sessions BEGIN
  INSERT INTO sync_changes (home, kind, key)
    SELECT project, 'session', old.id FROM sync_homes WHERE project IN (old.project)
    ON CONFLICT (home, kind, key) DO NOTHING;
END;
CREATE TRIGGER sync_prompt_added AFTER INSERT ON prompts BEGIN
  INSERT INTO sync_changes (home, kind, key)
    SELECT project, 'prompt', new.sync_id FROM sync_homes WHERE project IN (new.project)
    ON CONFLICT (home, kind, key) DO NOTHING;
END;
CREATE TRIGGER sync_prompt_removed AFTER DELETE ON prompts BEGIN
  INSERT INTO sync_changes (home, kind, key)
    SELECT project, 'prompt', old.sync_id FROM sync_homes WHERE project IN (old.project)
    ON CONFLICT (home, kind, key) DO NOTHING;
END;
CREATE TRIGGER sync_edge_added AFTER INSERT ON relations BEGIN
  INSERT INTO sync_changes (home, kind, key)
    SELECT project, 'edges', (SELECT sync_id FROM notes WHERE id = new.from_id) FROM sync_homes WHERE project IN ((SELECT project FROM notes WHERE id = new.from_id))
    ON CONFLICT (home, kind, key) DO NOTHING;
END;
CREATE TRIGGER sync_edge_changed AFTER UPDATE ON relations BEGIN
  INSERT INTO sync_changes (home, kind, key)
    SELECT project, 'edges', (SELECT sync_id FROM notes WHERE id = new.from_id) FROM sync_homes WHERE project IN ((SELECT project FROM notes WHERE id = new.from_id))
    ON CONFLICT (home, kind, key) DO NOTHING;
END;
CREATE TRIGGER sync_edge_removed AFTER DELETE ON relations BEGIN
  INSERT INTO sync_changes (home, kind, key)
    SELECT project, 'edges', (SELECT sync_id FROM notes WHERE id = old.from_id) FROM sync_homes WHERE project IN ((SELECT project FROM notes WHERE id = old.from_id))
    ON CONFLICT (home, kind, key) DO NOTHING;
END;
