"""The second step in SQLite: who owns a note, tokens of people, and what they did."""

import apsw

COLUMNS = """
ALTER TABLE notes ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE prompts ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE passages ADD COLUMN project TEXT NOT NULL DEFAULT '';
UPDATE passages SET project = (SELECT project FROM notes WHERE notes.id = passages.id);

CREATE TABLE tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  projects TEXT NOT NULL DEFAULT '',
  reads TEXT NOT NULL DEFAULT '',
  scopes TEXT NOT NULL DEFAULT '',
  read_only INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  revoked_at TEXT NOT NULL DEFAULT ''
);
CREATE INDEX tokens_of_name ON tokens (name);

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
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
"""

# What only its owner may see is counted apart.
TALLIES = """
CREATE TEMP TABLE counted AS SELECT kind, project, scope, type, namespace, count FROM main.tallies;
DROP TABLE main.tallies;
CREATE TABLE main.tallies (
  kind TEXT NOT NULL,
  project TEXT NOT NULL,
  owner TEXT NOT NULL DEFAULT '',
  scope TEXT NOT NULL DEFAULT '',
  type TEXT NOT NULL DEFAULT '',
  namespace TEXT NOT NULL DEFAULT '',
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, project, owner, scope, type, namespace)
) WITHOUT ROWID;
INSERT INTO main.tallies (kind, project, scope, type, namespace, count)
  SELECT kind, project, scope, type, namespace, count FROM temp.counted;
DROP TABLE temp.counted;
"""

_OWNER = "CASE {row}.scope WHEN 'personal' THEN {row}.owner ELSE '' END"
_MORE = """
  INSERT INTO tallies (kind, project, owner, scope, type, namespace, count)
    VALUES ('note', new.project, {new}, new.scope, new.type, new.namespace, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
"""
_LESS = """
  UPDATE tallies SET count = count - 1 WHERE kind = 'note' AND project = old.project AND owner = {old}
    AND scope = old.scope AND type = old.type AND namespace = old.namespace;
"""
_IN_SESSION = """
  UPDATE sessions SET notes = notes {change}, active_at = coalesce(
    (SELECT max(created_at) FROM notes WHERE session_id = {row}.session_id AND deleted_at = ''), started_at
  ) WHERE id = {row}.session_id;
"""
_GRAMS = "INSERT INTO grams (rowid, title, content) VALUES (new.id, new.title, new.content);"
_NO_GRAMS = (
    "INSERT INTO grams (grams, rowid, title, content) VALUES ('delete', old.id, old.title, old.content);"
)
_COMES = _GRAMS + _MORE + _IN_SESSION.format(change="+ 1", row="new")
_GOES = _NO_GRAMS + _LESS + _IN_SESSION.format(change="- 1", row="old")

_LIVE = "WHEN old.deleted_at = '' AND new.deleted_at = ''"
TRIGGERS = {
    "notes_added": f"AFTER INSERT ON notes WHEN new.deleted_at = '' BEGIN {_COMES} END",
    "notes_removed": f"AFTER DELETE ON notes WHEN old.deleted_at = '' BEGIN {_GOES} END",
    "notes_moved": f"AFTER UPDATE OF project, scope, type, namespace, owner ON notes {_LIVE} BEGIN {_LESS} {_MORE} END",
    "notes_hidden": "AFTER UPDATE OF deleted_at ON notes "
    f"WHEN old.deleted_at = '' AND new.deleted_at <> '' BEGIN {_GOES} END",
    "notes_restored": "AFTER UPDATE OF deleted_at ON notes "
    f"WHEN old.deleted_at <> '' AND new.deleted_at = '' BEGIN {_COMES} END",
    "prompts_added": """AFTER INSERT ON prompts BEGIN
      INSERT INTO prompts_fts (rowid, content) VALUES (new.id, new.content);
      INSERT INTO tallies (kind, project, owner, count) VALUES ('prompt', new.project, new.owner, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
    END""",
    "prompts_removed": """AFTER DELETE ON prompts BEGIN
      INSERT INTO prompts_fts (prompts_fts, rowid, content) VALUES ('delete', old.id, old.content);
      UPDATE tallies SET count = count - 1 WHERE kind = 'prompt' AND project = old.project AND owner = old.owner;
    END""",
    "prompts_moved": """AFTER UPDATE OF project ON prompts WHEN old.project <> new.project BEGIN
      UPDATE tallies SET count = count - 1 WHERE kind = 'prompt' AND project = old.project AND owner = old.owner;
      INSERT INTO tallies (kind, project, owner, count) VALUES ('prompt', new.project, new.owner, 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
    END""",
}


def add_people(connection: apsw.Connection) -> None:
    """Nothing that is there has an owner, and stays everybody's."""
    connection.execute(COLUMNS)
    connection.execute(TALLIES)
    for name, text in TRIGGERS.items():
        owners = {row: _OWNER.format(row=row) for row in ("new", "old")}
        connection.execute(f"DROP TRIGGER {name}")
        connection.execute(f"CREATE TRIGGER {name} {text.format(**owners)}")
