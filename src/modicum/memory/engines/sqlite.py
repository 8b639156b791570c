"""Memory in one SQLite file."""

import os
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import apsw

from modicum.memory.engines.database import NOTHING, Row, Values
from modicum.memory.engines.sqlite_fts import SqliteFullText
from modicum.memory.engines.sqlite_schema import LATEST, migrate
from modicum.memory.model import Unusable
from modicum.memory.names import storable

APPLICATION_ID = 0x6D6F6469  # "modi" in the file's header: the database is ours
PATIENCE_SECONDS = 60.0

# Once a commit has returned, NORMAL keeps it through a kill of the process, since the operating system has it then.
# Only a power cut can take back the last moments, and it never damages the file. FULL would sync each save.
_PRAGMAS = """
PRAGMA synchronous = NORMAL;
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -16000;
PRAGMA wal_autocheckpoint = 4000;
PRAGMA journal_size_limit = 67108864;
"""

_DAMAGED = (
    "it is damaged",
    "restore a backup; or move the file away and import it, which takes over what can be read",
)
_TROUBLES: dict[type[Exception], tuple[str, str]] = {
    apsw.BusyError: ("another program keeps it locked", "stop that program, then try again"),
    apsw.LockedError: ("another program keeps it locked", "stop that program, then try again"),
    apsw.FullError: ("the disk is full; nothing of this was written", "free some space, then try again"),
    apsw.ReadOnlyError: ("it may not be written", "make the file and its folder writable"),
    apsw.PermissionsError: ("it may not be written", "make the file and its folder writable"),
    apsw.CantOpenError: ("it cannot be opened", "check that its folder exists and may be written"),
    apsw.NotADBError: ("it is not a database", "choose another file, or move this one away to begin anew"),
    apsw.CorruptError: _DAMAGED,
    UnicodeDecodeError: _DAMAGED,  # a text that is none: SQLite hands out whatever bytes are there
    apsw.IOError: ("reading or writing it failed", "check the disk, and that there is space on it"),
}


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Turns what SQLite says into what a person can do."""
    try:
        yield
    except tuple(_TROUBLES) as error:
        trouble, remedy = _TROUBLES[type(error)]
        raise Unusable(f"{path}: {trouble}", remedy=remedy) from error


class _Patience:
    """How to wait for a lock: in short steps of uneven length, so that nobody is always second."""

    def __init__(self) -> None:
        self.until = 0.0

    def __call__(self, attempts: int) -> bool:
        if attempts == 0:
            self.until = time.monotonic() + PATIENCE_SECONDS
        time.sleep(0.0005 + os.urandom(1)[0] / 256 * min(0.005, 0.0005 * (attempts + 1)))
        return time.monotonic() < self.until


class SqliteTransaction:
    """Statements on one connection."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection

    def rows(self, sql: str, values: Values = NOTHING) -> list[Row]:
        return list(self._execute(sql, values))

    def run(self, sql: str, values: Values = NOTHING) -> int:
        self._execute(sql, values)
        return self.connection.changes()

    def hold(self, name: str) -> None:
        pass  # there is one writer at a time

    def _execute(self, sql: str, values: Values) -> apsw.Cursor:
        # JSON can hold NULs and halves of surrogate pairs: every engine keeps the same mark for them.
        whole = {name: storable(value) if isinstance(value, str) else value for name, value in values.items()}
        return self.connection.execute(sql, whole)


class SqliteDatabase:
    """One file; each thread has its own connection to it. Not to be taken along into a forked process."""

    words = SqliteFullText()
    qualifier = "main."

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = self.place = os.fspath(path)
        self._mine = threading.local()
        self._all: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._writer = (
            threading.Lock()
        )  # waiting here is fair and costs nothing; waiting in SQLite is polling
        with _told(self.path):
            _make_folder(self.path)
            _make_file(self.path)
            _prepare(self._connection(), self.path)

    def _connection(self) -> apsw.Connection:
        found: apsw.Connection | None = getattr(self._mine, "connection", None)
        if found is None:
            found = self._mine.connection = apsw.Connection(self.path)
            found.set_busy_handler(_Patience())
            found.execute(_PRAGMAS)
            self._all.add(found)
        return found

    def ask(self, sql: str, values: Values = NOTHING) -> list[Row]:
        with _told(self.path):
            return SqliteTransaction(self._connection()).rows(sql, values)

    @contextmanager
    def reading(self) -> Iterator[SqliteTransaction]:
        with _told(self.path), _transaction(self._connection(), "BEGIN") as tx:
            yield tx

    @contextmanager
    def writing(self, *names: str) -> Iterator[SqliteTransaction]:
        with _told(self.path), self._writer, _transaction(self._connection(), "BEGIN IMMEDIATE") as tx:
            yield tx

    def size(self) -> int:
        return os.stat(self.path).st_size

    def problems(self) -> tuple[str, ...]:
        with self.reading() as tx:
            found = [str(text) for (text,) in tx.rows("PRAGMA integrity_check") if text != "ok"]
            found += [
                f"{table} refers to what is not there" for table, *_ in tx.rows("PRAGMA foreign_key_check")
            ]
        return (*found, *self.words.problems(self._connection()))

    def rebuild_index(self) -> None:
        with self.writing() as tx:
            self.words.rebuild(tx)

    def close(self) -> None:
        for connection in list(self._all):
            connection.close()
        self._mine = threading.local()


@contextmanager
def _transaction(connection: apsw.Connection, begin: str) -> Iterator[SqliteTransaction]:
    connection.execute(begin)
    try:
        yield SqliteTransaction(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk has taken it back already
            connection.execute("ROLLBACK")
        raise


def _make_folder(path: str) -> None:
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder or ".", mode=0o700, exist_ok=True)
    except OSError as error:
        remedy = "choose another folder for the data, or make this one writable"
        raise Unusable(f"{folder}: the folder cannot be made ({error.strerror})", remedy=remedy) from error


def _make_file(path: str) -> None:
    """An empty file that its owner alone may read, if there is none; SQLite would make it readable for everybody."""
    # Never opened if it is there: closing it would let go of the locks that this process has on it.
    with suppress(OSError):  # what is wrong with the place is told by SQLite
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _prepare(connection: apsw.Connection, path: str) -> None:
    if _version(connection, path) == LATEST:
        return
    _in_patience(connection, "PRAGMA journal_mode = WAL")
    with _transaction(connection, "BEGIN IMMEDIATE"):
        # Somebody else may have done it while we waited.
        migrate(connection, _version(connection, path))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _version(connection: apsw.Connection, path: str) -> int:
    owner, version = connection.pragma("application_id"), int(connection.pragma("user_version"))
    ours = owner == APPLICATION_ID and version > 0
    fresh = (owner, version) == (0, 0) and not _has_tables(connection)
    if not ours and not fresh:
        remedy = "choose another file; to take over its notes, export them there and import them here"
        raise Unusable(f"{path}: it is a database of another program", remedy=remedy)
    if version > LATEST:
        remedy = "update modicum; the file is left as it is"
        raise Unusable(f"{path}: it was written by a newer modicum", remedy=remedy)
    return version


def _has_tables(connection: apsw.Connection) -> bool:
    return bool(list(connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")))


def _in_patience(connection: apsw.Connection, sql: str) -> None:
    """Changing the journal does not ask the busy handler, so that asking again is on us."""
    patience, attempts = _Patience(), 0
    while True:
        try:
            connection.execute(sql)
            return
        except apsw.BusyError:
            if not patience(attempts):
                raise
            attempts += 1
