-- The rest of the schema in PostgreSQL, after shared.sql. {schema} is the schema it is made in, {people} the role of whoever
-- may not see everything. Text is compared by its bytes, as in SQLite: the loader adds COLLATE "C" to the columns.

-- Stems go in as they are. A place in the vector only tells how often a stem is there, and with an A that it is in the
-- title; phrases are looked up in the text. A vector holds 1 MB, and a stem of it 2 kB: the rest of a giant is left out.
CREATE TEXT SEARCH DICTIONARY porter (TEMPLATE = pg_catalog.snowball, LANGUAGE = porter);
CREATE TEXT SEARCH CONFIGURATION prompt_words (COPY = pg_catalog.simple);
ALTER TEXT SEARCH CONFIGURATION prompt_words
  ALTER MAPPING FOR asciiword, word, hword, hword_part, asciihword, hword_asciipart WITH {schema}.porter;

CREATE FUNCTION words_of(title TEXT, body TEXT, marks TEXT) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN RETURN (
  SELECT CAST(coalesce(string_agg(word || places, ' '), '') AS tsvector) FROM (
    SELECT '''' || word || '''' AS word, CASE WHEN in_title + in_body = 0 THEN '' ELSE ':' || concat_ws(
      ',', CASE WHEN in_title > 0 THEN left('1A,2A,3A', 3 * in_title - 1) END,
      CASE WHEN in_body > 0 THEN left('4,5,6,7,8', 2 * in_body - 1) END
    ) END AS places, sum(octet_length(word) + 20) OVER (ORDER BY marked DESC, first) AS room
    FROM (
      SELECT left(word, 400) AS word, CAST(least(3, count(*) FILTER (WHERE part = 1)) AS INTEGER) AS in_title,
        CAST(least(5, count(*) FILTER (WHERE part = 2)) AS INTEGER) AS in_body, max(part) = 3 AS marked, min(place) AS first
      FROM (
        SELECT 1 AS part, word, place FROM unnest(string_to_array(title, ' ')) WITH ORDINALITY AS t (word, place)
        UNION ALL
        SELECT 2, word, place FROM unnest(string_to_array(body, ' ')) WITH ORDINALITY AS t (word, place)
        UNION ALL
        SELECT 3, word, place FROM unnest(string_to_array(marks, ' ')) WITH ORDINALITY AS t (word, place)
      ) AS every WHERE word <> '' GROUP BY left(word, 400)
    ) AS once
  ) AS sized WHERE room < 900000
); END $$;

-- Notes. They and their passages are split by project, so that a question about one project touches one part.
CREATE SEQUENCE note_ids;
CREATE TABLE notes (
  id BIGINT NOT NULL DEFAULT nextval('note_ids'),
  sync_id TEXT NOT NULL,
  public_id BIGINT NOT NULL,
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
  hash BIGINT NOT NULL,
  standing INTEGER NOT NULL,
  position INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (id, project),
  UNIQUE (sync_id, project)
) PARTITION BY HASH (project);
CREATE INDEX recent ON notes (created_at, id) WHERE deleted_at = '';
CREATE INDEX recent_of_project ON notes (project, created_at, id) WHERE deleted_at = '';
CREATE INDEX leading_of_project ON notes (project, created_at, id) WHERE deleted_at = '' AND origin <> 'script';
CREATE INDEX recent_of_scope ON notes (scope, created_at, id) WHERE deleted_at = '';
CREATE INDEX recent_of_type ON notes (type, created_at, id) WHERE deleted_at = '';
CREATE INDEX recent_of_project_scope ON notes (project, scope, created_at, id) WHERE deleted_at = '';
CREATE INDEX recent_of_project_type ON notes (project, type, created_at, id) WHERE deleted_at = '';
CREATE INDEX recent_of_namespace ON notes (namespace, created_at, id) WHERE deleted_at = '';
CREATE INDEX of_session ON notes (session_id, created_at, id) WHERE deleted_at = '';
CREATE INDEX pinned ON notes (pinned, created_at, id) WHERE deleted_at = '' AND pinned = 1;
CREATE INDEX of_topic ON notes (topic_key, project, scope, namespace, updated_at, id)
  WHERE deleted_at = '' AND topic_key <> '';
CREATE INDEX of_origin ON notes (project, origin) WHERE deleted_at = '';
CREATE INDEX deleted ON notes (deleted_at, id) WHERE deleted_at <> '';
CREATE INDEX of_hash ON notes (hash, project) WHERE deleted_at = '';
CREATE INDEX positions ON notes (session_id, position);
CREATE INDEX of_public_id ON notes (public_id);
CREATE INDEX grams ON notes USING gin (content gin_trgm_ops, title gin_trgm_ops) WHERE deleted_at = '';

CREATE TABLE revisions (
  note_id BIGINT NOT NULL,
  number INTEGER NOT NULL,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  saved_at TEXT NOT NULL,
  PRIMARY KEY (note_id, number)
);

-- The inbox: notes that wait for a person, each with the reason. They are deleted until one accepts them, so that nothing reads them.
CREATE TABLE waiting (
  note_id BIGINT PRIMARY KEY,
  reason TEXT NOT NULL,
  said_by BIGINT NOT NULL DEFAULT 0
);

-- Keys by which a new note is compared with few that are there: hashes of its title and of words in a row.
CREATE TABLE note_keys (
  key BIGINT NOT NULL,
  note_id BIGINT NOT NULL,
  PRIMARY KEY (key, note_id)
);
CREATE INDEX keys_of_note ON note_keys (note_id);

CREATE TABLE relations (
  id {id},
  from_id BIGINT NOT NULL,
  to_id BIGINT NOT NULL,
  type TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  UNIQUE (from_id, to_id, type)
);
CREATE INDEX relations_back ON relations (to_id);

CREATE TABLE prompts (
  id {id},
  sync_id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  content TEXT NOT NULL,
  owner TEXT NOT NULL DEFAULT '',
  project TEXT NOT NULL DEFAULT '',
  namespace TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  words TSVECTOR NOT NULL GENERATED ALWAYS AS (to_tsvector('{schema}.prompt_words', left(content, 100000))) STORED
);
CREATE INDEX prompts_recent ON prompts (created_at, id);
CREATE INDEX prompts_of_project ON prompts (project, created_at, id);
CREATE INDEX prompts_of_namespace ON prompts (namespace, created_at, id);
CREATE INDEX prompts_of_session ON prompts (session_id, created_at, id);
CREATE INDEX prompts_words ON prompts USING gin (words);

-- What a row was before a batch changed it, as JSON, its text apart: NULL if the text stayed. A row that the batch has made
-- has only its key.
CREATE TABLE batch_rows (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  batch BIGINT NOT NULL,
  before TEXT,
  content TEXT,
  PRIMARY KEY (batch, kind, key)
);
CREATE INDEX batch_rows_of_key ON batch_rows (kind, key);

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
) WITH (fillfactor = 50);

-- Each writer counts in a row of its own, or all would wait for whoever has the one row there is.
CREATE TABLE counters (
  name TEXT NOT NULL,
  writer INTEGER NOT NULL,
  value BIGINT NOT NULL,
  PRIMARY KEY (name, writer)
) WITH (fillfactor = 50);
INSERT INTO counters (name, writer, value) VALUES ('changes', 0, 0);
CREATE VIEW totals AS SELECT name, CAST(sum(value) AS BIGINT) AS value FROM counters GROUP BY name;
CREATE FUNCTION totals_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO counters (name, writer, value) VALUES (new.name, pg_backend_pid() % 32, new.value - old.value)
  ON CONFLICT (name, writer) DO UPDATE SET value = counters.value + excluded.value;
  RETURN new;
END $$;
CREATE TRIGGER totals_changed INSTEAD OF UPDATE ON totals FOR EACH ROW EXECUTE FUNCTION totals_changed();

-- The stems of a note, and whom it is for: a scope, or "@" and its owner.
CREATE TABLE passages (
  id BIGINT NOT NULL,
  project TEXT NOT NULL,
  audience TEXT NOT NULL,
  title TEXT NOT NULL,
  marks TEXT NOT NULL,
  length INTEGER NOT NULL,
  traits INTEGER NOT NULL,
  telling INTEGER NOT NULL,
  body TEXT NOT NULL,
  words TSVECTOR NOT NULL GENERATED ALWAYS AS ({schema}.words_of(title, body, marks)) STORED,
  PRIMARY KEY (id, project)
) PARTITION BY HASH (project);
CREATE INDEX passages_words ON passages USING gin (words);

DO $$ BEGIN
  FOR part IN 0..7 LOOP
    EXECUTE format('CREATE TABLE notes_%s PARTITION OF notes FOR VALUES WITH (MODULUS 8, REMAINDER %s)', part, part);
    EXECUTE format('CREATE TABLE passages_%s PARTITION OF passages FOR VALUES WITH (MODULUS 8, REMAINDER %s)', part, part);
  END LOOP;
END $$;

-- What a note means: signed bytes that a sentence model made. A note without a row here waits for its turn, or there is no
-- model. A vector goes with what it was made of. Where pgvector is there, the server compares them, otherwise whoever asks.
CREATE TABLE vectors (
  id BIGINT PRIMARY KEY,
  model TEXT NOT NULL,
  vector BYTEA NOT NULL
);
CREATE FUNCTION vector_outdated() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM vectors WHERE id = old.id;
  RETURN NULL;
END $$;
CREATE TRIGGER vector_outdated AFTER UPDATE ON notes FOR EACH ROW
  WHEN (old.title <> new.title OR old.content <> new.content OR old.author <> new.author OR new.deleted_at <> '')
  EXECUTE FUNCTION vector_outdated();
DO $$ BEGIN
  BEGIN
    CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;
  EXCEPTION WHEN OTHERS THEN NULL;  -- it is not there, or the user of the URL may not
  END;
  IF to_regtype('halfvec') IS NOT NULL THEN
    CREATE FUNCTION numbers_of(vector BYTEA) RETURNS halfvec LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $numbers$
      SELECT CAST(CAST(ARRAY(
        SELECT (get_byte(vector, at) + 128) % 256 - 128 FROM generate_series(0, length(vector) - 1) AS at ORDER BY at
      ) AS REAL[]) AS halfvec)
    $numbers$;
    ALTER TABLE vectors ADD COLUMN numbers halfvec GENERATED ALWAYS AS ({schema}.numbers_of(vector)) STORED;
  END IF;
END $$;

-- How often each stem occurs, and how many passages and words there are, for whom. What changed is news first, one row for
-- each passage, until somebody adds it up: so writers do not wait for one another.
CREATE TABLE vocabulary (
  stem TEXT NOT NULL,
  project TEXT NOT NULL,
  audience TEXT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (stem, project, audience)
);
CREATE INDEX vocabulary_unused ON vocabulary (stem) WHERE count <= 0;
CREATE TABLE passage_totals (
  project TEXT NOT NULL,
  audience TEXT NOT NULL,
  passages BIGINT NOT NULL,
  words BIGINT NOT NULL,
  PRIMARY KEY (project, audience)
);
CREATE TABLE vocabulary_news (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project TEXT NOT NULL,
  audience TEXT NOT NULL,
  stems TEXT[] NOT NULL,
  length INTEGER NOT NULL,
  change INTEGER NOT NULL
);
CREATE FUNCTION add_up_news() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext(current_schema()), hashtext('vocabulary')) THEN
    RETURN;
  END IF;
  WITH news AS (DELETE FROM vocabulary_news RETURNING project, audience, stems, length, change),
  added AS (
    INSERT INTO passage_totals AS known (project, audience, passages, words)
      SELECT project, audience, sum(change), sum(change * length) FROM news GROUP BY project, audience
      ON CONFLICT (project, audience) DO UPDATE
        SET passages = known.passages + excluded.passages, words = known.words + excluded.words
  )
  INSERT INTO vocabulary AS known (stem, project, audience, count)
    SELECT stem, project, audience, sum(change) FROM news, unnest(stems) AS each (stem)
    WHERE NOT starts_with(stem, 'ǂ') GROUP BY stem, project, audience
    ON CONFLICT (stem, project, audience) DO UPDATE SET count = known.count + excluded.count;
  DELETE FROM vocabulary WHERE count <= 0;
END $$;

-- What follows from a change: tallies, sessions, what hangs on a note that is gone, news for the vocabulary.
CREATE FUNCTION tally(
  kind TEXT, project TEXT, owner TEXT, scope TEXT, type TEXT, namespace TEXT, change INTEGER
) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO tallies (kind, project, owner, scope, type, namespace, count)
  VALUES (kind, project, owner, scope, type, namespace, change)
  ON CONFLICT (kind, project, owner, scope, type, namespace) DO UPDATE SET count = tallies.count + excluded.count;
END $$;
CREATE FUNCTION private_to(scope TEXT, owner TEXT) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE scope WHEN 'personal' THEN owner ELSE '' END
$$;

CREATE FUNCTION note_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM keep_counting('note_ids', new.id);
  IF new.deleted_at = '' THEN
    PERFORM tally('note', new.project, private_to(new.scope, new.owner), new.scope, new.type, new.namespace, 1);
    UPDATE sessions SET notes = notes + 1,
      active_at = CASE notes WHEN 0 THEN new.created_at ELSE greatest(active_at, new.created_at) END
    WHERE id = new.session_id;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION note_left(gone notes) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  PERFORM tally('note', gone.project, private_to(gone.scope, gone.owner), gone.scope, gone.type, gone.namespace, -1);
  UPDATE sessions SET notes = notes - 1, active_at = coalesce(
    (SELECT max(created_at) FROM notes WHERE session_id = gone.session_id AND deleted_at = ''), started_at
  ) WHERE id = gone.session_id;
END $$;
CREATE FUNCTION note_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF old.deleted_at = '' THEN PERFORM note_left(old); END IF;
  -- One that only went to another part of the table is still there.
  IF NOT EXISTS (SELECT 1 FROM notes WHERE id = old.id) THEN
    DELETE FROM passages WHERE id = old.id;
    DELETE FROM note_keys WHERE note_id = old.id;
    DELETE FROM revisions WHERE note_id = old.id;
    DELETE FROM waiting WHERE note_id = old.id;
    DELETE FROM relations WHERE from_id = old.id OR to_id = old.id;
    DELETE FROM vectors WHERE id = old.id;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION note_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF old.deleted_at = '' AND new.deleted_at <> '' THEN
    PERFORM note_left(old);
  ELSIF old.deleted_at <> '' AND new.deleted_at = '' THEN
    PERFORM tally('note', new.project, private_to(new.scope, new.owner), new.scope, new.type, new.namespace, 1);
    UPDATE sessions SET notes = notes + 1,
      active_at = CASE notes WHEN 0 THEN new.created_at ELSE greatest(active_at, new.created_at) END
    WHERE id = new.session_id;
  ELSIF new.deleted_at = '' THEN
    PERFORM tally('note', old.project, private_to(old.scope, old.owner), old.scope, old.type, old.namespace, -1);
    PERFORM tally('note', new.project, private_to(new.scope, new.owner), new.scope, new.type, new.namespace, 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER note_added AFTER INSERT ON notes FOR EACH ROW EXECUTE FUNCTION note_added();
CREATE TRIGGER note_removed AFTER DELETE ON notes FOR EACH ROW EXECUTE FUNCTION note_removed();
CREATE TRIGGER note_changed AFTER UPDATE ON notes FOR EACH ROW
  WHEN ((old.deleted_at, old.project, old.scope, old.type, old.namespace, old.owner)
    IS DISTINCT FROM (new.deleted_at, new.project, new.scope, new.type, new.namespace, new.owner))
  EXECUTE FUNCTION note_changed();

CREATE FUNCTION passage_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO vocabulary_news (project, audience, stems, length, change)
      VALUES (old.project, old.audience, tsvector_to_array(old.words), old.length, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO vocabulary_news (project, audience, stems, length, change)
      VALUES (new.project, new.audience, tsvector_to_array(new.words), new.length, 1);
  END IF;
  IF lastval() % 32 = 0 THEN PERFORM add_up_news(); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER passage_changed AFTER INSERT OR DELETE ON passages FOR EACH ROW EXECUTE FUNCTION passage_changed();
CREATE TRIGGER passage_moved AFTER UPDATE OF project ON passages FOR EACH ROW
  WHEN (old.project <> new.project) EXECUTE FUNCTION passage_changed();

CREATE FUNCTION session_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM tally('session', old.project, '', '', '', '', -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM tally('session', new.project, '', '', '', '', 1); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER session_counted AFTER INSERT OR DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION session_changed();
CREATE TRIGGER session_moved AFTER UPDATE OF project ON sessions FOR EACH ROW
  WHEN (old.project <> new.project) EXECUTE FUNCTION session_changed();

CREATE FUNCTION prompt_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM tally('prompt', old.project, old.owner, '', '', '', -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM tally('prompt', new.project, new.owner, '', '', '', 1); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER prompt_counted AFTER INSERT OR DELETE ON prompts FOR EACH ROW EXECUTE FUNCTION prompt_changed();
CREATE TRIGGER prompt_moved AFTER UPDATE OF project ON prompts FOR EACH ROW
  WHEN (old.project <> new.project) EXECUTE FUNCTION prompt_changed();

-- A row that comes with an id of its own: the ids that the database gives go on behind it.
CREATE FUNCTION keep_counting(ids TEXT, number BIGINT) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  IF number > coalesce(pg_sequence_last_value(CAST(ids AS regclass)), 0) THEN PERFORM setval(ids, number); END IF;
END $$;
CREATE FUNCTION numbered() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM keep_counting(pg_get_serial_sequence(TG_RELID::regclass::text, 'id'), new.id);
  RETURN NULL;
END $$;
CREATE TRIGGER prompts_numbered AFTER INSERT ON prompts FOR EACH ROW EXECUTE FUNCTION numbered();
CREATE TRIGGER relations_numbered AFTER INSERT ON relations FOR EACH ROW EXECUTE FUNCTION numbered();
CREATE TRIGGER progress_numbered AFTER INSERT ON progress FOR EACH ROW EXECUTE FUNCTION numbered();
CREATE TRIGGER tokens_numbered AFTER INSERT ON tokens FOR EACH ROW EXECUTE FUNCTION numbered();
CREATE TRIGGER audit_numbered AFTER INSERT ON audit FOR EACH ROW EXECUTE FUNCTION numbered();
CREATE TRIGGER sync_outbox_numbered AFTER INSERT ON sync_outbox FOR EACH ROW EXECUTE FUNCTION numbered();

-- Sync: a change is marked in the projects that take part.
CREATE FUNCTION sync_mark(what TEXT, changed TEXT, VARIADIC projects TEXT[]) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO sync_changes (home, kind, key)
    SELECT project, what, changed FROM sync_homes WHERE project = ANY (projects)
    ON CONFLICT (home, kind, key) DO NOTHING;
END $$;
CREATE FUNCTION sync_row() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE was jsonb; now jsonb; BEGIN
  -- A row as JSON costs as much as the rest of a save.
  IF EXISTS (SELECT 1 FROM sync_homes) THEN
    was := to_jsonb(old); now := to_jsonb(new);
    PERFORM sync_mark(TG_ARGV[0], coalesce(now, was) ->> TG_ARGV[1], was ->> 'project', now ->> 'project');
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION sync_edge() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE number BIGINT := CASE TG_OP WHEN 'DELETE' THEN old.from_id ELSE new.from_id END; BEGIN
  PERFORM sync_mark('edges', sync_id, project) FROM notes WHERE id = number;
  RETURN NULL;
END $$;
CREATE TRIGGER sync_note AFTER INSERT OR UPDATE OR DELETE ON notes
  FOR EACH ROW EXECUTE FUNCTION sync_row('note', 'sync_id');
CREATE TRIGGER sync_session AFTER INSERT OR DELETE OR UPDATE OF project, namespace, started_at, ended_at, summary
  ON sessions FOR EACH ROW EXECUTE FUNCTION sync_row('session', 'id');
CREATE TRIGGER sync_prompt AFTER INSERT OR DELETE ON prompts
  FOR EACH ROW EXECUTE FUNCTION sync_row('prompt', 'sync_id');
CREATE TRIGGER sync_edge AFTER INSERT OR UPDATE OR DELETE ON relations FOR EACH ROW EXECUTE FUNCTION sync_edge();

-- Batches: while one is open, every row that changes is kept as it was. What other rows make of it is left out: it follows.
-- A note that goes to another part of its table is first removed, then added: what counts is what comes first.
CREATE FUNCTION batch_opened() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM set_config('modicum.batch', CASE new.open WHEN 1 THEN CAST(new.id AS TEXT) ELSE '' END, true);
  RETURN NULL;
END $$;
CREATE TRIGGER batch_opened AFTER INSERT OR UPDATE OF open ON batches FOR EACH ROW EXECUTE FUNCTION batch_opened();
CREATE FUNCTION keep_before() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE number BIGINT; row_key TEXT; was jsonb; text_was TEXT; BEGIN
  IF TG_OP = 'UPDATE' AND old IS NOT DISTINCT FROM new THEN RETURN NULL; END IF;
  number := nullif(current_setting('modicum.batch', true), '');
  IF number IS NULL THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    IF TG_ARGV[0] = 'revision' THEN row_key := new.note_id || '/' || new.number;
    ELSIF TG_ARGV[0] = 'waiting' THEN row_key := new.note_id; ELSE row_key := new.id; END IF;
    INSERT INTO batch_rows (kind, key, batch) VALUES (TG_ARGV[0], row_key, number)
      ON CONFLICT (batch, kind, key) DO NOTHING;
    RETURN NULL;
  END IF;
  IF TG_ARGV[0] = 'revision' THEN row_key := old.note_id || '/' || old.number;
  ELSIF TG_ARGV[0] = 'waiting' THEN row_key := old.note_id; ELSE row_key := old.id; END IF;
  was := to_jsonb(old);
  text_was := was ->> 'content';
  IF TG_OP = 'UPDATE' AND text_was = to_jsonb(new) ->> 'content' THEN text_was := NULL; END IF;
  INSERT INTO batch_rows (kind, key, batch, before, content)
    VALUES (TG_ARGV[0], row_key, number, was - ARRAY['content', 'words', 'notes', 'active_at'], text_was)
    ON CONFLICT (batch, kind, key) DO UPDATE SET content = excluded.content
    WHERE batch_rows.before IS NOT NULL AND batch_rows.content IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER batch_note AFTER INSERT OR UPDATE OR DELETE ON notes
  FOR EACH ROW EXECUTE FUNCTION keep_before('note');
CREATE TRIGGER batch_revision AFTER INSERT OR UPDATE OR DELETE ON revisions
  FOR EACH ROW EXECUTE FUNCTION keep_before('revision');
CREATE TRIGGER batch_waiting AFTER INSERT OR UPDATE OR DELETE ON waiting
  FOR EACH ROW EXECUTE FUNCTION keep_before('waiting');
CREATE TRIGGER batch_relation AFTER INSERT OR UPDATE OR DELETE ON relations
  FOR EACH ROW EXECUTE FUNCTION keep_before('relation');
CREATE TRIGGER batch_prompt AFTER INSERT OR UPDATE OR DELETE ON prompts
  FOR EACH ROW EXECUTE FUNCTION keep_before('prompt');
CREATE TRIGGER batch_progress AFTER INSERT OR UPDATE OR DELETE ON progress
  FOR EACH ROW EXECUTE FUNCTION keep_before('progress');
CREATE TRIGGER batch_key AFTER INSERT OR UPDATE OR DELETE ON project_keys
  FOR EACH ROW EXECUTE FUNCTION keep_before('key');
CREATE TRIGGER batch_session
  AFTER INSERT OR DELETE OR UPDATE OF project, directory, namespace, started_at, ended_at, summary ON sessions
  FOR EACH ROW EXECUTE FUNCTION keep_before('session');
CREATE FUNCTION keep_home() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO batch_rows (kind, key, batch, before)
    SELECT 'home', new.project, id, to_jsonb(old) FROM batches WHERE open = 1
    ON CONFLICT (batch, kind, key) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER batch_home AFTER UPDATE OF project ON sync_homes FOR EACH ROW EXECUTE FUNCTION keep_home();

-- Who may see what. A person's transaction runs as {people}, with three settings; without them that role sees nothing.
-- It may read the tables below through these policies, none of their parts and no other table, and write nothing.
CREATE FUNCTION person() RETURNS TEXT LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('modicum.person', true), '')
$$;
CREATE FUNCTION sees_all_projects() RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('modicum.projects', true) = 'all', false)
$$;
CREATE FUNCTION seen_projects() RETURNS TEXT[] LANGUAGE sql STABLE AS $$
  SELECT (string_to_array(current_setting('modicum.projects', true), E'\n'))[2:]
$$;
CREATE FUNCTION seen_audiences() RETURNS TEXT[] LANGUAGE sql STABLE AS $$
  SELECT string_to_array(current_setting('modicum.audiences', true), E'\n')
$$;
CREATE FUNCTION audience_of(scope TEXT, owner TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE scope WHEN 'personal' THEN '@' || owner ELSE scope END
$$;

ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE progress ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit ENABLE ROW LEVEL SECURITY;
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE passages ENABLE ROW LEVEL SECURITY;
ALTER TABLE revisions ENABLE ROW LEVEL SECURITY;
ALTER TABLE relations ENABLE ROW LEVEL SECURITY;
ALTER TABLE vectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE waiting ENABLE ROW LEVEL SECURITY;
ALTER TABLE prompts ENABLE ROW LEVEL SECURITY;
ALTER TABLE tallies ENABLE ROW LEVEL SECURITY;
ALTER TABLE batches ENABLE ROW LEVEL SECURITY;
ALTER TABLE batch_rows ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON sessions FOR SELECT TO {people} USING (
  (SELECT sees_all_projects()) OR project = ANY ((SELECT seen_projects())::TEXT[])
);
CREATE POLICY seen ON progress FOR SELECT TO {people} USING (
  (SELECT sees_all_projects()) OR project = ANY ((SELECT seen_projects())::TEXT[])
);
CREATE POLICY seen ON audit FOR SELECT TO {people} USING (
  ((SELECT sees_all_projects()) OR project = ANY ((SELECT seen_projects())::TEXT[]))
  AND owner IN ('', (SELECT person()))
);
CREATE POLICY seen ON notes FOR SELECT TO {people} USING (
  ((SELECT sees_all_projects()) OR project = ANY ((SELECT seen_projects())::TEXT[]))
  AND audience_of(scope, owner) = ANY ((SELECT seen_audiences())::TEXT[])
);
CREATE POLICY seen ON passages FOR SELECT TO {people} USING (
  ((SELECT sees_all_projects()) OR project = ANY ((SELECT seen_projects())::TEXT[]))
  AND audience = ANY ((SELECT seen_audiences())::TEXT[])
);
CREATE POLICY seen ON prompts FOR SELECT TO {people} USING (
  ((SELECT sees_all_projects()) OR project = ANY ((SELECT seen_projects())::TEXT[])) AND owner = (SELECT person())
);
CREATE POLICY seen ON tallies FOR SELECT TO {people} USING (
  ((SELECT sees_all_projects()) OR project = ANY ((SELECT seen_projects())::TEXT[]))
  AND CASE kind WHEN 'note' THEN audience_of(scope, owner) = ANY ((SELECT seen_audiences())::TEXT[])
    WHEN 'prompt' THEN owner = (SELECT person()) ELSE kind = 'session' END
);
-- The notes that these look for are those that the policy of notes lets through.
CREATE POLICY seen ON revisions FOR SELECT TO {people} USING (EXISTS (SELECT 1 FROM notes WHERE notes.id = note_id));
CREATE POLICY seen ON waiting FOR SELECT TO {people} USING (EXISTS (SELECT 1 FROM notes WHERE notes.id = note_id));
CREATE POLICY seen ON vectors FOR SELECT TO {people} USING (EXISTS (SELECT 1 FROM notes WHERE notes.id = vectors.id));
CREATE POLICY seen ON relations FOR SELECT TO {people} USING (
  EXISTS (SELECT 1 FROM notes WHERE notes.id = from_id) AND EXISTS (SELECT 1 FROM notes WHERE notes.id = to_id)
);
CREATE POLICY seen ON batches FOR SELECT TO {people} USING (person = (SELECT person()));
CREATE POLICY seen ON batch_rows FOR SELECT TO {people} USING (EXISTS (SELECT 1 FROM batches WHERE batches.id = batch));
GRANT SELECT (kind, key, batch) ON batch_rows TO {people};
GRANT USAGE ON SCHEMA {schema} TO {people};
GRANT SELECT ON sessions, progress, audit, notes, passages, revisions, relations, vectors, waiting, prompts, tallies, batches TO {people};

-- Full text. Its operators may tell about rows that a policy hides, so that under a policy PostgreSQL would not use the index
-- for them. These functions run as the owner of the tables instead, filter by person, and return ids and numbers only.
CREATE FUNCTION is_limited() RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
  SELECT current_setting('role') = {role}
$$;
-- Folded into the statements below, where it becomes a part of their plans.
CREATE FUNCTION passages_seen(
  limited BOOLEAN, asked tsquery, phrases TEXT[], upto BIGINT, since TEXT, until TEXT
) RETURNS SETOF passages LANGUAGE sql STABLE AS $$
  SELECT p.* FROM passages AS p
  WHERE p.words @@ asked AND p.id <= upto
    AND (NOT limited OR ((SELECT sees_all_projects()) OR p.project = ANY ((SELECT seen_projects())::TEXT[]))
      AND p.audience = ANY ((SELECT seen_audiences())::TEXT[]))
    AND (cardinality(phrases) = 0 OR NOT EXISTS (
      SELECT 1 FROM unnest(phrases) AS phrase
      WHERE NOT ((' ' || p.title || ' ') LIKE phrase OR (' ' || p.body || ' ') LIKE phrase)
    ))
    AND (since = '' AND until = '' OR EXISTS (
      SELECT 1 FROM notes AS n WHERE n.id = p.id AND n.project = p.project AND n.deleted_at = ''
        AND n.created_at >= since AND (until = '' OR n.created_at < until)
    ))
$$;
-- A passage scores much as BM25 has it: by rare stems, again and again, in a short text. The weights are of a text and,
-- four times as much in effect, of a title.
CREATE FUNCTION best_passages(
  asked tsquery, phrases TEXT[], of_project TEXT, upto BIGINT, since TEXT, until TEXT,
  stems tsquery[], rarities REAL[], usual REAL, most INTEGER
) RETURNS SETOF BIGINT LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = {schema}, pg_temp AS $$ BEGIN
  IF of_project = '' THEN
    RETURN QUERY SELECT p.id FROM passages_seen(is_limited(), asked, phrases, upto, since, until) AS p
      ORDER BY (
        SELECT sum(t.rarity * ts_rank('{0.5, 0.5, 0.5, 1}', p.words, t.stem)) FROM unnest(stems, rarities) AS t (stem, rarity)
      ) / (1.3 + 0.9 * p.length / usual) DESC, p.id LIMIT most;
  ELSE
    RETURN QUERY SELECT p.id FROM passages_seen(is_limited(), asked, phrases, upto, since, until) AS p
      WHERE p.project = of_project ORDER BY (
        SELECT sum(t.rarity * ts_rank('{0.5, 0.5, 0.5, 1}', p.words, t.stem)) FROM unnest(stems, rarities) AS t (stem, rarity)
      ) / (1.3 + 0.9 * p.length / usual) DESC, p.id LIMIT most;
  END IF;
END $$;
CREATE FUNCTION newest_passages(
  asked tsquery, phrases TEXT[], of_project TEXT, upto BIGINT, since TEXT, until TEXT, most INTEGER
) RETURNS SETOF BIGINT LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = {schema}, pg_temp AS $$ BEGIN
  IF of_project = '' THEN
    RETURN QUERY SELECT p.id FROM passages_seen(is_limited(), asked, phrases, upto, since, until) AS p
      ORDER BY p.id DESC LIMIT most;
  ELSE
    RETURN QUERY SELECT p.id FROM passages_seen(is_limited(), asked, phrases, upto, since, until) AS p
      WHERE p.project = of_project ORDER BY p.id DESC LIMIT most;
  END IF;
END $$;
CREATE FUNCTION count_passages(
  asked tsquery, phrases TEXT[], of_project TEXT, upto BIGINT, since TEXT, until TEXT, most INTEGER
) RETURNS BIGINT LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = {schema}, pg_temp AS $$ BEGIN
  IF of_project = '' THEN
    RETURN (SELECT count(*) FROM (
      SELECT 1 FROM passages_seen(is_limited(), asked, phrases, upto, since, until) LIMIT most
    ) AS matches);
  END IF;
  RETURN (SELECT count(*) FROM (
    SELECT 1 FROM passages_seen(is_limited(), asked, phrases, upto, since, until) AS p
    WHERE p.project = of_project LIMIT most
  ) AS matches);
END $$;

-- All notes that contain a text are found first: walking down the ids until enough do may take the whole table.
CREATE FUNCTION notes_containing(pattern TEXT, upto BIGINT, most INTEGER) RETURNS SETOF BIGINT
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = {schema}, pg_temp AS $$
DECLARE limited BOOLEAN := is_limited(); BEGIN
  RETURN QUERY WITH found AS MATERIALIZED (
    SELECT n.id FROM notes AS n
    WHERE n.deleted_at = '' AND (n.content ILIKE pattern OR n.title ILIKE pattern) AND n.id <= upto
      AND (NOT limited OR ((SELECT sees_all_projects()) OR n.project = ANY ((SELECT seen_projects())::TEXT[]))
        AND audience_of(n.scope, n.owner) = ANY ((SELECT seen_audiences())::TEXT[]))
  ) SELECT found.id FROM found ORDER BY found.id DESC LIMIT most;
END $$;

CREATE FUNCTION prompts_matching(asked_words TEXT[], of_project TEXT, most INTEGER) RETURNS SETOF BIGINT
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = {schema}, pg_temp AS $$
DECLARE limited BOOLEAN := is_limited(); asked tsquery := ''; word TEXT; BEGIN
  FOREACH word IN ARRAY asked_words LOOP
    asked := asked || phraseto_tsquery('{schema}.prompt_words', word);
  END LOOP;
  RETURN QUERY SELECT p.id FROM prompts AS p
    WHERE p.words @@ asked AND (of_project = '' OR p.project = of_project)
      AND (NOT limited OR ((SELECT sees_all_projects()) OR p.project = ANY ((SELECT seen_projects())::TEXT[]))
        AND p.owner = (SELECT person()))
    ORDER BY ts_rank(p.words, asked, 1) DESC, p.id DESC LIMIT most;
END $$;

-- The vocabulary with its news, as far as it is for whoever asks.
CREATE FUNCTION stem_counts(asked TEXT[]) RETURNS TABLE (word TEXT, number BIGINT)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = {schema}, pg_temp AS $$
DECLARE limited BOOLEAN := is_limited(); BEGIN
  RETURN QUERY SELECT k.stem, CAST(sum(k.count) AS BIGINT) FROM (
    SELECT v.stem, v.project, v.audience, v.count FROM vocabulary AS v WHERE v.stem = ANY (asked)
    UNION ALL
    SELECT each.stem, n.project, n.audience, n.change FROM vocabulary_news AS n, unnest(n.stems) AS each (stem)
    WHERE each.stem = ANY (asked)
  ) AS k
  WHERE NOT limited OR ((SELECT sees_all_projects()) OR k.project = ANY ((SELECT seen_projects())::TEXT[]))
    AND k.audience = ANY ((SELECT seen_audiences())::TEXT[])
  GROUP BY k.stem HAVING sum(k.count) > 0;
END $$;
CREATE FUNCTION stems_between(first TEXT, beyond TEXT, shortest INTEGER, longest INTEGER, most INTEGER)
RETURNS TABLE (word TEXT, number BIGINT)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = {schema}, pg_temp AS $$
DECLARE limited BOOLEAN := is_limited(); BEGIN
  RETURN QUERY SELECT k.stem, CAST(sum(k.count) AS BIGINT) FROM (
    SELECT v.stem, v.project, v.audience, v.count FROM vocabulary AS v WHERE v.stem >= first AND v.stem < beyond
    UNION ALL
    SELECT each.stem, n.project, n.audience, n.change FROM vocabulary_news AS n, unnest(n.stems) AS each (stem)
    WHERE each.stem COLLATE "C" >= first AND each.stem COLLATE "C" < beyond
  ) AS k
  WHERE length(k.stem) BETWEEN shortest AND longest
    AND (NOT limited OR ((SELECT sees_all_projects()) OR k.project = ANY ((SELECT seen_projects())::TEXT[]))
      AND k.audience = ANY ((SELECT seen_audiences())::TEXT[]))
  GROUP BY k.stem HAVING sum(k.count) > 0 ORDER BY k.stem LIMIT most;
END $$;
CREATE FUNCTION passages_in_all() RETURNS TABLE (passages BIGINT, words BIGINT)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = {schema}, pg_temp AS $$
DECLARE limited BOOLEAN := is_limited(); BEGIN
  RETURN QUERY SELECT CAST(coalesce(sum(k.passages), 0) AS BIGINT), CAST(coalesce(sum(k.words), 0) AS BIGINT) FROM (
    SELECT t.project, t.audience, t.passages, t.words FROM passage_totals AS t
    UNION ALL
    SELECT n.project, n.audience, n.change, n.change * n.length FROM vocabulary_news AS n
  ) AS k
  WHERE NOT limited OR ((SELECT sees_all_projects()) OR k.project = ANY ((SELECT seen_projects())::TEXT[]))
    AND k.audience = ANY ((SELECT seen_audiences())::TEXT[]);
END $$;

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA {schema} FROM PUBLIC;
GRANT EXECUTE ON FUNCTION person, sees_all_projects, seen_projects, seen_audiences, audience_of,
  best_passages, newest_passages, count_passages, notes_containing, prompts_matching,
  stem_counts, stems_between, passages_in_all TO {people};
