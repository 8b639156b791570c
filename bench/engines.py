"""Stores on either engine, for whoever measures. PostgreSQL is a server of our own, unless a URL is given."""

import importlib.util
import itertools
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from modicum.memory.engines.database import Database
from modicum.memory.engines.sqlite import SqliteDatabase

ENGINES = ("sqlite", "postgres")
# As a server is run: a commit is on the disk when it is told.
DURABLE = ("shared_buffers=512MB", "max_wal_size=4GB", "work_mem=32MB")

Open = Callable[[], Database]


def server() -> ModuleType:
    """What starts a PostgreSQL for the tests."""
    path = Path(__file__).parent.parent / "tests" / "postgres.py"
    spec = importlib.util.spec_from_file_location("postgres", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def opened(engine: str, url: str = "") -> Iterator[Open]:
    """A function that opens one more empty database."""
    numbers = itertools.count()
    if engine == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield lambda: SqliteDatabase(Path(folder) / f"{next(numbers)}.db")
        return
    from modicum.memory.engines.postgres import PostgresDatabase

    def schema(base: str) -> Database:
        mark = "&" if "?" in base else "?"
        return PostgresDatabase(f"{base}{mark}options=-csearch_path%3Dbench{next(numbers)},public")

    if url:
        yield lambda: schema(url)
        return
    with server().running(DURABLE) as own:
        yield lambda: schema(own)
