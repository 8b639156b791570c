"""Killed at any moment, a run leaves the old file or the new one, and the next run puts everything right."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from modicum.base.files import NewContent
from modicum.targets import apply as applying
from modicum.targets.apply import look, update
from modicum.targets.change import Existing, FileChange, FileState, TargetFile
from modicum.targets.plan import plan, unplan
from modicum.targets.records import RecordFile, recorded

ROUNDS = 60
FIRST, SECOND = "one\n" * 2000, "two\n" * 3000

# Each line asks for a child that injects and uninstalls until it is killed.
FARM = """
import os, sys
from pathlib import Path
from modicum.targets.apply import update
from modicum.targets.change import TargetFile
from modicum.targets.plan import plan, unplan

path, state, mode, root = sys.argv[1:]
place = TargetFile(path, mode, root=root)

def work():
    while True:
        for page in ("one\\n" * 2000, "two\\n" * 3000):
            update(place, lambda e, r: plan(place, page, e, r), Path(state))
        update(place, lambda e, r: unplan(place, e, r), Path(state))

for _ in sys.stdin:
    child = os.fork() or work()
    print(child, flush=True)
    print(os.WTERMSIG(os.waitpid(child, 0)[1]), flush=True)
"""


def wanted(place: TargetFile, mine: str | None) -> set[str | None]:
    """Everything that the file may say."""
    return {mine, *(plan(place, page, Existing(mine), None).after for page in (FIRST, SECOND))}


def inject(place: TargetFile, state: Path, page: str) -> FileChange:
    return update(place, lambda existing, record: plan(place, page, existing, record), state)


def uninstall(place: TargetFile, state: Path) -> FileChange:
    return update(place, lambda existing, record: unplan(place, existing, record), state)


@pytest.fixture
def farm(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator["Farm"]:
    farm = Farm(tmp_path, request.param)
    yield farm
    farm.close()


class Farm:
    """A project in which one worker after the other is killed."""

    def __init__(self, folder: Path, mode: str) -> None:
        self.root, self.state = folder / "project", folder / "state"
        self.root.mkdir()
        self.mine = None if mode == "replace-file" else "mine\r\n" * 500
        self.place = TargetFile(
            str(self.root / ("file.md" if self.mine else "new/file.md")), mode, root=str(self.root)
        )
        if self.mine:
            Path(self.place.path).write_bytes(self.mine.encode())
        self.chance = random.Random(mode)
        command = (sys.executable, "-c", FARM, self.place.path, str(self.state), mode, str(self.root))
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, env=environment, text=True, bufsize=1
        )

    def kill_one(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write("next\n")
        worker = int(self.process.stdout.readline())
        time.sleep(self.chance.uniform(0, 0.03))
        os.kill(worker, signal.SIGKILL)
        assert int(self.process.stdout.readline()) == signal.SIGKILL

    def close(self) -> None:
        self.process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize("farm", ["replace-section", "replace-file", "append"], indirect=True)
def test_killed_at_random_moments_nothing_is_lost(farm: Farm) -> None:
    place, state, allowed = farm.place, farm.state, wanted(farm.place, farm.mine)
    for number in range(ROUNDS):
        farm.kill_one()

        found, record = look(place, state)
        assert found.text in allowed
        assert {path.name for path in farm.root.rglob("*")} <= {"file.md", "new"}
        assert plan(place, FIRST, found, record).state in (
            FileState.CURRENT,
            FileState.STALE,
            FileState.ABSENT,
        )
        if number % 2:
            inject(place, state, FIRST)
            assert inject(place, state, FIRST).settled
        uninstall(place, state)
        assert look(place, state) == (Existing(farm.mine), None)
        assert recorded(state) == ()
        assert [path.name for path in farm.root.iterdir()] == (["file.md"] if farm.mine else [])


# Every moment in between, one after the other


class Killed(BaseException):
    """What no code of ours catches."""


STEPS = (
    "back_up",
    "announce",
    "make_folders",
    "new_content",
    "create",
    "replace",
    "_put_in_place",
    "confirm",
    "remove_folders",
)


def kill_at(step: str, when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = next((each for each in (RecordFile, NewContent) if hasattr(each, step)), applying)
    real = getattr(owner, step)

    def killed(*arguments, **more):
        if when == "after":
            real(*arguments, **more)
        raise Killed

    monkeypatch.setattr(owner, step, killed)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("mode", ["replace-section", "replace-file", "append"])
@pytest.mark.parametrize("mine", [None, "mine\n"])
@pytest.mark.parametrize("act", ["inject", "update", "uninstall"])
def test_killed_at_a_step_the_next_run_puts_everything_right(
    act: str,
    mine: str | None,
    mode: str,
    step: str,
    when: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    place, state = TargetFile(str(tmp_path / "new/file.md"), mode, root=str(tmp_path)), tmp_path / "state"
    if mine is not None:
        Path(place.path).parent.mkdir()
        Path(place.path).write_text(mine)
    force = mode == "replace-file"

    def again(page: str) -> FileChange:
        return update(place, lambda e, r: plan(place, page, e, r, force=force), state)

    if act != "inject":
        again(FIRST)
    with monkeypatch.context() as patch:
        kill_at(step, when, patch)
        with contextlib.suppress(Killed):
            uninstall(place, state) if act == "uninstall" else again(SECOND)

    existing, record = look(place, state)
    assert plan(place, SECOND, existing, record).state is not FileState.EDITED
    again(SECOND)
    assert again(SECOND).settled
    uninstall(place, state)
    assert look(place, state)[0].text == mine
    assert recorded(state) == ()
    assert sorted(path.name for path in tmp_path.rglob("*") if state not in (path, *path.parents)) == (
        [] if mine is None else ["file.md", "new"]
    )


def test_an_edit_between_the_crash_and_the_next_run_is_seen_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, state = TargetFile(str(tmp_path / "file.md"), "replace-section"), tmp_path / "state"
    inject(place, state, "one")
    with monkeypatch.context() as patch:
        kill_at("confirm", "before", patch)
        with pytest.raises(Killed):
            inject(place, state, "two")
    file = Path(place.path)

    file.write_text(f"mine\n{file.read_text()}")
    assert plan(place, "three", *look(place, state)).state is FileState.STALE
    file.write_text(file.read_text().replace("two", "mine"))
    assert plan(place, "three", *look(place, state)).state is FileState.EDITED


def test_after_a_crash_a_page_that_is_part_of_the_page_before_is_told_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for step in ("_put_in_place", "confirm"):
        place, state = TargetFile(str(tmp_path / f"{step}.md"), "append"), tmp_path / "state"
        Path(place.path).write_text("mine\n")
        inject(place, state, "one\ntwo")
        with monkeypatch.context() as patch:
            kill_at(step, "before", patch)
            with pytest.raises(Killed):
                inject(place, state, "two")

        uninstall(place, state)
        assert Path(place.path).read_text() == "mine\n"
