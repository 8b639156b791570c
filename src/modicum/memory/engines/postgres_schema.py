"""The steps by which PostgreSQL's tables are made. A step that was released is never edited: add another one."""

from typing import TYPE_CHECKING
from zlib import crc32

from modicum.memory.engines.postgres_tables import COUNTERS, TABLES, TRIGGERS, WORDS
from modicum.memory.model import Unusable

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[tuple[object, ...]]

PARTS = 8
DATABASE_LOCK = crc32(b"modicum tables")
_NUMBERED = ("prompts", "relations", "progress", "tokens", "audit")
_SPLIT = ("notes", "passages")


def _create(connection: "Connection", schema: str) -> None:
    for text in (WORDS, TABLES, COUNTERS, TRIGGERS):
        named = text.replace("{schema}", f'"{schema}"')
        for more in (" NOT NULL", " PRIMARY KEY"):
            named = named.replace(f" TEXT{more}", f' TEXT COLLATE "C"{more}')
        connection.execute(named.encode())
    for table in _SPLIT:
        for part in range(PARTS):
            of = f"PARTITION OF {table} FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {part})"
            connection.execute(f"CREATE TABLE {table}_{part} {of}".encode())
    for table in _NUMBERED:
        each = "FOR EACH ROW EXECUTE FUNCTION numbered()"
        connection.execute(f"CREATE TRIGGER {table}_numbered AFTER INSERT ON {table} {each}".encode())


def _share(connection: "Connection", schema: str) -> None:
    from modicum.memory.engines.sqlite_sync import POSTGRES

    connection.execute(POSTGRES.encode())


STEPS = (_create, _share)
LATEST = len(STEPS)


def prepare(connection: "Connection", place: str) -> str:
    """The schema in which the tables are now, in their latest form; any number of servers may ask at once."""
    schema = _schema(connection)
    if _version(connection, schema, place) == LATEST:
        return schema
    with connection.transaction():
        connection.execute("SET LOCAL statement_timeout = 0")
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (DATABASE_LOCK,))
        # Somebody else may have done it while we waited.
        version = _version(connection, schema, place)
        if version < LATEST:
            _begin(connection, schema)
            for step in STEPS[version:]:
                step(connection, schema)
            connection.execute("DELETE FROM modicum_version")
            connection.execute("INSERT INTO modicum_version (version) VALUES (%s)", (LATEST,))
    return schema


def _schema(connection: "Connection") -> str:
    """The first schema of the search path, which need not exist yet."""
    row = connection.execute("SELECT current_setting('search_path'), current_user").fetchone()
    path, user = map(str, row or ("public", ""))
    first = path.split(",")[0].strip().strip('"')
    return user if first == "$user" else first


def _begin(connection: "Connection", schema: str) -> None:
    from psycopg import sql

    if not connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (schema,)).fetchone():
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
    connection.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public")
    connection.execute("CREATE TABLE IF NOT EXISTS modicum_version (version INTEGER NOT NULL)")


def _version(connection: "Connection", schema: str, place: str) -> int:
    names = {
        str(name)
        for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", (schema,))
    }
    if "modicum_version" not in names:
        if names & {"sessions", "notes", "prompts", "relations", "totals"}:
            remedy = "choose another database, or another schema with ?options=-csearch_path%3DNAME,public"
            raise Unusable(f"{place}: it has tables of another program in schema {schema}", remedy=remedy)
        return 0
    row = connection.execute("SELECT coalesce(max(version), 0) FROM modicum_version").fetchone()
    version = int(str(row[0])) if row else 0
    if version > LATEST:
        raise Unusable(
            f"{place}: it was written by a newer modicum", remedy="update modicum; it is left as it is"
        )
    return version
