"""What memory costs as it grows: `python bench/memory.py`, a table on standard output."""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from modicum.memory.model import Draft, Query
from modicum.memory.sqlite import SqliteDatabase
from modicum.memory.store import Store

HERE = Path(__file__).parent
SIZES = (1_000, 10_000, 100_000)
ROUNDS = 200
PROJECTS = ("shop", "shop", "shop", "shop", "billing", "billing", "search", "infra", "docs", "mobile")
TYPES = ("decision", "bugfix", "discovery", "manual")
QUESTIONS = (
    "the return value",
    "file",
    "raise exception",
    "how do I read a socket with a timeout?",
    "what happened to the connection pool when the database was migrated?",
    "what did we decide about the retry policy of the http client?",
    "path file name",
    "sokcet tiemout",
    "getuserbyid",
    "logging handler level",
)


def vocabulary() -> list[str]:
    """Words as often as people write them, and many that are rare."""
    notes = (HERE / "notes" / "notes.jsonl").read_text().split()
    library = [
        word
        for name in ("argparse", "logging", "os", "socket", "subprocess", "unittest")
        for word in _words(name)
    ]
    rare = random.Random(3)
    return notes + library + ["".join(rare.choices("abdegiklmnoprstu", k=7)) for _ in range(20_000)]


def _words(name: str) -> list[str]:
    module = __import__(name)
    return " ".join(str(getattr(thing, "__doc__", "")) for thing in vars(module).values()).split()


def drafts(words: list[str]) -> Iterator[Draft]:
    choice = random.Random(7)
    number = 0
    while True:
        title, body = choice.choices(words, k=6), choice.choices(words, k=choice.randint(20, 90))
        key = f"topic/{number}" if number % 10 == 0 else ""
        yield Draft(
            " ".join(title),
            " ".join(body),
            choice.choice(TYPES),
            choice.choice(PROJECTS),
            f"session-{number // 25}",
            topic_key=key,
        )
        number += 1


def timed(work: Callable[[int], object], rounds: int) -> tuple[float, float]:
    """Median and 99th percentile in milliseconds."""
    times = []
    for turn in range(rounds):
        started = time.perf_counter()
        work(turn)
        times.append(1000 * (time.perf_counter() - started))
    times.sort()
    return times[len(times) // 2], times[int(0.99 * (len(times) - 1))]


def measure(store: Store, source: Iterator[Draft]) -> dict[str, tuple[float, float]]:
    return {
        "save": timed(lambda _: store.save(next(source)), ROUNDS),
        "context": timed(lambda turn: store.context(Query(project=PROJECTS[turn % 10]), pinned=20), ROUNDS),
        "context, all projects": timed(lambda _: store.context(), ROUNDS),
        "timeline": timed(lambda turn: store.timeline(turn * 3 + 1), ROUNDS),
        "stats": timed(lambda _: store.stats(), ROUNDS),
        "search": timed(lambda turn: store.search(QUESTIONS[turn % 10], Query(limit=10)), ROUNDS),
        "search in a project": timed(
            lambda turn: store.search(QUESTIONS[turn % 10], Query(project="search", limit=10)), ROUNDS
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options = parser.parse_args()
    source = drafts(vocabulary())
    results: dict[int, dict[str, tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        ticks = iter(range(1_700_000_000, 2_000_000_000, 7))
        path = Path(folder) / "memory.db"
        store = Store(SqliteDatabase(path), clock=lambda: float(next(ticks)))
        for size in options.sizes:
            while (missing := size - store.count()) > 0:
                store.save_all([next(source) for _ in range(min(500, missing))])
            results[size] = measure(store, source)
            sys.stderr.write(f"{size}: {path.stat().st_size / 1e6:.0f} MB\n")
        store.close()
    print("Milliseconds, median / 99 %\n")
    print("| | " + " | ".join(f"{size:,}" for size in results) + " |")
    print("| --- |" + " --- |" * len(results))
    for name in next(iter(results.values())):
        print(
            f"| {name} | "
            + " | ".join("{:.2f} / {:.2f}".format(*each[name]) for each in results.values())
            + " |"
        )


if __name__ == "__main__":
    main()
