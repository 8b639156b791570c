"""The SQLite engine: a database in one file, its connections and its transactions."""

import os
import time
import weakref
from _thread import _local, allocate_lock  # `threading` is twice as long to import, which hooks do without
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import apsw

from modicum.memory.engines.database import NOTHING, FullText, Row, Transaction, Values
from modicum.memory.engines.schema import check_unchanged, check_version, latest, steps_after, tables
from modicum.memory.engines.sqlite_fts import SqliteFullText
from modicum.memory.engines.sqlite_packed import add_functions
from modicum.memory.model import Forbidden, StoreProblem, Unusable
from modicum.memory.names import storable
from modicum.memory.people.access import ANYBODY, Person

TYPE_CHECKING = False
if TYPE_CHECKING:
    from modicum.base.files import Wait
    from modicum.memory.engines.sqlite_people import PersonConnection

ENGINE = "sqlite"
APPLICATION_ID = 0x6D6F6469  # "modi" in the file's header: the database is ours
PATIENCE_SECONDS = 60.0

# Once a commit has returned, NORMAL keeps it through a kill of the process, since the operating system has it then.
# Only a power cut can take back the last moments, and it never damages the file. FULL would sync each save.
_PRAGMAS = """
PRAGMA synchronous = NORMAL;
PRAGMA secure_delete = ON;
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -2000;
PRAGMA wal_autocheckpoint = 4000;
PRAGMA journal_size_limit = 67108864;
"""

_DAMAGED = (
    "it is damaged",
    "restore a backup; or move the file away and import it, which takes over what can be read",
)
_UNREADABLE = (
    "unsupported file format"  # what SQLite says of a damaged header, as of a statement that is wrong
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
def explained(path: str) -> Iterator[None]:
    """Turns an error of SQLite into one that says what a person can do."""
    try:
        yield
    except tuple(_TROUBLES) as error:
        trouble, remedy = _TROUBLES[type(error)]
        raise Unusable(f"{path}: {trouble}", remedy=remedy) from error
    except apsw.SQLError as error:
        if _UNREADABLE not in str(error):
            raise
        trouble, remedy = _DAMAGED
        raise Unusable(f"{path}: {trouble}", remedy=remedy) from error


class Patience:
    """Waits for a lock of the SQLite file in short steps of uneven length, so that nobody is always second."""

    wait: "Wait"

    def __call__(self, attempts: int) -> bool:
        if attempts == 0:
            from modicum.base.files import Wait

            self.wait = Wait("the file of memory", PATIENCE_SECONDS)
        time.sleep(0.0005 + os.urandom(1)[0] / 256 * min(0.005, 0.0005 * (attempts + 1)))
        return not self.wait.is_over()


class SqliteTransaction:
    """A transaction on one connection to the SQLite file, which sees everything."""

    words: FullText = SqliteFullText()

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection

    @property
    def unlimited(self) -> Transaction:
        return self

    def rows(self, sql: str, values: Values = NOTHING) -> list[Row]:
        return list(self._execute(sql, values))

    def run(self, sql: str, values: Values = NOTHING) -> int:
        self._execute(sql, values)
        return self.connection.changes()

    def _execute(self, sql: str, values: Values) -> apsw.Cursor:
        return self.connection.execute(sql, _storable(values))

    def hold(self, name: str) -> None:
        pass  # there is one writer at a time


class SqlitePersonTransaction:
    """A transaction in SQLite that sees what a person may see, on its own connection that only reads.

    Beside a transaction that writes, it sees the state before: nobody else can write in the meantime.
    """

    def __init__(
        self, connection: "PersonConnection", person: Person, beside: SqliteTransaction | None = None
    ) -> None:
        self.connection, self.person, self._beside = connection, person, beside

    @property
    def words(self) -> FullText:
        from modicum.memory.engines.sqlite_person_fts import SqlitePersonFullText

        return SqlitePersonFullText(self.person)

    @property
    def unlimited(self) -> Transaction:
        if self._beside is None:
            raise Forbidden("a transaction that reads has limits", remedy="report this as a bug")
        return self._beside

    def rows(self, sql: str, values: Values = NOTHING) -> list[Row]:
        return self.connection.rows(self.person, sql, _storable(values))

    def run(self, sql: str, values: Values = NOTHING) -> int:
        self.rows(sql, values)
        return 0

    def hold(self, name: str) -> None:
        pass  # there is one writer at a time


def _storable(values: Values) -> dict[str, object]:
    """Returns the values with marks for what no database keeps: JSON can hold NULs and halves of surrogate pairs."""
    return {name: storable(value) if isinstance(value, str) else value for name, value in values.items()}


class SqliteDatabase:
    """A database in one SQLite file; each thread has its own connections. Not for forked processes."""

    is_shared = False

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = self.place = os.fspath(path)
        self._mine = _local()
        self._all: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        # Waiting for this lock is fair and costs nothing; waiting in SQLite is polling.
        self._writer = allocate_lock()
        with explained(self.path):
            _make_folder(self.path)
            _make_file(self.path)
            _prepare(self._connection(), self.path)

    def _connection(self) -> apsw.Connection:
        kept: apsw.Connection | None = getattr(self._mine, "connection", None)
        if kept is None:
            kept = self._mine.connection = self._open()
        return kept

    def _open(self, flags: int = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE) -> apsw.Connection:
        connection = apsw.Connection(self.path, flags=flags)
        connection.set_busy_handler(Patience())
        # Else a plan may depend on values, and a statement with a limit is compiled anew each time it is run.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        connection.execute(
            _PRAGMAS
        ).fetchall()  # some of them answer, and the next one waits until that is read
        add_functions(connection)
        self._all.add(connection)
        return connection

    def _person_connection(self, person: Person) -> "PersonConnection":
        """Returns the connection of this thread for people who see all projects, or the one for those who see some."""
        from modicum.memory.engines.sqlite_people import PersonConnection

        kept: dict[bool, PersonConnection] = self._mine.__dict__.setdefault("people", {})
        everywhere = not person.seen_projects
        if everywhere not in kept:
            connection = self._open(apsw.SQLITE_OPEN_READONLY)
            kept[everywhere] = PersonConnection(connection, all_projects=everywhere)
        return kept[everywhere]

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Explains also a statement that no longer suits the tables."""
        try:
            with explained(self.path):
                yield
        except apsw.SQLError:
            check_unchanged(ENGINE, int(self._connection().pragma("user_version")), self.path)
            raise

    def ask(self, sql: str, values: Values = NOTHING) -> list[Row]:
        with self._explained():
            return SqliteTransaction(self._connection()).rows(sql, values)

    @contextmanager
    def reading(self, person: Person = ANYBODY) -> Iterator[Transaction]:
        with self._explained():
            if not person.is_limited:
                with transaction(self._connection(), "BEGIN") as connection:
                    yield SqliteTransaction(connection)
                return
            seen = self._person_connection(person)
            with transaction(seen.connection, "BEGIN"):
                yield SqlitePersonTransaction(seen, person)

    @contextmanager
    def writing(self, *names: str, person: Person = ANYBODY) -> Iterator[Transaction]:
        begin = "BEGIN IMMEDIATE"
        with self._explained(), self._writer, transaction(self._connection(), begin) as connection:
            # Nobody else can change it from here to the end of the transaction.
            check_unchanged(ENGINE, int(connection.pragma("user_version")), self.path)
            tx = SqliteTransaction(connection)
            limited = person.is_limited
            yield SqlitePersonTransaction(self._person_connection(person), person, tx) if limited else tx

    def erase_traces(self) -> None:
        connection = self._connection()
        # Without a busy handler: whoever reads an older state is not waited for, and the log is emptied another time.
        connection.set_busy_handler(None)
        try:
            with explained(self.path), suppress(apsw.BusyError):
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        finally:
            connection.set_busy_handler(Patience())

    def size(self) -> int:
        return os.stat(self.path).st_size

    def problems(self) -> tuple[StoreProblem, ...]:
        with self.reading() as tx:
            told = [" ".join(str(text).split()) for (text,) in tx.rows("PRAGMA integrity_check")]
            found = [text for text in told if text != "ok"]
            found += [
                f"{table} refers to what is not there" for table, *_ in tx.rows("PRAGMA foreign_key_check")
            ]
        damaged = INDEX.problems(self._connection())
        return (*map(StoreProblem, found), *(StoreProblem(each, index_mends=True) for each in damaged))

    def rebuild_index(self) -> None:
        with self.writing() as tx:
            INDEX.rebuild(tx)

    def close(self) -> None:
        for connection in list(self._all):
            connection.close()
        self._mine = _local()


INDEX = SqliteFullText()


@contextmanager
def transaction(connection: apsw.Connection, begin: str) -> Iterator[apsw.Connection]:
    """Runs the block in a transaction of an SQLite connection; takes it back if the block fails."""
    connection.execute(begin)
    try:
        yield connection
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
    """Makes an empty file that its owner alone may read, if there is none; SQLite would let everybody read it."""
    # Never opened if it is there: closing it would let go of the locks that this process has on it.
    with suppress(OSError):  # what is wrong with the place is told by SQLite
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _prepare(connection: apsw.Connection, path: str) -> None:
    if schema_version(connection, path) == latest(ENGINE):
        return
    _in_patience(connection, "PRAGMA journal_mode = WAL")
    with transaction(connection, "BEGIN IMMEDIATE"):
        # Somebody else may have done it while we waited.
        version = schema_version(connection, path)
        if version == 0:
            connection.execute(tables(ENGINE).replace("{id}", "INTEGER PRIMARY KEY AUTOINCREMENT"))
        for step in steps_after(ENGINE, version) if version else ():
            connection.execute(step)
        _make_batch_triggers(connection)
        connection.execute(f"PRAGMA user_version = {latest(ENGINE)}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _make_batch_triggers(connection: apsw.Connection) -> None:
    """Makes the triggers of batches for the columns that the tables have now."""
    from modicum.memory.engines.sqlite_batches import BATCHED, batch_triggers

    for table in BATCHED:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        connection.execute(batch_triggers(table, columns))


def schema_version(connection: apsw.Connection, path: str) -> int:
    """Returns the schema version of an SQLite file (0: it is empty); refuses what is not ours, too old or too new."""
    owner, version = connection.pragma("application_id"), int(connection.pragma("user_version"))
    ours = owner == APPLICATION_ID and version > 0
    fresh = (owner, version) == (0, 0) and not _has_tables(connection)
    if not ours and not fresh:
        remedy = "choose another file; to take over its notes, export them there and import them here"
        raise Unusable(f"{path}: it is a database of another program", remedy=remedy)
    check_version(ENGINE, version, path)
    return version


def _has_tables(connection: apsw.Connection) -> bool:
    return bool(list(connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")))


def _in_patience(connection: apsw.Connection, sql: str) -> None:
    """Runs a statement again while the file is locked: a change of the journal does not ask the busy handler."""
    patience, attempts = Patience(), 0
    while True:
        try:
            connection.execute(sql)
            return
        except apsw.BusyError:
            if not patience(attempts):
                raise
            attempts += 1
