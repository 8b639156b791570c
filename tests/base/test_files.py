"""Files are written whole or not at all, and whoever is killed leaves nothing beside them."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from modicum.base import files
from modicum.base.files import new_content, write_own

on_posix = pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")

WRITING = """
import sys
from pathlib import Path
from modicum.base.files import write_own
project, aside = map(Path, sys.argv[1:])
print(flush=True)
while True:
    for text in (b"one" * 50_000, b"two" * 60_000):
        write_own(project / "old.md", text, private=False, aside=aside)
        (project / "new.md").unlink(missing_ok=True)
        write_own(project / "new.md", text, private=False, aside=aside)
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@on_posix
def test_a_process_that_is_killed_leaves_nothing_beside_a_file(tmp_path: Path) -> None:
    project, aside = tmp_path / "project", tmp_path / "aside"
    project.mkdir()
    (project / "old.md").write_bytes(b"one" * 50_000)
    chance = random.Random(1)
    for _ in range(25):
        command = [sys.executable, "-c", WRITING, str(project), str(aside)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout
            process.stdout.readline()
            time.sleep(chance.uniform(0, 0.03))
            process.send_signal(signal.SIGKILL)
        assert set(names(project)) <= {"old.md", "new.md"}
        assert (project / "old.md").read_bytes() in (b"one" * 50_000, b"two" * 60_000)

    write_own(project / "old.md", b"three", private=False, aside=aside)
    assert names(aside) == []


@on_posix
def test_killed_right_before_a_new_content_takes_its_place_there_is_nothing_beside_it(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "old.md").write_text("old")
    for name in ("old.md", "new.md"):
        child = os.fork()
        if not child:
            with new_content(project / name, b"more", tmp_path / "aside"):
                os.kill(os.getpid(), signal.SIGKILL)
        assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL

    assert names(project) == ["old.md"]
    assert len(names(tmp_path / "aside")) == 1


@on_posix
@pytest.mark.parametrize("where", ["no such files", "another disk", "mounted twice"])
def test_where_nothing_else_is_possible_the_next_run_deletes_what_a_killed_one_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    project, aside = tmp_path / "project", tmp_path / "aside"
    project.mkdir()
    hinder(monkeypatch, where, aside)
    for name in ("old.md", "new.md"):
        child = os.fork()
        if not child:
            with new_content(project / name, b"more", aside) as content:
                content.replace()
            with new_content(project / name, b"and more", aside):
                os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(child, 0)
        write_own(project / name, b"right", private=False, aside=aside)
        assert (project / name).read_bytes() == b"right"

    assert names(project) == ["new.md", "old.md"]
    assert not aside.exists() or names(aside) == []


def hinder(monkeypatch: pytest.MonkeyPatch, where: str, aside: Path) -> None:
    """Makes the file system as another one would be."""
    before = Path.replace

    def replace(path: Path, target: Path) -> Path:
        if path.parent == aside:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return before(path, target)

    if where == "no such files":
        monkeypatch.setattr(files, "_unnamed_file", lambda folder, mode: None)
    if where != "mounted twice":
        stat = Path.stat
        other = lambda path: type("Other", (), {"st_dev": -1})() if path == aside else stat(path)  # noqa: E731
        monkeypatch.setattr(files, "_disk_of", lambda path: other(path).st_dev)
    else:
        monkeypatch.setattr(Path, "replace", replace)


def test_a_new_content_has_the_rights_of_the_file_and_of_nobody_else_if_private(tmp_path: Path) -> None:
    for name, mode, private, wanted in (
        ("mine", 0o640, False, 0o640),
        ("run", 0o755, False, 0o755),
        ("secret", 0o644, True, 0o600),
    ):
        file = tmp_path / name
        file.write_text("before")
        file.chmod(mode)
        write_own(file, b"after", private=private, aside=tmp_path / "aside")
        assert (file.read_text(), file.stat().st_mode & 0o777) == ("after", wanted)
    write_own(tmp_path / "new", b"private")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o600


def test_who_was_there_first_stays_where_only_a_new_file_is_wanted(tmp_path: Path) -> None:
    with new_content(tmp_path / "a", b"second", None) as content:
        (tmp_path / "a").write_bytes(b"first")
        assert not content.create()
        assert (tmp_path / "a").read_bytes() == b"first"
        content.replace()

    assert (tmp_path / "a").read_bytes() == b"second"
    assert names(tmp_path) == ["a"]
