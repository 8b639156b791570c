"""The PostgreSQL engine: a database with a pool of connections, and its transactions."""

import os
import re
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any
from zlib import crc32

from modicum.base.extras import install_command
from modicum.base.files import Wait
from modicum.memory.engines.database import NOTHING, FullText, Row, Transaction, Values
from modicum.memory.engines.postgres_fts import PostgresFullText
from modicum.memory.engines.schema import check_unchanged
from modicum.memory.model import StoreProblem, Unusable
from modicum.memory.names import storable
from modicum.memory.people.access import ANYBODY, Person

try:
    import psycopg
    from psycopg import errors
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
    from psycopg_pool import ConnectionPool, PoolTimeout

    from modicum.memory.engines.postgres_connection import CuttableConnection
    from modicum.memory.engines.postgres_people import PostgresPersonTransaction, begin_as
except ImportError as error:
    raise Unusable(
        "the memory is on PostgreSQL, and its driver is not installed",
        remedy=install_command("postgres"),
    ) from error

ENGINE = "postgres"
OLDEST = 150000  # PostgreSQL 15, as the server counts
SCHEMA = "modicum"
MOST_CONNECTIONS = 16
PATIENCE_SECONDS = 60
MOST_PREPARED = 300
FRESH_SECONDS = 5.0  # a connection that was used just now is taken to be alive
# What is in the URL comes behind these, and wins.
SETTINGS = {
    "search_path": f"{SCHEMA},public",
    "statement_timeout": "30s",
    "idle_in_transaction_session_timeout": "60s",
    "client_encoding": "UTF8",
    "jit": "off",  # compiling a statement takes longer than any of ours
    "max_parallel_workers_per_gather": "0",  # others are asking at the same time
}

_REPEATABLE, _COMMITTED = psycopg.IsolationLevel.REPEATABLE_READ, psycopg.IsolationLevel.READ_COMMITTED
_AGAIN = "nothing of this was written; try again"
_MIXED = "something on the way mixes up prepared statements"
_POOLER = "use PgBouncer 1.21 or newer with max_prepared_statements above 0, or pool_mode=session"
_TROUBLES: tuple[tuple[type[Exception], str, str], ...] = (
    (errors.QueryCanceled, "it took too long to answer", "try again, or raise statement_timeout in the URL"),
    (errors.LockNotAvailable, "somebody else keeps it locked", "try again"),
    (errors.TransactionRollback, "two writers were in each other's way", _AGAIN),
    (errors.ReadOnlySqlTransaction, "it may only be read", "give the URL of the primary server"),
    (errors.FeatureNotSupported, "it may only be read", "give the URL of the primary server"),
    (errors.InsufficientPrivilege, "the user of the URL may not do this", "grant it, or give another user"),
    (errors.DiskFull, "its disk is full; nothing of this was written", "free some space, then try again"),
    (errors.InsufficientResources, "it has no room left for this", "try again, or give the server more"),
    (errors.UniqueViolation, "what is written here is somebody else's already", "give it another id"),
    (errors.DuplicatePreparedStatement, _MIXED, _POOLER),
    (errors.InvalidSqlStatementName, _MIXED, _POOLER),
    (errors.DataCorrupted, "it is damaged", "restore a backup; it is left as it is"),
    (PoolTimeout, "it cannot be reached", "check the URL, and that the server is running"),
    (psycopg.OperationalError, "it cannot be reached", "check the URL, and that the server is running"),
)


@contextmanager
def _explained(place: str) -> Iterator[None]:
    """Turns an error of PostgreSQL into one that says what a person can do."""
    try:
        yield
    except (psycopg.Error, PoolTimeout) as error:
        for kind, trouble, remedy in _TROUBLES:
            if isinstance(error, kind):
                raise Unusable(f"{place}: {trouble}{_why(error)}", remedy=remedy) from error
        raise


def _why(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f" ({lines[0].rstrip('.')})" if lines else ""


@lru_cache(maxsize=2048)
def translated(sql: str) -> bytes:
    """Translates an SQL statement for PostgreSQL: returns it with parameters as the driver writes them."""
    return re.sub(r"(?<![:\w]):([a-z]\w*)", r"%(\1)s", sql.replace("%", "%%")).encode()


_NUMBERS = re.compile(r"\bIN \((\d+(?:, \d+)*)\)")


def with_lists(sql: str) -> tuple[str, dict[str, object]]:
    """Replaces each list of numbers in a PostgreSQL statement by one value; returns it and the values.

    So the statement is prepared and planned once.
    """
    lists: dict[str, object] = {}

    def named(found: re.Match[str]) -> str:
        name = f"numbers{len(lists)}"
        lists[name] = f"{{{found[1]}}}"
        return f"= ANY (CAST(:{name} AS BIGINT[]))"

    return _NUMBERS.sub(named, sql), lists


class PostgresTransaction:
    """A transaction on one connection to PostgreSQL, which sees everything."""

    words: FullText = PostgresFullText()

    def __init__(self, connection: "psycopg.Connection[Row]", space: int = 0) -> None:
        self.connection, self._space = connection, space

    @property
    def unlimited(self) -> Transaction:
        return self

    def rows(self, sql: str, values: Values = NOTHING) -> list[Row]:
        return self.execute(sql, values).fetchall()

    def run(self, sql: str, values: Values = NOTHING) -> int:
        return self.execute(sql, values).rowcount

    def hold(self, *names: str) -> None:
        self.rows(*_lock(self._space, names))

    def execute(self, sql: str, values: Values) -> "psycopg.Cursor[Row]":
        # No text here may hold a NUL or half of a surrogate pair: both engines keep the same mark instead.
        whole = {name: storable(value) if isinstance(value, str) else value for name, value in values.items()}
        statement, lists = with_lists(sql)
        return self.connection.execute(translated(statement), {**whole, **lists})


class PostgresDatabase:
    """A database in PostgreSQL, or one schema of it; any number of threads and servers may share it."""

    is_shared = True

    def __init__(self, url: str) -> None:
        from modicum.memory.engines.postgres_setup import prepare

        self.place, conninfo = _understood(url)
        with _explained(self.place):
            with psycopg.connect(conninfo, autocommit=True) as connection:
                _check(connection, self.place)
                self.schema, self.role = prepare(connection, self.place)
            self._space = _signed(self.schema)
            self._pool: ConnectionPool[psycopg.Connection[Row]] = ConnectionPool(
                conninfo, connection_class=CuttableConnection, min_size=1, max_size=MOST_CONNECTIONS, timeout=PATIENCE_SECONDS, check=_check_alive,
                configure=_configure, reset=_used, num_workers=1, open=True,
            )  # fmt: skip
            self._pool.wait(PATIENCE_SECONDS)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Explains also a statement that no longer suits the tables."""
        try:
            with _explained(self.place):
                yield
        except psycopg.ProgrammingError:
            with self._pool.connection() as connection:
                check_unchanged(ENGINE, connection.execute(f"SELECT {_VERSION}").fetchall()[0][0], self.place)
            raise

    @contextmanager
    def _transaction(
        self, level: "psycopg.IsolationLevel", *, read_only: bool
    ) -> Iterator[PostgresTransaction]:
        with self._explained(), self._pool.connection() as connection:
            if connection.isolation_level != level:
                connection.isolation_level, connection.read_only = level, read_only
            yield PostgresTransaction(connection, self._space)

    def ask(self, sql: str, values: Values = NOTHING) -> list[Row]:
        with self._explained(), self._pool.connection() as connection:
            connection.autocommit = True
            return PostgresTransaction(connection).rows(sql, values)

    @contextmanager
    def reading(self, person: Person = ANYBODY) -> Iterator[Transaction]:
        if not person.is_limited:
            with self._transaction(_REPEATABLE, read_only=True) as tx:
                yield tx
            return
        with self._explained(), self._pool.connection() as connection:
            connection.autocommit = True  # it begins with a message of ours, and ends with the pool's commit
            connection.execute(begin_as(person, self.role), prepare=False)
            yield PostgresPersonTransaction(PostgresTransaction(connection), person)

    @contextmanager
    def writing(self, *names: str, person: Person = ANYBODY) -> Iterator[Transaction]:
        # Each statement after the lock sees what the last holder has committed.
        with self._transaction(_COMMITTED, read_only=False) as tx:
            check_unchanged(ENGINE, _locked(tx, *_lock(self._space, names)), self.place)
            yield PostgresPersonTransaction(tx, person, self.role) if person.is_limited else tx

    def erase_traces(self) -> None:
        pass  # what was deleted is overwritten when the server next vacuums the table

    def size(self) -> int:
        with self.reading() as tx:
            return int(tx.rows(SIZE, {"schema": self.schema})[0][0])

    def problems(self) -> tuple[StoreProblem, ...]:
        with self.reading() as tx:
            tx.run("SET LOCAL statement_timeout = 0")
            found = [problem for sql, problem in CHECKS if tx.rows(sql)[0][0]]
            return (*found, *(StoreProblem(each, index_mends=True) for each in INDEX.problems(tx)))

    def rebuild_index(self) -> None:
        with self.writing() as tx:
            tx.run("SET LOCAL statement_timeout = 0")
            INDEX.rebuild(tx)

    def close(self) -> None:
        self._pool.close()


INDEX = PostgresFullText()
SIZE = """
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = :schema AND c.relkind IN ('r', 'm')
"""

CHECKS = (
    (
        "SELECT EXISTS (SELECT 1 FROM passages AS p WHERE NOT EXISTS (SELECT 1 FROM notes WHERE id = p.id))",
        StoreProblem("passages refer to what is not there: rebuild the index", index_mends=True),
    ),
    (
        "SELECT EXISTS (SELECT 1 FROM revisions AS r WHERE NOT EXISTS (SELECT 1 FROM notes WHERE id = r.note_id))",
        StoreProblem("revisions refer to what is not there"),
    ),
    (
        """
        SELECT EXISTS (
          SELECT 1 FROM relations AS r WHERE NOT EXISTS (SELECT 1 FROM notes WHERE id = r.from_id)
          OR NOT EXISTS (SELECT 1 FROM notes WHERE id = r.to_id)
        )
        """,
        StoreProblem("relations refer to what is not there"),
    ),
    (
        "SELECT EXISTS (SELECT 1 FROM notes GROUP BY id HAVING count(*) > 1)",
        StoreProblem("two notes have one id"),
    ),
)


def _signed(name: str) -> int:
    number = crc32(name.encode(errors="replace"))
    return number - 2**32 if number >= 2**31 else number


# Reading the table keeps whoever would change the schema waiting until the transaction ends: see `postgres_setup`.
_VERSION = "(SELECT coalesce(max(version), 0) FROM modicum_version)"


def _lock(space: int, names: tuple[str, ...]) -> tuple[str, Values]:
    if not names:
        all_of_them = "pg_advisory_xact_lock(CAST(:space AS integer), 0)"
        return f"SELECT {_VERSION}, {all_of_them}", {"space": space}
    keys = sorted(
        {_signed(name) or 1 for name in names}
    )  # zero is everybody's; one order, so that nobody is stuck
    locks = (
        f"pg_advisory_xact_lock(CAST(:space AS integer), CAST(:key{at} AS integer))"
        for at, _ in enumerate(keys)
    )
    named = {f"key{at}": key for at, key in enumerate(keys)}
    shared = "pg_advisory_xact_lock_shared(CAST(:space AS integer), 0)"
    return f"SELECT {', '.join((_VERSION, shared, *locks))}", {"space": space, **named}


def _locked(tx: PostgresTransaction, sql: str, values: Values) -> int:
    """Waits for the locks, and returns the version. A command says that it waits, and gives up early; a server is patient."""
    wait = Wait("the database of memory", PATIENCE_SECONDS)
    if wait.listener:
        tx.run(f"SET LOCAL lock_timeout = '{wait.seconds:g}s'")
    with wait.telling():
        return int(tx.rows(sql, values)[0][0])


def _understood(url: str) -> tuple[str, str]:
    """Returns the place in words for people, and what to connect with. Whatever the URL asks for is passed on, TLS above all."""
    try:
        parts: dict[str, Any] = conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        remedy = "write it like postgresql://user:password@host/database?sslmode=verify-full"
        raise Unusable(f"the URL of the database is not understood{_why(error)}", remedy=remedy) from error
    ours = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
    parts["options"] = f"{ours} {parts.get('options', '')}".strip()
    parts.setdefault("connect_timeout", "10")
    parts.setdefault("application_name", "modicum")
    where = parts.get("host") or os.environ.get("PGHOST", "localhost")
    return f"postgresql://{where}/{parts.get('dbname', '')}", make_conninfo("", **parts)


def _check(connection: "psycopg.Connection[Row]", place: str) -> None:
    if connection.info.server_version < OLDEST:
        found = connection.info.server_version // 10000
        raise Unusable(f"{place}: this is PostgreSQL {found}", remedy="use PostgreSQL 15 or newer")
    encoding = connection.execute("SHOW server_encoding").fetchone()
    if encoding != ("UTF8",):
        remedy = "make one with: createdb --encoding UTF8 --template template0 NAME"
        raise Unusable(f"{place}: the database does not keep UTF-8", remedy=remedy)


def _configure(connection: "psycopg.Connection[Row]") -> None:
    """Has every statement prepared: with so many parts and indexes, planning costs more than running."""
    connection.prepare_threshold, connection.prepared_max = 1, MOST_PREPARED


_last_use: "weakref.WeakKeyDictionary[psycopg.Connection[Row], float]" = weakref.WeakKeyDictionary()


def _used(connection: "psycopg.Connection[Row]") -> None:
    connection.autocommit = False
    _last_use[connection] = time.monotonic()


def _check_alive(connection: "psycopg.Connection[Row]") -> None:
    """Checks a connection that has idled, which may have been cut: then the pool gives another one."""
    if time.monotonic() - _last_use.get(connection, 0.0) > FRESH_SECONDS:
        ConnectionPool.check_connection(connection)
        _used(connection)
