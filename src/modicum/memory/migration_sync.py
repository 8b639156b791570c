"""A step in SQLite: what `sync` agrees on with other machines, and marks on what has changed since.

Only projects that take part are written down when they change, so that a memory that is not shared pays nothing.
"""

import apsw

SYNC = """
CREATE TABLE sync_homes (project TEXT PRIMARY KEY);
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
  id INTEGER PRIMARY KEY AUTOINCREMENT,
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
"""

# (name, event, kind, key, projects): the row marks its key as changed for those of the projects that take part.
_FROM = "(SELECT sync_id FROM observations WHERE id = {row}.from_id)"
_HOME = "(SELECT project FROM observations WHERE id = {row}.from_id)"
_MARKS = (
    ("note_added", "INSERT ON observations", "note", "new.sync_id", "new.project"),
    ("note_changed", "UPDATE ON observations", "note", "new.sync_id", "old.project, new.project"),
    ("note_removed", "DELETE ON observations", "note", "old.sync_id", "old.project"),
    ("session_added", "INSERT ON sessions", "session", "new.id", "new.project"),
    (
        "session_changed",
        "UPDATE OF project, namespace, started_at, ended_at, summary ON sessions",
        "session",
        "new.id",
        "old.project, new.project",
    ),
    ("session_removed", "DELETE ON sessions", "session", "old.id", "old.project"),
    ("prompt_added", "INSERT ON prompts", "prompt", "new.sync_id", "new.project"),
    ("prompt_removed", "DELETE ON prompts", "prompt", "old.sync_id", "old.project"),
    ("edge_added", "INSERT ON relations", "edges", _FROM.format(row="new"), _HOME.format(row="new")),
    ("edge_changed", "UPDATE ON relations", "edges", _FROM.format(row="new"), _HOME.format(row="new")),
    ("edge_removed", "DELETE ON relations", "edges", _FROM.format(row="old"), _HOME.format(row="old")),
)


def share(connection: apsw.Connection) -> None:
    connection.execute(SYNC)
    for name, event, kind, key, projects in _MARKS:
        connection.execute(f"""
        CREATE TRIGGER sync_{name} AFTER {event} BEGIN
          INSERT INTO sync_changes (home, kind, key)
            SELECT project, '{kind}', {key} FROM sync_homes WHERE project IN ({projects})
            ON CONFLICT (home, kind, key) DO NOTHING;
        END
        """)  # noqa: S608 - from the table above


# The same step for PostgreSQL.
POSTGRES = """
CREATE TABLE sync_homes (project TEXT COLLATE "C" PRIMARY KEY);
CREATE TABLE sync_states (
  kind TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  home TEXT COLLATE "C" NOT NULL,
  one TEXT COLLATE "C" NOT NULL DEFAULT '',
  other TEXT COLLATE "C" NOT NULL DEFAULT '',
  state TEXT NOT NULL,
  PRIMARY KEY (kind, key, home)
);
CREATE INDEX sync_states_of_home ON sync_states (home, kind, key);
CREATE INDEX sync_edges_from ON sync_states (one) WHERE kind = 'edge';
CREATE INDEX sync_edges_to ON sync_states (other) WHERE kind = 'edge';
CREATE TABLE sync_changes (
  home TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (home, kind, key)
);
CREATE TABLE sync_outbox (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  home TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  record TEXT NOT NULL
);
CREATE INDEX sync_outbox_of_key ON sync_outbox (home, kind, key);
CREATE TABLE sync_chunks (
  home TEXT COLLATE "C" NOT NULL,
  chunk TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (home, chunk)
);

CREATE FUNCTION sync_mark(what TEXT, changed TEXT, VARIADIC projects TEXT[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO sync_changes (home, kind, key)
    SELECT project, what, changed FROM sync_homes WHERE project = ANY (projects)
    ON CONFLICT (home, kind, key) DO NOTHING
$$;
CREATE FUNCTION sync_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE was jsonb := to_jsonb(old); now jsonb := to_jsonb(new); one jsonb := coalesce(now, was); BEGIN
  PERFORM sync_mark(TG_ARGV[0], one ->> TG_ARGV[1], was ->> 'project', now ->> 'project');
  RETURN NULL;
END $$;
CREATE FUNCTION sync_edge() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE number BIGINT := CASE TG_OP WHEN 'DELETE' THEN old.from_id ELSE new.from_id END; BEGIN
  PERFORM sync_mark('edges', sync_id, project) FROM observations WHERE id = number;
  RETURN NULL;
END $$;
CREATE TRIGGER sync_note AFTER INSERT OR UPDATE OR DELETE ON observations
  FOR EACH ROW EXECUTE FUNCTION sync_row('note', 'sync_id');
CREATE TRIGGER sync_session AFTER INSERT OR DELETE OR UPDATE OF project, namespace, started_at, ended_at, summary
  ON sessions FOR EACH ROW EXECUTE FUNCTION sync_row('session', 'id');
CREATE TRIGGER sync_prompt AFTER INSERT OR DELETE ON prompts
  FOR EACH ROW EXECUTE FUNCTION sync_row('prompt', 'sync_id');
CREATE TRIGGER sync_edge AFTER INSERT OR UPDATE OR DELETE ON relations FOR EACH ROW EXECUTE FUNCTION sync_edge();
"""
