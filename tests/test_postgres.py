"""The PostgreSQL of the tests: shared while somebody uses it, and gone after that, however they ended."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg

USER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from postgres import shared
with shared(Path(sys.argv[2])) as url:
    print(url, flush=True)
    sys.stdin.read()
"""


def use(folder: Path, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", USER, str(Path(__file__).parent), str(folder)], text=True, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **environment},
    )  # fmt: skip


def kill(user: subprocess.Popen[str]) -> None:
    os.killpg(user.pid, signal.SIGKILL)
    user.communicate(timeout=30)


def test_a_server_lasts_as_long_as_its_users_also_if_they_are_killed(tmp_path: Path) -> None:
    users = [use(tmp_path) for _ in range(2)]
    urls = [user.stdout.readline().strip() for user in users if user.stdout]
    folder = Path(urls[0].partition("host=")[2])

    assert urls[0] == urls[1] != ""
    kill(users[0])
    with psycopg.connect(urls[1]) as connection:
        process = Path("/proc", (folder / "data" / "postmaster.pid").read_text().split()[0])
        assert connection.execute("SELECT 1").fetchone() == (1,)
    kill(users[1])
    end = time.monotonic() + 60
    while (folder.exists() or process.exists()) and time.monotonic() < end:
        time.sleep(0.02)
    assert (folder.exists(), process.exists()) == (False, False)


def test_a_server_that_does_not_start_says_why_and_leaves_nothing(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    _, told = use(tmp_path, MODICUM_TEST_POSTGRES=str(tmp_path), TMPDIR=str(place)).communicate(timeout=60)

    assert "PostgreSQL did not start" in told
    assert f"{tmp_path}/bin/initdb" in told
    assert list(place.iterdir()) == []
