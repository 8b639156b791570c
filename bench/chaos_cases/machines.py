"""Three machines that share notes while syncs are killed, chunks are lost and notes are deleted for good: they agree."""

import importlib.util
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from chaos_cases.runs import Forks, Outcome, Pace, forks, made_project
from modicum.base.errors import ModicumError
from modicum.memory.engines.sqlite import SqliteDatabase
from modicum.memory.store import Store

STEPS = (
    *("save", "save", "topic", "update", "update", "pin", "delete", "hard", "hard", "restore", "relate", "unrelate"),
    *("move", "end", "sync", "sync", "pull", "pull", "lose", "forget", "twice", "share", "race", "race", "race"),
    *("kill",) * 8,
)  # fmt: skip


def tests() -> ModuleType:
    """The machines of the tests, and what they can do."""
    path = Path(__file__).parents[2] / "tests" / "memory" / "sync" / "test_run.py"
    spec = importlib.util.spec_from_file_location("sync_tests", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sync(pace: Pace) -> Outcome:
    """Random histories of three stores, with syncs in processes of their own that are killed at any moment."""
    outcome, known = Outcome("sync of three stores, killed"), tests()
    with TemporaryDirectory() as outer:
        home = Path(outer)
        with forks(1, home, made_project(home)) as (fork,):
            for number in pace.rounds():
                outcome.wrong += _history(known, home / f"history{number}", pace, fork, outcome)
                outcome.cases += 1
    return outcome


def _history(known: ModuleType, folder: Path, pace: Pace, fork: Forks, outcome: Outcome) -> list[str]:
    chance, done = pace.chance, []
    with ExitStack() as ends:
        machines = []
        for name in "abc":
            (folder / name).mkdir(parents=True)
            store = ends.enter_context(closing(Store(SqliteDatabase(folder / name / "memory.db"))))
            machines.append(known.Machine(folder / name, store, time.time()))
        for _ in range(chance.randint(10, 60)):
            machine, step, n, m = (
                chance.choice(machines),
                chance.choice(STEPS),
                chance.randrange(8),
                chance.randrange(8),
            )
            done.append((machine.name, step, n, m))
            if step == "kill":
                outcome.kills += _kill(machine, fork, chance.choice((0.002, 0.01, 0.05)) * chance.random())
            else:
                with suppress(ModicumError):
                    known.act(machine, machines, step, n, m)
        known.settle(machines)
        return [f"{trouble} after {done}" for trouble in _troubles(known, machines)]


def _kill(machine: Any, fork: Forks, seconds: float) -> bool:  # noqa: ANN401 - of a module that is loaded by its path
    path = machine.folder.parents[2] / "memory.db"
    was, _ = fork.killed(seconds, "sync", str(path), str(machine.folder), str(machine.memo), "shop")
    return was


def _troubles(known: ModuleType, machines: list[Any]) -> list[str]:
    views = [machine.view() for machine in machines]
    troubles = [f"{part} differ" for part in views[0] if any(view[part] != views[0][part] for view in views)]
    if any(machine.sync().went != known.Counts() for machine in machines):
        troubles.append("there is always something more to send")
    return [*troubles, *(str(each) for machine in machines for each in machine.store.problems())]
