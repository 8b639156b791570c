"""Imports SQLite databases of other programs: only reads them, and runs nothing that is in them."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import apsw

from modicum.memory.exchange.imports.foreign_rows import READERS, database_kind
from modicum.memory.exchange.imports.import_contents import UNDERSTOOD, Row, as_text
from modicum.memory.exchange.imports.model import ImportContents
from modicum.memory.exchange.imports.read_records import read_contents
from modicum.memory.model import ImportProblem, Refused

MAGIC = b"SQLite format 3\x00"
_LONGEST_VALUE = 64_000_000
_FIRST = -(2**63)
_PATIENCE_MS = 2_000
_WANTED = (
    *("sessions", "notes", "observations", "prompts", "user_prompts", "relations", "revisions", "progress"),
    *("memory_relations", "observation_versions", "sdk_sessions", "session_summaries"),
)
_AS_BYTES = "CASE typeof({0}) WHEN 'text' THEN CAST({0} AS BLOB) ELSE {0} END"
_OPENED = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


def is_known(path: Path) -> bool:
    """Returns True if a file is a database of another program whose notes can be imported."""
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                return False
        with _opened(path) as connection:
            return bool(database_kind(_columns(connection)))
    except (OSError, apsw.Error, UnicodeDecodeError):
        return False


def read_database(path: Path) -> ImportContents:
    """Reads the notes in the SQLite database of any known program, for an import."""
    try:
        with _opened(path) as connection:
            columns = _columns(connection)
            kind = database_kind(columns)
            if not kind:
                raise Refused(
                    f"{path} is a database, but not one that is known", remedy=f"understood are: {UNDERSTOOD}"
                )
            problems: list[ImportProblem] = []
            tables = {name: _rows(connection, name, problems) for name in columns if name in _WANTED}
    except apsw.BusyError as error:
        raise Refused(
            f"{path}: another program keeps it locked", remedy="stop that program, then import again"
        ) from error
    except (apsw.Error, UnicodeDecodeError) as error:
        raise Refused(
            f"{path}: the database cannot be read ({error})", remedy="import an export or a backup of it"
        ) from error
    return read_contents(kind, READERS[kind](tables), problems)


@contextmanager
def _opened(path: Path) -> Iterator[apsw.Connection]:
    """Opens a database read-only, without leaving a file beside it; if that is not possible, a copy of it."""
    beside = [path.with_name(path.name + end) for end in ("-wal", "-journal")]
    live = any(each.exists() and each.stat().st_size for each in beside)
    how = "mode=ro" if live else "mode=ro&immutable=1"
    try:
        connection = _connect(f"file:{quote(str(path.absolute()))}?{how}", _OPENED)
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        with _copied(path, beside) as copy:
            yield copy
        return
    try:
        yield connection
    finally:
        connection.close()


def _connect(name: str, flags: int) -> apsw.Connection:
    connection = apsw.Connection(name, flags=flags)
    connection.set_busy_timeout(_PATIENCE_MS)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.execute("SELECT 1 FROM sqlite_master").fetchall()
    return connection


@contextmanager
def _copied(path: Path, beside: list[Path]) -> Iterator[apsw.Connection]:
    with tempfile.TemporaryDirectory() as folder:
        for each in (path, *beside):
            if each.exists():
                shutil.copyfile(each, Path(folder) / each.name)
        connection = _connect(str(Path(folder) / path.name), apsw.SQLITE_OPEN_READWRITE)
        try:
            yield connection
        finally:
            connection.close()


def _columns(connection: apsw.Connection) -> dict[str, set[str]]:
    """The columns of each table; views are left out, since a view can run anything."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'"
    )
    return {
        str(name): {str(row[1]) for row in connection.execute(f"PRAGMA table_info({_quoted(str(name))})")}
        for (name,) in names.fetchall()
    }


def _rows(connection: apsw.Connection, table: str, problems: list[ImportProblem]) -> list[Row]:
    try:
        return _selected(connection, table, "{0}", problems)
    except UnicodeDecodeError:  # a text that is none: its bytes are read as well as they can be
        rows = _selected(connection, table, _AS_BYTES, problems)
        return [
            {name: as_text(each) if isinstance(each, bytes) else each for name, each in row.items()}
            for row in rows
        ]


def _selected(connection: apsw.Connection, table: str, how: str, problems: list[ImportProblem]) -> list[Row]:
    """The rows of a table in the order of their numbers; one that is too large is named and left out."""
    names = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({_quoted(table)})")]
    columns = ", ".join(how.format(_quoted(name)) for name in names)
    rows: list[Row] = []
    number: int | None = _FIRST
    try:
        while number is not None:
            number = _read_from(connection, f"{columns} FROM {_quoted(table)}", names, number, rows)
            if number is not None:
                problems.append(
                    ImportProblem(f"{table}, row {number}", f"it has more than {_LONGEST_VALUE:,} bytes")
                )
    except (apsw.CorruptError, apsw.SQLError) as error:
        problems.append(
            ImportProblem(f"{table}, after row {len(rows)}", f"the database is damaged there ({error})")
        )
    return rows


def _read_from(
    connection: apsw.Connection, columns: str, names: list[str], after: int, rows: list[Row]
) -> int | None:
    """Adds the rows behind a number; returns the number of the first that is too large, or None at the end."""
    table = columns.rpartition(" FROM ")[2]
    last = after
    try:
        sql = f"SELECT rowid, {columns} WHERE rowid > ? ORDER BY rowid"
        for number, *row in connection.execute(sql, (after,)):
            rows.append(dict(zip(names, row, strict=True)))
            last = int(number)
    except apsw.TooBigError:
        sql = f"SELECT min(rowid) FROM {table} WHERE rowid > ?"  # noqa: S608 - quoted names
        return int(str(connection.execute(sql, (last,)).fetchall()[0][0]))
    return None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
