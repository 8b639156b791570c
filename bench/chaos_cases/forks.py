"""The process that forks: reads jobs as lines of JSON, runs each in a child whose output goes to a file.

It has imported what the jobs need, so that a job starts at once and is killed while it works, not while it imports.
"""

import json
import os
import sys
from pathlib import Path

from modicum.cli.main import main


def warm() -> None:
    from modicum.cli import commands
    from modicum.memory.sync import run

    assert commands
    assert run
    for words in (
        ["save", "--help"],
        ["import", "--help"],
        ["inject", "--help"],
        ["setup", "--help"],
        ["uninstall", "--help"],
    ):
        main(words)


def command(*words: str) -> int:
    return main([*words])


def commands_of(jobs: list[list[str]]) -> int:
    return max(main(words) for words in jobs)


def saves(name: str, most: int) -> int:
    """Saves until it is killed; a line that is whole was acknowledged."""
    for number in range(most):
        main(["save", f"{name} {number}", f"walrus of {name} number {number}", "--json", "--project", "shop"])
        sys.stdout.flush()
    return 0


def sync(database: str, folder: str, memo: str, project: str) -> int:
    from modicum.memory.engines.sqlite import SqliteDatabase
    from modicum.memory.store import Store
    from modicum.memory.sync.folder import ChunkFolder
    from modicum.memory.sync.run import Sync, SyncFolder

    store = Store(SqliteDatabase(database))
    Sync(store, SyncFolder(ChunkFolder(Path(folder)), Path(memo)), project).run()
    return 0


def work(out: str, name: str, arguments: list[object]) -> None:
    target = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(target, 1)
    os.dup2(target, 2)
    code = 99
    try:
        code = globals()[name](*arguments)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    kept = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    warm()
    sys.stdout.flush()
    os.dup2(kept, 1)
    print("ready", flush=True)
    child = 0
    for line in sys.stdin:
        job, *given = json.loads(line)
        if job == "wait":
            print(os.waitpid(child, 0)[1], flush=True)
        else:
            child = os.fork()
            if not child:
                work(sys.argv[1], job, given)
            print(child, flush=True)
