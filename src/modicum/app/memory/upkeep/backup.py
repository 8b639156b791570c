"""Backups of memory, use cases for the command line: a copy in one file while memory is in use, and back from it."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import NamedTuple

from modicum.app.memory.memory_files import COMPANIONS, is_same, memory_place, refuse_memory
from modicum.app.memory.notes import open_database
from modicum.base.config import Config
from modicum.base.errors import ModicumError
from modicum.base.files import in_words, settle
from modicum.base.paths import POSTGRES
from modicum.memory.engines import sqlite_backup
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.engines.sqlite_backup import BackupProgress, Tell


def _ignore(_: int) -> None:
    """Nobody looks at the progress."""


class Backup(NamedTuple):
    """A backup of memory that a command has written: its file, the notes in it (also deleted ones), and its size."""

    file: Path
    notes: int
    bytes: int


class Restored(NamedTuple):
    """Memory that a command has restored from a backup: how many notes it has now, and the file with what was there before."""

    notes: int
    former: Path | None


def back_up(
    config: Config, file: Path, *, force: bool = False, begin: Tell = _ignore, tell: Tell = _ignore
) -> Backup:
    """Writes a backup of memory for a command into a file, whole or not at all; one that is there only if forced.

    `begin` hears the number of steps, `tell` each further number of them.
    """
    progress = BackupProgress(begin, tell)
    place = memory_place(config)
    _check_target(config, file, force=force)
    with _written_whole(file, force=force) as copy:
        if place.startswith(POSTGRES):
            _copy_team(place, copy, progress)
        else:
            open_database(place).close()  # there is something to copy from now on
            sqlite_backup.copy_database(place, copy, progress)
        remedy = "modicum doctor says more about memory as it is"
        notes = _checked(copy, "the copy would be damaged, and none was written", remedy=remedy)
    return Backup(file, notes, file.stat().st_size)


def restore(config: Config, file: Path, *, begin: Tell = _ignore, tell: Tell = _ignore) -> Restored:
    """Puts a backup in the place of memory for a command, also while servers run; what was there is kept in a file beside it."""
    place = memory_place(config)
    if place.startswith(POSTGRES):
        remedy = f"modicum team migrate --from {file} --to URL copies it into an empty database"
        raise ModicumError("a backup is not restored over a PostgreSQL database", remedy=remedy)
    if not file.is_file():
        raise ModicumError(
            f"{file}: there is no such file", remedy="give one that modicum backup has written"
        )
    if is_same(file, Path(place)):
        raise ModicumError(f"{file}: this is memory itself", remedy="give a backup of it")
    with in_words(place):
        Path(place).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _temporary(Path(place)) as copy:
        sqlite_backup.copy_database(str(file), copy)
        notes = _checked(copy, f"{file} is damaged, and nothing was changed", remedy="give another backup")
        return Restored(notes, _put(copy, place, BackupProgress(begin, tell)))


def _put(copy: str, place: str, progress: BackupProgress) -> Path | None:
    former = _unused_name(Path(f"{place}.before-restore"))
    there = Path(place).exists()
    if not there or sqlite_backup.is_damaged(place):
        _move_away(copy, place, former)
        return former if there else None
    with _written_whole(former, force=False) as kept:
        sqlite_backup.replace_contents(place, copy, kept, progress)
    return former


def _move_away(copy: str, place: str, former: Path) -> None:
    """Puts a copy where a database is missing or damaged; the files that are there get another name."""
    if Path(place).exists():
        sqlite_backup.check_unused(place)
    sqlite_backup.make_shared(copy)
    with in_words(place):
        for end in COMPANIONS:
            with suppress(FileNotFoundError):
                Path(place + end).rename(f"{former}{end}")
        Path(copy).replace(place)
        settle(former.parent)


def _copy_team(place: str, copy: str, progress: BackupProgress) -> None:
    from modicum.memory.engines.copy import OneMoment, migrate, total

    with closing(open_database(place)) as team, team.reading() as tx, closing(SqliteDatabase(copy)) as target:
        moment = OneMoment(tx)
        progress.begin(total(moment))
        migrate(moment, target, tell=progress.tell)
    sqlite_backup.make_single_file(copy)


def _checked(copy: str, otherwise: str, *, remedy: str) -> int:
    """Returns the number of notes in a copy after a look at all of it; raises if it is damaged."""
    if damage := sqlite_backup.damage_of(copy):
        raise ModicumError(f"{otherwise}: {damage}", remedy=remedy)
    with closing(SqliteDatabase(copy)) as database:
        ((notes,),) = database.ask("SELECT count(*) FROM notes")
    return int(notes)


def _check_target(config: Config, file: Path, *, force: bool) -> None:
    refuse_memory(config, file)
    if file.is_dir():
        raise ModicumError(
            f"{file}: this is a folder", remedy=f"give a file, such as {file / 'memory.backup'}"
        )
    if not file.parent.is_dir():
        raise ModicumError(f"{file.parent}: there is no such folder", remedy="make it, or give another file")
    if os.path.lexists(file) and not force:
        raise _taken(file)


def _taken(file: Path) -> ModicumError:
    return ModicumError(f"{file}: there is such a file", remedy="give another name, or --force to replace it")


def _unused_name(path: Path) -> Path:
    names = (path, *(path.with_name(f"{path.name}-{number}") for number in range(2, 10_000)))
    return next(name for name in names if not os.path.lexists(name))


@contextmanager
def _written_whole(file: Path, *, force: bool) -> Iterator[str]:
    """Yields a name to write to; it becomes the file's when the block ends well. Never over a file, unless forced."""
    with _temporary(file) as temporary:
        yield temporary
        with in_words(str(file)):
            _sync(temporary)
            if force:
                Path(temporary).replace(file)
            else:
                _rename_to_free(temporary, file)
            settle(file.parent)


def _sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _rename_to_free(temporary: str, file: Path) -> None:
    try:
        os.link(temporary, file)  # unlike a rename it fails if somebody has made the file meanwhile
    except FileExistsError:
        raise _taken(file) from None
    except OSError:  # a file system without links
        if os.path.lexists(file):
            raise _taken(file) from None
        Path(temporary).rename(file)


@contextmanager
def _temporary(beside: Path) -> Iterator[str]:
    """Yields the name of an empty file beside another that its owner alone may read; takes it away in the end."""
    with in_words(str(beside)):
        descriptor, name = mkstemp(prefix=f"{beside.name}.", suffix=".partial", dir=beside.parent)
        os.close(descriptor)
    try:
        yield name
    finally:
        for end in (*COMPANIONS, "-journal"):
            Path(name + end).unlink(missing_ok=True)
