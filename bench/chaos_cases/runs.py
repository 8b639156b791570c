"""What every case needs: an outcome, a home of its own, processes that can be killed, and the store in the end."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Self

FORKS = Path(__file__).parent / "forks.py"
SERVE = "import sys; from modicum.cli.main import main; sys.exit(main(sys.argv[1:]))"


@dataclass
class Outcome:
    """What a case tried, how many processes or connections were ended on the way, and what was wrong."""

    what: str
    cases: int = 0
    kills: int = 0
    wrong: list[str] = field(default_factory=list)


@dataclass
class Pace:
    """How long a case goes on, and its chance."""

    chance: Random
    seconds: float
    started: float = field(default_factory=time.monotonic)

    def rounds(self, most: int = 100_000) -> Iterator[int]:
        """Numbers until the time is over; at least one."""
        for number in range(most):
            yield number
            if time.monotonic() - self.started > self.seconds:
                return


def environment(home: Path, **more: str) -> dict[str, str]:
    """A home with nothing of this machine."""
    ours = {
        "HOME": str(home),
        "PATH": "/nonexistent",
        "LANG": "C.UTF-8",
        "TERM": "dumb",
    }
    return {**ours, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **more}


def made_project(home: Path) -> Path:
    project = home / "shop"
    (project / ".git").mkdir(parents=True)
    return project


def memory_of(home: Path) -> Path:
    return home / ".local" / "share" / "modicum" / "memory.db"


class Forks:
    """Runs jobs as processes that are forked from one that has imported everything, one after the other."""

    def __init__(self, home: Path, folder: Path, **more: str) -> None:
        self.out = home / f"out-{os.urandom(4).hex()}"
        pipe, given = subprocess.PIPE, environment(home, **more)
        self.process = subprocess.Popen(
            [sys.executable, str(FORKS), str(self.out)], env=given, cwd=folder, stdin=pipe, stdout=pipe, text=True, bufsize=1
        )  # fmt: skip
        self._line()  # ready

    def start(self, *job: object) -> int:
        """The process id of a job."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(job) + "\n")
        return int(self._line())

    def wait(self) -> tuple[int, list[str]]:
        """How the job ended, and the whole lines that it wrote."""
        assert self.process.stdin
        self.process.stdin.write('["wait"]\n')
        status = int(self._line())
        lines = self.out.read_text(errors="replace").splitlines(keepends=True)
        return status, [line.rstrip("\n") for line in lines if line.endswith("\n")]

    def run(self, *job: object) -> tuple[int, list[str]]:
        self.start(*job)
        return self.wait()

    def killed(self, seconds: float, *job: object) -> tuple[bool, list[str]]:
        """Whether the job was still at work and was killed after some seconds, and what it wrote until then."""
        worker = self.start(*job)
        time.sleep(seconds)
        os.kill(worker, signal.SIGKILL)  # nobody has waited for it yet, so the number is still its own
        status, lines = self.wait()
        return os.WIFSIGNALED(status), lines

    def _line(self) -> str:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the process that forks has ended")
        return line

    def close(self) -> None:
        self.process.communicate()


@contextmanager
def forks(number: int, home: Path, folder: Path, **more: str) -> Iterator[list[Forks]]:
    some = [Forks(home, folder, **more) for _ in range(number)]
    try:
        yield some
    finally:
        for each in some:
            each.close()


class Serving:
    """One `modicum serve` that can be killed and started again."""

    def __init__(self, home: Path, folder: Path, *options: str, **more: str) -> None:
        self.environment, self.folder, self.options = environment(home, **more), folder, options
        self.errors = (home / "serve-errors").open("a")
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", SERVE, "serve", "--port", "0", *self.options]
        self.process = subprocess.Popen(
            command, env=self.environment, cwd=self.folder, stdout=subprocess.PIPE, stderr=self.errors, text=True
        )  # fmt: skip
        assert self.process.stdout
        self.address = self.process.stdout.readline().split("//")[1].split()[0]

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate()
        self.errors.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def resident(self) -> int:
        """Megabytes of memory that the server takes."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.split("VmRSS:")[1].split()[0]) // 1024
