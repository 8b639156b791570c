"""Limits a person in SQLite: a connection with views in place of the tables, and nothing else.

The views have the names of the tables and hide them. An authorizer refuses every other table, every function that is not
listed and everything that is not a query, when a statement is compiled. The connection cannot write anyway.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Any

import apsw

from modicum.memory.model import Forbidden
from modicum.memory.people.access import Person

Rows = list[tuple[Any, ...]]

_FOR_THEM = "IN (SELECT value FROM json_each(person_audiences()))"
_THEIR_PROJECT = "project IN (SELECT value FROM json_each(person_projects()))"

# What a person sees in the place of each table. {seen} stands before the names of the views that filter, {for_them} is the
# condition on whom a note is for, and {project} the one on its project, if not all may be seen.
_VIEWS = {
    "notes": """
    SELECT * FROM main.notes
    WHERE CASE scope WHEN 'personal' THEN '@' || owner ELSE scope END {for_them} AND {project}
    """,
    "passages": """
    SELECT id, project, audience, unpacked(texts, 'title') AS title, unpacked(texts, 'marks') AS marks, length, traits, telling,
      unpacked(texts, 'body') AS body FROM main.packed_passages WHERE audience {for_them} AND {project}
    """,
    "vocabulary": "SELECT * FROM main.vocabulary WHERE audience {for_them} AND {project}",
    "passage_totals": "SELECT * FROM main.passage_totals WHERE audience {for_them} AND {project}",
    "sessions": "SELECT * FROM main.sessions WHERE {project}",
    "progress": "SELECT * FROM main.progress WHERE {project}",
    "prompts": "SELECT * FROM main.prompts WHERE owner = person_name() AND {project}",
    "audit": "SELECT * FROM main.audit WHERE owner IN ('', person_name()) AND {project}",
    "batches": "SELECT * FROM main.batches WHERE person = person_name()",
    "batch_rows": """
    SELECT kind, key, batch FROM main.batch_rows AS r
      WHERE EXISTS (SELECT 1 FROM {seen}batches AS b WHERE b.id = r.batch)
    """,
    "tallies": """
    SELECT * FROM main.tallies WHERE {project} AND CASE kind
      WHEN 'note' THEN CASE scope WHEN 'personal' THEN '@' || owner ELSE scope END {for_them}
      WHEN 'prompt' THEN owner = person_name() ELSE kind = 'session' END
    """,
    "revisions": """
    SELECT * FROM main.revisions AS r WHERE EXISTS (SELECT 1 FROM {seen}notes AS n WHERE n.id = r.note_id)
    """,
    "vectors": """
    SELECT * FROM main.vectors AS v WHERE EXISTS (SELECT 1 FROM {seen}notes AS n WHERE n.id = v.id)
    """,
    "waiting": """
    SELECT * FROM main.waiting AS w WHERE EXISTS (SELECT 1 FROM {seen}notes AS n WHERE n.id = w.note_id)
    """,
    "relations": """
    SELECT * FROM main.relations AS r WHERE EXISTS (SELECT 1 FROM {seen}notes AS n WHERE n.id = r.from_id)
      AND EXISTS (SELECT 1 FROM {seen}notes AS n WHERE n.id = r.to_id)
    """,
    # Without `rank`: it is reckoned with how often words occur in what others have.
    "passages_fts": """
    SELECT f.rowid, f.passages_fts, p.length
    FROM main.passages_fts AS f CROSS JOIN main.packed_passages AS p INDEXED BY passages_seen ON p.id = f.rowid
    WHERE p.audience {for_them} AND {project}
    """,
    "grams": """
    SELECT rowid, stem FROM main.grams AS f WHERE EXISTS (SELECT 1 FROM {seen}vocabulary AS v WHERE v.stem = f.stem)
    """,
    "prompts_fts": """
    SELECT rowid, prompts_fts FROM main.prompts_fts AS f
      WHERE EXISTS (SELECT 1 FROM {seen}prompts AS p WHERE p.id = f.rowid)
    """,
}
FOR_BRIEF = ("notes", "tallies", "sessions", "waiting")

_FUNCTIONS = frozenset(
    [
        "person_name",
        "person_audiences",
        "person_projects",
        "coalesce",
        "count",
        "sum",
        "min",
        "max",
        "substr",
        "length",
        "replace",
        "rtrim",
        "like",
        "match",
        "unpacked",
    ]
)
_HARMLESS = frozenset({apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE, apsw.SQLITE_TRANSACTION})


class PersonConnection:
    """A connection to the SQLite file that shows only what the person of each statement may see."""

    def __init__(
        self, connection: apsw.Connection, *, all_projects: bool, tables: Iterable[str] = tuple(_VIEWS)
    ) -> None:
        self.connection, self.person, self._running = connection, Person(), False
        # A name that no statement can know: a common table expression may be called like a view, and look like one.
        self._seen = f"seen_{os.urandom(16).hex()}_"
        self._names = frozenset(tables)
        for function in (self.person_name, self.person_audiences, self.person_projects):
            connection.create_scalar_function(function.__name__, function, 0, deterministic=True)
        connection.execute("PRAGMA temp_store = MEMORY")
        self._make_views(all_projects)
        connection.exec_trace = self._compiled
        connection.authorizer = self._decide

    def person_name(self, *_: object) -> str | None:
        return self.person.name or None

    def person_audiences(self, *_: object) -> str:
        return _as_json(self.person.audiences if self.person.name else ())

    def person_projects(self, *_: object) -> str:
        return _as_json(self.person.seen_projects)

    def _make_views(self, all_projects: bool) -> None:
        project = "1" if all_projects else _THEIR_PROJECT
        with self.connection:  # each by itself would be a transaction
            for name in self._names:
                text = _VIEWS[name].format(seen=self._seen, project=project, for_them=_FOR_THEM)
                self.connection.execute(f"CREATE TEMP VIEW {self._seen}{name} AS {text}")
                self.connection.execute(f"CREATE TEMP VIEW {name} AS SELECT * FROM {self._seen}{name}")  # noqa: S608 (names of our views)

    def rows(self, person: Person, sql: str, values: Mapping[str, object]) -> Rows:
        """Returns the rows of a statement in SQLite that a person may see; refuses to read anything else."""
        self.person, self._running = person, False
        try:
            return list(self.connection.execute(sql, values))
        except (apsw.AuthError, apsw.ReadOnlyError) as error:
            raise Forbidden(
                "this statement asks for more than one person may see", remedy="report this as a bug"
            ) from error
        finally:
            self._running = False

    def _compiled(self, cursor: apsw.Cursor, sql: str, values: object) -> bool:
        """Called between compiling and running. While a statement runs, the full-text index reads tables of its own."""
        self._running = True
        return True

    def _decide(
        self, action: int, first: str | None, second: str | None, database: str | None, view: str | None
    ) -> int:
        if self._running or action in _HARMLESS:
            return apsw.SQLITE_OK
        if action == apsw.SQLITE_FUNCTION:
            return apsw.SQLITE_OK if second in _FUNCTIONS else apsw.SQLITE_DENY
        return (
            apsw.SQLITE_OK
            if action == apsw.SQLITE_READ and self._may_read(first, database, view)
            else apsw.SQLITE_DENY
        )

    def _may_read(self, table: str | None, database: str | None, view: str | None) -> bool:
        if (view or "").startswith(self._seen) or table == "json_each":
            return True
        name = (table or "").lower()
        return database == "temp" and (name in self._names or name.startswith(self._seen))


_ESCAPED = {number: f"\\u{number:04x}" for number in (*range(32), ord('"'), ord("\\"))}


def _as_json(names: Iterable[str]) -> str:
    """The names as a JSON array. A hook has no time to import `json`."""
    return "[" + ",".join(f'"{name.translate(_ESCAPED)}"' for name in names) + "]"
