"""The process that forks: reads jobs as lines of JSON, and runs each command in a child with the environment and folder of its job."""

import json
import os
import signal
import sys
import time

from modicum.cli.main import main


def run(words: list[str], folder: str, environment: dict[str, str], out: str, seconds: float) -> int:
    """How a command ended: its exit code, or minus the signal that ended it; -9 if it took too long."""
    child = os.fork()
    if not child:
        _work(words, folder, environment, out)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -9


def _work(words: list[str], folder: str, environment: dict[str, str], out: str) -> None:
    code = 99
    try:
        os.setsid()
        for number, flags in ((0, os.O_RDONLY), (1, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)):
            os.dup2(os.open(out if number else os.devnull, flags, 0o600), number)
        os.dup2(1, 2)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        code = main(words)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def warm() -> None:
    """Imports what the commands need, so that a child starts at once."""
    from importlib import import_module
    from pkgutil import walk_packages

    import modicum

    for found in walk_packages(modicum.__path__, "modicum."):
        import_module(found.name)


if __name__ == "__main__":
    warm()
    for line in sys.stdin:
        print(run(*json.loads(line)), flush=True)
