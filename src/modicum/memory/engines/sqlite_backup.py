"""Backups of an SQLite database while it is in use: copies it into a file, and a file back into it."""

import os
from collections.abc import Callable
from contextlib import closing, suppress
from typing import NamedTuple

import apsw

from modicum.memory.engines.sqlite import Patience, SqliteDatabase, explained, schema_version, transaction
from modicum.memory.model import Unusable
from modicum.memory.tables.sql import VERSION

PAGES = 1_000  # of a step, after which the progress is told

Tell = Callable[[int], None]


class BackupProgress(NamedTuple):
    """Who hears how far a backup is: `begin` the number of pages in all, `tell` each further number of them."""

    begin: Tell = lambda _: None
    tell: Tell = lambda _: None


SILENT = BackupProgress()


def copy_database(path: str, target: str, progress: BackupProgress = SILENT) -> None:
    """Copies an SQLite database as it is at one moment into a new file; nobody who uses it has to wait."""
    with explained(path), closing(_opened(path)) as source, closing(apsw.Connection(target)) as copy:
        if not schema_version(source, path):
            raise Unusable(f"{path}: it is empty", remedy="give a file that modicum backup has written")
        copy.execute("PRAGMA synchronous = FULL").fetchall()
        # Else each change by another program between two steps would make the copy begin anew, without end.
        with transaction(source, "BEGIN"):
            source.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
            with copy.backup("main", source, "main") as backup:
                _copy_pages(backup, progress)
    make_single_file(target)


def make_single_file(path: str) -> None:
    """Makes an SQLite database one file again that can also be read where nothing can be written."""
    _set_journal(path, "DELETE")


def make_shared(path: str) -> None:
    """Makes an SQLite database in a single file ready for many users at once."""
    _set_journal(path, "WAL")


def _set_journal(path: str, mode: str) -> None:
    with explained(path), closing(_opened(path)) as connection:
        connection.execute(f"PRAGMA synchronous = FULL; PRAGMA journal_mode = {mode}").fetchall()


def damage_of(path: str) -> str:
    """Returns what is wrong with an SQLite database in a file that nobody uses, after a look at all of it; "" is nothing."""
    try:
        with closing(SqliteDatabase(path)) as copy:
            return "its parts do not fit together" if copy.problems() else ""
    except Unusable as error:
        return error.message.removeprefix(f"{path}: ")


def is_damaged(path: str) -> bool:
    """Returns True if an SQLite database cannot be used because its file is damaged; raises what else is wrong."""
    try:
        with closing(SqliteDatabase(path)) as database:
            database.ask(VERSION)
    except Unusable as error:
        damages = apsw.NotADBError | apsw.CorruptError | apsw.SQLError | UnicodeDecodeError
        if isinstance(error.__cause__, damages):
            return True
        raise
    return False


def check_unused(path: str) -> None:
    """Refuses an SQLite database that another program has open."""
    with explained(path), suppress(apsw.NotADBError, apsw.CorruptError), closing(_opened(path)) as connection:
        connection.set_busy_handler(None)
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        connection.execute("BEGIN EXCLUSIVE")


def replace_contents(path: str, source: str, former: str, progress: BackupProgress = SILENT) -> None:
    """Replaces all that is in an SQLite database by a copy, in one transaction that its users see like any other.

    What was there before is copied into the file `former`. The source is changed, so it has to be a copy of its own.
    """
    with explained(path), closing(_opened(path)) as target, closing(_opened(source)) as copy:
        _suit(copy, int(target.pragma("page_size")))
        with target.backup("main", copy, "main") as backup:
            backup.step(0)  # from here on nobody else can write, so that nothing falls between the two copies
            copy_database(path, former)
            _count_on(copy, former)
            _copy_pages(backup, progress)


def _suit(connection: apsw.Connection, page_size: int) -> None:
    if connection.pragma("page_size") != page_size:
        connection.execute(f"PRAGMA page_size = {page_size}; VACUUM").fetchall()


def _count_on(copy: apsw.Connection, former: str) -> None:
    """Counts the changes on from those of the former database: servers keep answers for as long as the count stays."""
    with closing(_opened(former)) as before:
        ((changes,),) = before.execute(VERSION).fetchall()
    sql = "UPDATE totals SET value = max(value, :changes) + 1 WHERE name = 'changes'"
    copy.execute(sql, {"changes": changes})


def _copy_pages(backup: apsw.Backup, progress: BackupProgress) -> None:
    backup.step(0)
    progress.begin(backup.page_count)
    while not backup.done:
        left = backup.remaining
        backup.step(PAGES)
        progress.tell(left - backup.remaining)


def _opened(path: str) -> apsw.Connection:
    connection = apsw.Connection(os.fspath(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_handler(Patience())
    return connection
