-- Tables that are the same in SQLite and PostgreSQL. {id} is a number that the database gives.
-- PostgreSQL compares every TEXT here by its bytes, as SQLite does: the loader adds COLLATE "C".

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL DEFAULT '',
  directory TEXT NOT NULL DEFAULT '',
  namespace TEXT NOT NULL DEFAULT '',
  started_at TEXT NOT NULL,
  ended_at TEXT NOT NULL DEFAULT '',
  summary TEXT NOT NULL DEFAULT '',
  notes INTEGER NOT NULL DEFAULT 0,
  active_at TEXT NOT NULL,
  told_by TEXT NOT NULL DEFAULT ''
);
CREATE INDEX sessions_recent ON sessions (active_at, id);
CREATE INDEX sessions_of_project ON sessions (project, active_at, id);
CREATE INDEX sessions_of_namespace ON sessions (namespace, active_at, id);
CREATE INDEX sessions_of_folder ON sessions (project, directory);

CREATE TABLE progress (
  id {id},
  project TEXT NOT NULL,
  namespace TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL,
  revision_count INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (project, namespace)
);

-- Projects: the id is what `project` means in every other table; name and owner are what is shown. An id without a row is a name
-- that somebody gave. Keys are how a folder finds its project; of a place, the clone that was there, and its first commit.
CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  owner TEXT NOT NULL DEFAULT ''
);
CREATE INDEX projects_of_name ON projects (name);
CREATE TABLE project_keys (
  id {id},
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  project TEXT NOT NULL,
  clone TEXT NOT NULL DEFAULT '',
  root TEXT NOT NULL DEFAULT '',
  UNIQUE (kind, value, project)
);
CREATE INDEX project_keys_of_project ON project_keys (project);
CREATE INDEX project_keys_of_clone ON project_keys (clone) WHERE clone <> '';

-- Of a token only the hash. Lists are one text, a line each. Its purpose says as whom it speaks: agent, person or script.
CREATE TABLE tokens (
  id {id},
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  projects TEXT NOT NULL DEFAULT '',
  reads TEXT NOT NULL DEFAULT '',
  scopes TEXT NOT NULL DEFAULT '',
  read_only INTEGER NOT NULL DEFAULT 0,
  purpose TEXT NOT NULL DEFAULT 'agent',
  created_at TEXT NOT NULL,
  revoked_at TEXT NOT NULL DEFAULT ''
);
CREATE INDEX tokens_of_name ON tokens (name);

-- Who did what. It names things and holds nothing of them.
CREATE TABLE audit (
  id {id},
  at TEXT NOT NULL,
  person TEXT NOT NULL,
  action TEXT NOT NULL,
  kind TEXT NOT NULL,
  item TEXT NOT NULL,
  project TEXT NOT NULL DEFAULT '',
  owner TEXT NOT NULL DEFAULT ''
);
CREATE INDEX audit_of_person ON audit (person, id);
CREATE INDEX audit_of_project ON audit (project, id);

-- Batches: each change of memory, whose rows `batch_rows` keeps as they were. Only within a transaction is one open.
CREATE TABLE batches (
  id {id},
  at TEXT NOT NULL,
  person TEXT NOT NULL DEFAULT '',
  source TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL,
  undoes BIGINT NOT NULL DEFAULT 0,
  open INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX batches_of_person ON batches (person, id);
CREATE INDEX batches_open ON batches (open) WHERE open = 1;
CREATE INDEX batches_undoing ON batches (undoes) WHERE undoes > 0;

-- Sync: the projects that take part, what was agreed on, what has changed since, what is to be sent, what was read.
CREATE TABLE sync_homes (project TEXT PRIMARY KEY, machine TEXT NOT NULL);
-- The machines whose word counts here as that of their people, since a person here has confirmed them.
CREATE TABLE sync_machines (
  home TEXT NOT NULL,
  machine TEXT NOT NULL,
  PRIMARY KEY (home, machine)
);
CREATE TABLE sync_states (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  home TEXT NOT NULL,
  one TEXT NOT NULL DEFAULT '',
  other TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL,
  PRIMARY KEY (kind, key, home)
);
CREATE INDEX sync_states_of_home ON sync_states (home, kind, key);
CREATE INDEX sync_edges_from ON sync_states (one) WHERE kind = 'edge';
CREATE INDEX sync_edges_to ON sync_states (other) WHERE kind = 'edge';
CREATE TABLE sync_changes (
  home TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (home, kind, key)
);
CREATE TABLE sync_outbox (
  id {id},
  home TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  record TEXT NOT NULL
);
CREATE INDEX sync_outbox_of_key ON sync_outbox (home, kind, key);
CREATE TABLE sync_chunks (
  home TEXT NOT NULL,
  chunk TEXT NOT NULL,
  PRIMARY KEY (home, chunk)
);
