"""The SQLite triggers of batches: while a batch is open, they keep every row that changes as it was.

They are made from the columns that a table has, so that no column can be forgotten.
"""

from collections.abc import Sequence

from modicum.base.named_tuple import NamedTuple


class BatchedTable(NamedTuple):
    """A table in SQLite whose rows a batch keeps: what they are called, their key, and columns that only follow."""

    kind: str
    key: str = "{row}.id"
    following: tuple[str, ...] = ()  # set by triggers, which set them again


BATCHED = {
    "sessions": BatchedTable("session", following=("notes", "active_at")),
    "notes": BatchedTable("note"),
    "revisions": BatchedTable("revision", "{row}.note_id || '/' || {row}.number"),
    "waiting": BatchedTable("waiting", "{row}.note_id"),
    "relations": BatchedTable("relation"),
    "prompts": BatchedTable("prompt"),
    "progress": BatchedTable("progress"),
    "project_keys": BatchedTable("key"),
    "sync_homes": BatchedTable("home", "new.project"),
}
TEXT = "content"  # kept apart, and only if it changes: most changes leave it as it is

_HOME = """
CREATE TRIGGER batch_home AFTER UPDATE OF project ON sync_homes BEGIN
  INSERT INTO batch_rows (kind, key, batch, before)
    SELECT 'home', new.project, id, json_object('project', old.project) FROM batches WHERE open = 1
    ON CONFLICT (kind, key, batch) DO NOTHING;
END;
"""
_TRIGGERS = """
CREATE TRIGGER batch_{kind}_added AFTER INSERT ON {table} BEGIN
  INSERT INTO batch_rows (kind, key, batch) SELECT '{kind}', {new_key}, id FROM batches WHERE open = 1
    ON CONFLICT (kind, key, batch) DO NOTHING;
END;
CREATE TRIGGER batch_{kind}_changed AFTER UPDATE OF {columns} ON {table}
WHEN ({old_columns}) IS NOT ({new_columns}) BEGIN
  INSERT INTO batch_rows (kind, key, batch, before, content)
    SELECT '{kind}', {old_key}, id, json_object({image}), {text_changed} FROM batches WHERE open = 1
    ON CONFLICT (kind, key, batch) DO UPDATE SET content = excluded.content
    WHERE batch_rows.before IS NOT NULL AND batch_rows.content IS NULL;
END;
CREATE TRIGGER batch_{kind}_removed AFTER DELETE ON {table} BEGIN
  INSERT INTO batch_rows (kind, key, batch, before, content)
    SELECT '{kind}', {old_key}, id, json_object({image}), {text} FROM batches WHERE open = 1
    ON CONFLICT (kind, key, batch) DO UPDATE SET content = excluded.content
    WHERE batch_rows.before IS NOT NULL AND batch_rows.content IS NULL;
END;
"""


def batch_triggers(table: str, columns: Sequence[str]) -> str:
    """Returns the SQL that makes the SQLite triggers of batches for a table, in place of earlier ones."""
    known = BATCHED[table]
    endings = ("", "_added", "_changed", "_removed")
    drop = "".join(f"DROP TRIGGER IF EXISTS batch_{known.kind}{ending};" for ending in endings)
    if known.kind == "home":
        return drop + _HOME
    own = [name for name in columns if name not in known.following]
    has_text = TEXT in columns
    return drop + _TRIGGERS.format(
        kind=known.kind,
        table=table,
        columns=", ".join(own),
        old_columns=", ".join(f"old.{name}" for name in own),
        new_columns=", ".join(f"new.{name}" for name in own),
        new_key=known.key.format(row="new"),
        old_key=known.key.format(row="old"),
        image=", ".join(f"'{name}', old.{name}" for name in own if name != TEXT),
        text=f"old.{TEXT}" if has_text else "NULL",
        text_changed=f"CASE WHEN old.{TEXT} <> new.{TEXT} THEN old.{TEXT} END" if has_text else "NULL",
    )
