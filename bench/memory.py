"""What memory costs as it grows, in CPU and in time, beside the bare FTS5 query: `python bench/memory.py`, a table on
standard output. On PostgreSQL the CPU is that of the client alone."""

import argparse
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from statistics import median

from engines import ENGINES, Open, opened
from modicum.memory.engines.database import NOTHING, Database, Row, Values
from modicum.memory.model import NoteDraft, Query
from modicum.memory.people.access import Person
from modicum.memory.store import Store
from modicum.search.question import parse_question

HERE = Path(__file__).parent
SIZES = (1_000, 10_000, 100_000)
MILLION = 1_000_000
SAVED = 10_000  # notes that are saved one by one; beyond, they are copies of those
ROUNDS = 200
QUANTILES = (0.5, 0.95, 0.99)
PART = 500  # copies made at once
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

Times = tuple[float, ...]  # the median of the CPU, then quantiles of the time
BARE = "SELECT rowid FROM passages_fts WHERE passages_fts MATCH :match ORDER BY rank LIMIT 10"

HELD = "SELECT count(*), min(created_at), max(created_at) FROM notes"
COPY_SESSIONS = """
INSERT INTO sessions (id, project, started_at, active_at)
SELECT id || :suffix, project, {started}, {started} FROM sessions
WHERE id IN (SELECT session_id FROM notes WHERE id <= :held)
"""
COPY_OBSERVATIONS = """
INSERT INTO notes (
  id, sync_id, public_id, session_id, type, title, project, topic_key, last_seen_at, created_at, updated_at, hash, position, content
)
SELECT id + :offset, sync_id || :suffix, (public_id + 7919 * :offset) % 1152921504606846976, session_id || :suffix, type, title, project,
  CASE topic_key WHEN '' THEN '' ELSE topic_key || :suffix END, moment, moment, moment, hash + :offset, position, content
FROM (SELECT *, {created} AS moment FROM notes WHERE id BETWEEN :first AND :last) AS copied
"""
COPY_PASSAGES = """
INSERT INTO passages (id, project, audience, title, marks, length, traits, telling, body)
SELECT id + :offset, project, audience, title, marks, length, traits, telling, body
FROM passages WHERE id BETWEEN :first AND :last
"""
SHIFTED = {
    "sqlite": "strftime('%Y-%m-%dT%H:%M:%fZ', {at}, :shift)",
    "postgres": 'to_char(CAST({at} AS timestamp) + CAST(:shift AS interval), \'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\')',
}


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


def drafts(words: list[str]) -> Iterator[NoteDraft]:
    choice = random.Random(7)
    number = 0
    while True:
        title, body = choice.choices(words, k=6), choice.choices(words, k=choice.randint(20, 90))
        key = f"topic/{number}" if number % 10 == 0 else ""
        yield NoteDraft(
            " ".join(title),
            " ".join(body),
            choice.choice(TYPES),
            choice.choice(PROJECTS),
            f"session-{number // 25}",
            topic_key=key,
        )
        number += 1


def copy(database: Database, size: int, until: float) -> None:
    """Grow to a size by older copies of what is there: quicker than saving, the same work for each query after."""
    ((held, oldest, newest),) = _run(database, HELD)
    days = 1 + (date.fromisoformat(newest[:10]) - date.fromisoformat(oldest[:10])).days
    shifted = SHIFTED["postgres" if hasattr(database, "schema") else "sqlite"]
    for turn in range(1, -(-size // held)):
        values = {
            "suffix": f"-{held}-{turn}",
            "held": held,
            "shift": f"-{days * turn} days",
            "offset": held * turn,
        }
        _run(database, COPY_SESSIONS.format(started=shifted.format(at="started_at")), values)
        for first in range(1, held + 1, PART):
            if time.monotonic() > until:
                return
            values |= {"first": first, "last": min(held, first + PART - 1)}
            _run(database, COPY_OBSERVATIONS.format(created=shifted.format(at="created_at")), values)
            _run(database, COPY_PASSAGES, values)


def _run(database: Database, sql: str, values: Values = NOTHING) -> list[Row]:
    with database.writing() as tx:
        if sql.lstrip().startswith("SELECT"):
            return tx.rows(sql, values)
        tx.run(sql, values)
        return []


def timed(work: Callable[[int], object], rounds: int) -> Times:
    """The median of the CPU and quantiles of the time, in milliseconds."""
    times, spent = [], []
    for turn in range(rounds):
        started, used = time.perf_counter(), time.process_time()
        work(turn)
        spent.append(1000 * (time.process_time() - used))
        times.append(1000 * (time.perf_counter() - started))
    times.sort()
    return (median(spent), *(times[int(quantile * (len(times) - 1))] for quantile in QUANTILES))


def fresh(words: Sequence[str], turn: int) -> str:
    """A question of one to five words that was not asked before."""
    return " ".join(random.Random(turn).choices(words, k=1 + turn % 5))


def bare(store: Store, text: str) -> None:
    """The same words in FTS5, any of them, by bm25, and nothing else."""
    words = " OR ".join(f'"{term.stem}"' for term in parse_question(text).terms)
    store.database.ask(BARE, {"match": f"{{title body}} : ({words})"})


def person(store: Store) -> Store:
    return Store(store.database, clock=store.clock, who=Person("ann", projects=("search", "shop", "docs")))


def measure(store: Store, source: Iterator[NoteDraft]) -> dict[str, Times]:
    words, ann = [word for word in vocabulary() if word.isalpha()], person(store)
    works: dict[str, Callable[[int], object]] = {
        "save": lambda _: store.save(next(source)),
        "context": lambda turn: store.context(Query(project=PROJECTS[turn % 10]), pinned=20),
        "context, all projects": lambda _: store.context(),
        "timeline": lambda turn: store.timeline(turn * 3 + 1),
        "stats": lambda _: store.stats(),
        "search, repeated": lambda turn: store.search(QUESTIONS[turn % 10], Query(limit=10)),
        "search, fresh": lambda turn: store.search(fresh(words, turn), Query(limit=10)),
        "search of a person, fresh": lambda turn: ann.search(fresh(words, turn), Query(limit=10)),
        "search in a project": lambda turn: store.search(
            QUESTIONS[turn % 10], Query(project="search", limit=10)
        ),
    }
    if not hasattr(store.database, "schema"):
        works["bare FTS5, repeated"] = lambda turn: bare(store, QUESTIONS[turn % 10])
        works["bare FTS5, fresh"] = lambda turn: bare(store, fresh(words, turn))
    return {name: timed(work, ROUNDS) for name, work in works.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--million", action="store_true", help="also 1,000,000")
    parser.add_argument("--minutes", type=float, default=10, help="the most that growing to a size may take")
    parser.add_argument("--engine", choices=ENGINES, nargs="+", default=ENGINES)
    parser.add_argument("--url", default="", help="of a PostgreSQL; without it one is started")
    options = parser.parse_args()
    for engine in options.engine:
        with opened(engine, options.url) as database:
            sizes = (*options.sizes, *([MILLION] if options.million else ()))
            show(engine, grown(database, sizes, options.minutes))


def grown(opening: Open, sizes: Sequence[int], minutes: float) -> dict[int, dict[str, Times]]:
    """What everything costs at each size."""
    source = drafts(vocabulary())
    results: dict[int, dict[str, Times]] = {}
    ticks = iter(range(1_700_000_000, 2_000_000_000, 7))
    database = opening()
    store = Store(database, clock=lambda: float(next(ticks)))
    for size in sizes:
        started = time.monotonic()
        while (missing := min(size, SAVED) - store.count()) > 0:
            store.save_all([next(source) for _ in range(min(500, missing))])
        if size > SAVED:
            copy(database, size, started + 60 * minutes)
        settle(database)
        tell(store.count(), database, started)
        results[store.count()] = measure(store, source)
    store.close()
    return results


def settle(database: Database) -> None:
    """What a server does by itself after a while: statistics, and the lists of what is not indexed yet."""
    if hasattr(database, "schema"):
        import psycopg

        with psycopg.connect(database._pool.conninfo, autocommit=True) as connection:  # type: ignore[attr-defined]
            connection.execute("VACUUM ANALYZE")


def tell(size: int, database: Database, started: float) -> None:
    megabytes, seconds = database.size() / 1e6, time.monotonic() - started
    sys.stderr.write(f"{size:,}: {megabytes:.0f} MB, made in {seconds:.0f} s\n")


def show(engine: str, results: dict[int, dict[str, Times]]) -> None:
    quantiles = " / ".join(f"p{100 * quantile:.0f}" for quantile in QUANTILES)
    print(f"{engine}, milliseconds: CPU p50 · time {quantiles}; peak of the memory {peak():.0f} MB\n")
    print("| | " + " | ".join(f"{size:,}" for size in results) + " |")
    print("| --- |" + " --- |" * len(results))
    for name in next(iter(results.values())):
        cells = (_cell(times[name]) for times in results.values())
        print(f"| {name} | {' | '.join(cells)} |")


def _cell(times: Times) -> str:
    used, *waited = times
    return f"{used:.2f} · {' / '.join(f'{each:.2f}' for each in waited)}"


def peak() -> float:
    """The most memory that this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
