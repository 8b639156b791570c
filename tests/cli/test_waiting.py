"""A command that waits for a lock says so after a second, and gives up after ten with a sentence."""

import os
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from modicum.base.config import load_config
from modicum.base.errors import ModicumError
from modicum.base.files import Wait, held


def run(world, *arguments: str) -> tuple[int, str, float]:
    began = time.monotonic()
    code = "import sys; from modicum.cli.main import main; sys.exit(main())"
    found = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=world.project, env=dict(os.environ), capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    return found.returncode, found.stderr, time.monotonic() - began


def locked(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.execute("BEGIN IMMEDIATE")
    return connection


def test_a_command_that_waits_for_memory_says_so_and_gives_up(world) -> None:
    assert world.modicum("save", "One", "Because it was there.").code == 0
    with closing(locked(load_config().data / "memory.db")):
        code, said, seconds = run(world, "save", "Two", "Because it was there, too.")

    first, second = said.splitlines()
    assert code == 4
    assert "waiting for the file of memory" in first
    assert "10 s at most" in first
    assert "another program keeps it locked" in second
    assert 9 < seconds < 20


def test_a_command_that_waits_goes_on_when_it_may(world) -> None:
    assert world.modicum("save", "One", "Because it was there.").code == 0
    connection = locked(load_config().data / "memory.db")
    timer = threading.Timer(5, connection.close)
    timer.start()
    code, said, _ = run(world, "save", "Two", "Because it was there, too.")
    timer.join()

    assert code == 0
    assert said.count("waiting for the file of memory") == 1


def test_a_short_wait_is_not_told_and_a_long_one_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(Wait, "listener", staticmethod(told.append))
    monkeypatch.setattr(Wait, "most_seconds", 1.3)
    with held(tmp_path / "lock", "it", wait_seconds=0):
        with (
            pytest.raises(ModicumError, match="another run has been busy"),
            held(tmp_path / "lock", "it", wait_seconds=0.2),
        ):
            pass
        assert told == []
        with (
            pytest.raises(ModicumError, match=r"busy with it for 1.3 s"),
            held(tmp_path / "lock", "it", wait_seconds=60),
        ):
            pass

    assert told == ["waiting for it, which another run is busy with: for 1.3 s at most"]


def test_a_command_that_waits_for_postgres_says_so_and_gives_up(world, empty_schema) -> None:
    from modicum.memory.engines.postgres import PostgresDatabase

    url = empty_schema("waiting")
    world.patch.setenv("MODICUM_DATABASE_URL", url)
    with closing(PostgresDatabase(url)) as database, database.writing():
        code, said, seconds = run(world, "save", "Two", "Because it was there, too.")

    first, second = said.splitlines()[-2:]
    assert code == 4
    assert "waiting for the database of memory" in first
    assert "10 s at most" in first
    assert "somebody else keeps it locked" in second
    assert 9 < seconds < 20
