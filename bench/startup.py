"""What starting costs in CPU time, beside the bare interpreter: python bench/startup.py"""

import compileall
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

import modicum

RUNS = 21
COMMANDS = {
    "bare interpreter": ["-c", "pass"],
    "modicum --version": ["-m", "modicum.cli.main", "--version"],
    "modicum --help": ["-m", "modicum.cli.main", "--help"],
}


def cpu(arguments: list[str]) -> float:
    """CPU seconds of one process, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True, env=environment())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def main() -> None:
    compileall.compile_dir(Path(modicum.__file__).parent, quiet=1)
    spent = {
        name: statistics.median(cpu(arguments) for _ in range(RUNS)) for name, arguments in COMMANDS.items()
    }
    bare = spent["bare interpreter"]
    for name, seconds in spent.items():
        print(f"{name:<20} {seconds * 1000:>7.1f} ms CPU   {seconds / bare:>5.2f} x")


if __name__ == "__main__":
    main()
